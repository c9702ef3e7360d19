//! Derivatives, gradients and runs of all kinds are exact, whichever way they are computed.

mod accuracy;
mod adaptive;
mod back_ends;
mod bad_input;
mod checkpoints;
mod checks;
mod components;
mod derivatives;
mod energies;
mod golden;
mod gradient_methods;
mod gradients;
mod information_gradients;
mod input_gradients;
mod integrator;
mod lanes;
mod lanes_engine;
mod operations;
mod order;
mod reference;
mod starts;
mod stepper;
mod tables;
mod work;
