//! Runs of high order: the order of everything they compute, and their exact derivatives.

mod advice;
mod chosen;
mod derivatives;
mod orders;
mod prescribed;
