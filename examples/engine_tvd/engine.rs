//! The engine in either form, its quantities by their names.

use costate::model::UnknownName;
use costate::{Input, Model, Output, Parameter};

/// An engine with the true damper and with that of the start.
pub struct Engine<M: Model> {
    pub truth: M,
    pub start: M,
    /// Angle and speed of what turns it.
    pub drive: [Input<M>; 2],
    /// Twist of the crankshaft in rad.
    pub twist: Output<M>,
    /// Speed of the flywheel in rpm.
    pub speed: Output<M>,
    /// Stiffness and damping of both Maxwell elements.
    pub unknown: [Parameter<M>; 4],
}

impl<M: Model> Engine<M> {
    pub fn new(truth: M, start: M) -> Result<Self, UnknownName> {
        let unknown = |name| Parameter::named(name);
        Ok(Self {
            truth,
            start,
            drive: [Input::named("q_run")?, Input::named("v_run")?],
            twist: Output::named("twist")?,
            speed: Output::named("speed")?,
            unknown: [unknown("cs[1]")?, unknown("ds[1]")?, unknown("cs[2]")?, unknown("ds[2]")?],
        })
    }
}
