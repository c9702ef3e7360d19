//! The registers in which a tape is executed.

use costate_numerics::scalar::Scalar;

use crate::machine_code::{Assembled, registers};
use crate::tape::Tape;

/// The registers of one tape for one type of numbers, with what is in them before a call: plain numbers, and constants
/// of a run.
pub(crate) fn filled<S: Scalar>(tape: &Tape, constants: &[S]) -> Vec<S> {
    let mut filled = vec![S::default(); registers(tape)];
    for &(register, number) in tape.numbers.iter() {
        filled[register as usize] = S::constant(f64::from_bits(number));
    }
    fill_constants(tape, constants, &mut filled);
    filled
}

/// Writes constants of a run into the registers of a tape.
pub(crate) fn fill_constants<S: Scalar>(tape: &Tape, constants: &[S], registers: &mut [S]) {
    for run in tape.constants.iter() {
        let given = constants.get(run.first..).unwrap_or_default();
        let to = registers[run.register as usize..].iter_mut().take(run.length);
        to.zip(given).for_each(|(to, given)| *to = *given);
    }
}

/// The working memory of one tape for one type of numbers.
#[derive(Debug, Clone)]
pub struct Workspace<S: Scalar> {
    /// The tape, by where its parts are kept.
    pub(crate) tape: [usize; 2],
    pub(crate) registers: Vec<S>,
    /// Number of constants of the run that were given.
    pub(crate) constants: usize,
    pub(crate) masks: Masks<S>,
    /// The machine code of the last selection, and its working memory.
    pub(crate) assembled: Option<Assembled>,
    pub(crate) numbers: Vec<S>,
}

/// Registers of conditions.
#[derive(Clone)]
pub(crate) struct Masks<S: Scalar>(pub Vec<S::Mask>);

impl<S: Scalar> std::fmt::Debug for Masks<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Masks").field("length", &self.0.len()).finish()
    }
}

impl<S: Scalar> Workspace<S> {
    /// Creates the registers of a tape, for a run with these constants. A function that reads none may have an empty
    /// slice.
    pub fn new(tape: &Tape, constants: &[S]) -> Self {
        let (zero, registers) = (S::constant(0.0), filled(tape, constants));
        let masks = Masks(vec![zero.less(zero); tape.masks]);
        Self { tape: tape.parts(), registers, constants: constants.len(), masks, assembled: None, numbers: Vec::new() }
    }
}
