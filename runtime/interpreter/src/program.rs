//! The program of a model in executable form, with everything else that runs need of the model.

use std::sync::OnceLock;

use costate_compiler::Compiled;
use costate_contract::{BackEnd, Description, Group};
use costate_kernel::Compiled as KernelModel;
use costate_system::model::Lengths;
use costate_system::table::Tables;

use crate::description::{description, tables};
use crate::functions::Interpreted;
use crate::kept::kept;
use crate::tape::{ArrayLengths, Tape, TranslationError};

/// The functions of a model that are not those of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Other {
    Constants,
    Geometry,
    NewtonCorrection,
    ChordCorrection,
    Solve,
    SolveTransposed,
    AdjointCoefficients,
    AdjointRecurrence,
    AdjointHistory,
    AdjointStep,
}

impl Other {
    /// All of them with their names in the program, in the order of the variants.
    const ALL: [(Other, &'static str); 10] = [
        (Other::Constants, "constants"),
        (Other::Geometry, "geometry"),
        (Other::NewtonCorrection, "newton_correction"),
        (Other::ChordCorrection, "chord_correction"),
        (Other::Solve, "solve"),
        (Other::SolveTransposed, "solve_transposed"),
        (Other::AdjointCoefficients, "adjoint_coefficients"),
        (Other::AdjointRecurrence, "adjoint_recurrence"),
        (Other::AdjointHistory, "adjoint_history"),
        (Other::AdjointStep, "adjoint_step"),
    ];
}

/// The place of a function among all functions of a model: first those of groups, then the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(usize);

impl Place {
    /// Number of places.
    pub const COUNT: usize = Group::ALL.len() + Other::ALL.len();

    /// Returns the place with this index.
    pub fn of(index: usize) -> Self {
        Self(index)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        self.0
    }
}

impl From<Group> for Place {
    #[inline(always)]
    fn from(group: Group) -> Self {
        Self(group as usize)
    }
}

impl From<Other> for Place {
    #[inline(always)]
    fn from(other: Other) -> Self {
        Self(Group::ALL.len() + other as usize)
    }
}

/// A model that has been loaded: its functions as tapes, its description, and the data of its own tables.
#[derive(Debug)]
pub struct LoadedProgram {
    pub(crate) description: &'static Description,
    pub(crate) lengths: Lengths,
    /// Number of constants of a run.
    pub(crate) constants: usize,
    /// Number of numbers of the scene.
    pub(crate) geometry: usize,
    pub(crate) tables: Tables,
    tapes: [Option<&'static Tape>; Place::COUNT],
    system: OnceLock<KernelModel<Interpreted>>,
}

impl LoadedProgram {
    /// Translates the program of a model.
    ///
    /// # Errors
    /// [`TranslationError`], which is a mistake of the compiler.
    pub(crate) fn new(compiled: &Compiled, digest: &'static str, back_end: BackEnd) -> Result<Self, TranslationError> {
        let program = &compiled.program;
        let arrays = ArrayLengths::new(compiled, program);
        let description = description(compiled, (digest, back_end));
        let mut tapes = [const { None }; Place::COUNT];
        let groups = Group::ALL.map(|group| (Place::from(group), group.name(), program.function(group.name())));
        let others = Other::ALL.map(|(other, name)| {
            let function = match other {
                Other::Constants => Some(&program.constants),
                Other::Geometry => program.geometry.as_ref(),
                _ => program.function(name),
            };
            (Place::from(other), name, function)
        });
        for (place, name, function) in groups.into_iter().chain(others) {
            if let Some(function) = function {
                let tape = Tape::new(program, function, &arrays.of_function(compiled, name))?;
                tapes[place.index()] = Some(kept(Box::new(tape)));
            }
        }
        let lengths = Lengths::of(description, arrays.factors, arrays.adjoint_coefficients);
        Ok(Self {
            description,
            lengths,
            constants: arrays.constants,
            geometry: compiled.model.geometry.len(),
            tables: tables(compiled, description),
            tapes,
            system: OnceLock::new(),
        })
    }

    /// Returns a function; `None` where all its results are structurally zero.
    #[inline(always)]
    pub(crate) fn tape(&self, place: Place) -> Option<&'static Tape> {
        self.tapes[place.index()]
    }

    /// Returns all functions.
    pub fn tapes(&self) -> impl Iterator<Item = &Tape> {
        self.tapes.iter().copied().flatten()
    }

    /// Returns the model as a value that can be run and differentiated.
    pub fn system(&'static self) -> &'static KernelModel<Interpreted> {
        self.system.get_or_init(|| KernelModel::of(self))
    }
}
