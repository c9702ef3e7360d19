//! Periodic responses against closed forms, published formulas, integration in time, and derivatives by dual numbers.

mod crank;
mod duffing;
mod linear;
mod mistakes;
mod models;
mod mount;
mod predictions;
mod sensitivities;
