//! Every method with every step size: convergence, bounds, resumption, errors; multistart.

mod announced;
mod bounds;
mod convergence;
mod faults;
mod multistart;
mod problems;
mod state;
