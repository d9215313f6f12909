//! Heap games against programs that follow the definition and nothing else.

mod misere;
mod misere_classes;
mod misere_stop;
mod subtraction;
mod take_break;
