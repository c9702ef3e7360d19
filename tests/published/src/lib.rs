//! The tests of published identifications and experiments are in `tests`.
