//! Parts against whole boards: the same game valued position by position, without falling apart.

mod contest;
mod groups;
mod known;
mod nimbers;
mod partizan;
mod random_games;
