//! Compiled models for the command, until models are interpreted.
#![allow(missing_docs, clippy::all)]

mod mount;
mod osc;
mod pend;

use costate::Model;
use costate_system::system::{Differentiable, SecondOrder};

pub fn runnable(name: &str) -> (&'static dyn Differentiable, &'static dyn SecondOrder) {
    match name {
        "Oscillator" => (osc::Oscillator::differentiable(), osc::Oscillator::second_order()),
        "Pendulum" => (pend::Pendulum::differentiable(), pend::Pendulum::second_order()),
        _ => (mount::EngineMount::differentiable(), mount::EngineMount::second_order()),
    }
}
