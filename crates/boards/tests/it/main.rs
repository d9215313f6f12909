//! Parts against whole boards: the same game valued position by position, without falling apart.

mod known;
mod nimbers;
mod random_games;
