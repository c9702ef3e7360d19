//! The symbolic model compiler of costate.
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | `tokens`, `syntax` | the tokens of one brace level; the parser, which makes the syntax tree |
//! | `lower`, `model` | names, loops, components and bodies of the tree become the checked [`Model`] |
//! | `units`, `dimension` | units read from tokens, with the scales of `costate-contract`; dimensional analysis |
//! | [`symbolic`] | the graph of expressions: construction, derivatives, ranges of values |
//! | [`mechanics`] | the equations of motion, their derivatives, and the elimination of the Newton matrix |
//! | `check` | checks of the structure and the meaning of a model |
//! | [`program`] | what the functions of a model compute, as data, made of groups and steps |
//! | `emit` | a program as Rust |
//! | `formula` | expressions outside of models: signals of inputs and costs |
//! | `file` | models in files, for commands and build scripts: finds them, and writes other defaults into their text |
//! | `diagnostic` | errors and warnings at the tokens of the user |
//! | `limits` | counted limits of size, which are checked while the work goes on |
//! | `text` | the tokens of a text, or its brackets and quotes without their other half |
//! | `packed` | lists of short elements in formatted text, in few lines |
//!
//! A command lets a model read tables and meshes from the folder of its file, and from other folders only if the user
//! allows these (`model/files.rs`).
//!
//! ```text
//! tokens -> syntax -> lower -> mechanics -> program -> emit -> Rust
//!           (tree)    (names,  (equations,   (functions  (text)
//!                      loops)   derivatives)  as data)
//! ```
//!
//! `model!` calls [`expand`]. Build scripts call [`generate`], command lines read a [`ModelFile`], and tests call
//! [`compile`] or [`compile_str`]: these return the code, formatted, with operation counts and the symbolic matrices.
//! [`Arguments`] set the structural arguments of a model. [`Compiled::expressions`] returns the expressions
//! themselves by name, in SI units.
//!
//! # Where to add
//!
//! - A function of the language: `lower/functions.rs` if it is made of others (`smooth_step`), else a variant of
//!   `symbolic::Function` with its derivative and a method of `Scalar` of `costate-numerics`; then the table in
//!   `macros/language/expressions.md`.
//! - A statement or an operation of programs: a variant in `program/statement.rs` or `program/expression.rs`,
//!   `program/uses.rs`, every back end, and the evaluator in `program/tests`.
//! - A joint or force element: `joints.rs` or `elements.rs` in `lower/kinds`, `joint_constraints.rs` or `elements.rs`
//!   in `lower/mechanism`; its kind in `macros/contract/src/scene.rs`. A measured quantity:
//!   `lower/expressions/measures.rs`. No later stage changes.
//! - A shape of bodies: `lower/mechanism/shapes.rs`, with `macros/contract/src/scene.rs` and
//!   `runtime/view/src/drawing/bodies.rs`.
//! - A check of a model: a function of `(&Model, &Graph, &Equations, &mut Diagnostics)` in the list of
//!   `check/structure/mod.rs`, and a case in `tests/messages/equations`.
//! - An expression for other programs: a name in `src/expressions.rs`, with its unit. A function of time for signals:
//!   `lower/formula.rs`.

mod check;
mod diagnostic;
mod dimension;
mod emit;
pub mod expressions;
#[cfg(feature = "format")]
mod file;
mod formula;
mod kicks;
mod limits;
mod lower;
pub mod mechanics;
mod model;
#[cfg(feature = "format")]
mod packed;
pub mod program;
mod pushing;
pub mod symbolic;
mod syntax;
mod table_ends;
mod text;
mod tokens;
mod undefined;
mod units;

use costate_contract::tables::CurveGrid;
use proc_macro2::TokenStream;

pub use diagnostic::{Diagnostic, MAX_SHOWN, Place};
#[cfg(feature = "format")]
pub use file::{DefaultsError, Expansion, FileError, Findings, ModelFile, generate};
pub use formula::Formula;
pub use model::{Argument, ArgumentValue, Arguments, Model, NoArgumentValue, Quantity, Table, TableValues};
pub use program::Operations;

use diagnostic::{Diagnostics, push_once, to_compile_errors, to_compile_warnings};
use mechanics::{Elimination, Equations, Groups, StepFunctions};
use program::Program;
use symbolic::Graph;
use syntax::ast::ModelSyntax;
use syntax::back_end::BackEnd;

/// The interpreter of the crate in which a model is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpreter {
    /// The crate has none.
    Absent,
    /// The interpreter is for the models that say `#[interpreted]`.
    OnRequest,
    /// The interpreter is for all models but those that say `#[compiled]`.
    Default,
}

/// Expands `model!`: returns the code of the model and its variants, or their errors at the user's tokens with inert
/// code in place of the models.
pub fn expand(tokens: TokenStream, interpreter: Interpreter) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let Some(mut syntax) = syntax::parse(tokens, &mut diagnostics) else {
        return to_compile_errors(&diagnostics.into_errors());
    };
    match (syntax.back_end, interpreter) {
        (None, Interpreter::Default) => syntax.back_end = Some((BackEnd::Interpreted, syntax.name.span().into())),
        (Some((BackEnd::Interpreted, place)), Interpreter::Absent) => {
            let message = "an interpreted model needs the interpreter; write `features = [\"interpreted\"]` at \
                           `costate` in `Cargo.toml`";
            diagnostics.error(place, message);
        }
        _ => (),
    }
    let (mut code, mut errors, mut warnings) = (TokenStream::new(), Vec::new(), Vec::new());
    for model in syntax.into_models() {
        match compile_or_stand_in(&model, &Arguments::new(), diagnostics.clone()) {
            Ok(compiled) => {
                code.extend(compiled.code());
                compiled.warnings.into_iter().for_each(|warning| push_once(&mut warnings, warning));
                code.extend(watched_files(&compiled.model));
            }
            Err((found, stand_in)) => {
                found.into_iter().for_each(|error| push_once(&mut errors, error));
                code.extend(stand_in);
            }
        }
    }
    let mut tokens = to_compile_errors(&errors);
    if errors.is_empty() {
        tokens.extend(to_compile_warnings(&warnings));
    }
    tokens.extend(code);
    tokens
}

/// Makes rustc expand the model again when the file of a table changes.
fn watched_files(model: &Model) -> TokenStream {
    let files = model.tables.iter().filter_map(|table| table.file.as_ref()?.to_str());
    files
        .map(|file| {
            quote::quote!(
                const _: &[u8] = ::core::include_bytes!(#file);
            )
        })
        .collect()
}

/// A compiled model.
#[derive(Debug)]
pub struct Compiled {
    /// The checked model.
    pub model: Model,
    /// The expressions of the model and all that was derived of them.
    pub graph: Graph,
    /// The parts of the energies.
    pub(crate) energies: lower::Energies,
    /// The equations of motion.
    pub equations: Equations,
    /// The factors of the Newton matrix, unless the model is too large to write them out.
    pub elimination: Option<Elimination>,
    /// The pivot order in which the library factorises the Newton matrix where the emitted factors fail or do not
    /// exist; empty if it is that of the emitted factors, or if there is none.
    pub order: Vec<(usize, usize)>,
    /// The blocks of every emitted function.
    pub groups: Groups,
    /// Operations of every emitted function.
    pub operations: Vec<Operations>,
    /// The functions of the model, as data.
    pub program: Program,
    /// The text of the model's block, if the model is interpreted.
    pub interpreted: Option<String>,
    /// Possible mistakes: names that are not used, defaults without effect.
    pub warnings: Vec<Diagnostic>,
    /// Notes on parts that may have been forgotten, such as a moment of inertia or gravity, and on functions with a
    /// kink or a jump, which derivatives ignore.
    pub notes: Vec<Diagnostic>,
}

impl Compiled {
    /// Writes the program as Rust, with the description of the model; for an interpreted model, its text in place of
    /// them.
    pub fn code(&self) -> TokenStream {
        if let Some(text) = &self.interpreted {
            return emit::interpreted(&self.model, text);
        }
        let pivots = (self.elimination.as_ref(), &self.order[..]);
        emit::emit(&self.model, &self.graph, &self.groups, pivots, &self.program)
    }

    /// Returns what makes the moments of inertia of bodies impossible with these values of the parameters, in the order
    /// of declaration and in their units, a sentence for each body; one without a value may have any.
    pub fn impossible_inertias(&self, parameters: &[Option<f64>]) -> Vec<String> {
        check::impossible(&self.model, &self.graph, parameters.to_vec()).into_iter().map(|note| note.message).collect()
    }

    /// Returns the part of an output that has no finite value, such as `sqrt(x)` where `x` is negative, and why, in
    /// words; `None` where all have one, and where a table has none. `values` are those of coordinates, velocities,
    /// accelerations, multipliers, parameters and inputs.
    pub fn undefined_part(&self, output: usize, time: f64, values: [&[f64]; 6]) -> Option<String> {
        undefined::part(&self.model, &self.graph, output, (time, values))
    }

    /// Returns which tables bend at an end that a run of this length in s reaches, other than their values do, where a
    /// constraint prescribes a motion by them; a sentence each. `parameters` are in their units; `grid` returns the
    /// data of a table of one argument.
    pub fn bent_table_ends(
        &self,
        end: f64,
        parameters: &[f64],
        grid: &dyn Fn(usize) -> Option<CurveGrid>,
    ) -> Vec<String> {
        table_ends::bent(&self.model, &self.graph, (end, parameters), grid)
    }

    /// Returns the forces that change by themselves within a step of a run, whose steps are from one of these times in
    /// s to the next, and unseen by it; a sentence each. `parameters` are in their units.
    pub fn kicks(&self, times: &[f64], parameters: &[f64]) -> Vec<String> {
        kicks::kicks(&self.model, &self.graph, times, parameters)
    }

    /// Returns the terms of forces that are linear in the coordinate on which they act, as springs are, and push it
    /// away from rest with these values of the parameters, in their units; the coordinate and the term, in words.
    pub fn pushing_terms(&self, parameters: &[f64]) -> Vec<String> {
        pushing::terms(&self.model, &mut self.graph.clone(), parameters)
    }

    /// Returns true if the equations have functions with kinks or jumps.
    pub fn has_kinks(&self) -> bool {
        !self.model.kinks.is_empty()
    }

    /// The emitted code as formatted source text.
    ///
    /// # Errors
    /// Code that is not valid Rust, which would be a mistake of this compiler.
    #[cfg(feature = "format")]
    pub fn source(&self) -> syn::Result<String> {
        Ok(packed::packed(&prettyplease::unparse(&syn::parse2(self.code())?)))
    }
}

/// Compiles the content of a `model!` block: the model, without its variants.
///
/// # Errors
/// Every mistake that was found, with its place.
pub fn compile(tokens: TokenStream) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(tokens, &Arguments::new())
}

/// Compiles the content of a `model!` block with other values of its structural arguments than their defaults.
///
/// # Errors
/// Every mistake that was found, with its place.
pub fn compile_with(tokens: TokenStream, arguments: &Arguments) -> Result<Compiled, Vec<Diagnostic>> {
    let mut diagnostics = Diagnostics::default();
    match syntax::parse(tokens, &mut diagnostics) {
        Some(syntax) => compile_or_stand_in(&syntax, arguments, diagnostics).map_err(|(errors, _)| errors),
        None => Err(diagnostics.into_errors()),
    }
}

/// Compiles the content of a `model!` block from text.
///
/// # Errors
/// Every mistake that was found, with line and column.
pub fn compile_str(source: &str) -> Result<Compiled, Vec<Diagnostic>> {
    compile_str_with(source, &Arguments::new())
}

/// Compiles the content of a `model!` block from text, with other values of its structural arguments than their
/// defaults.
///
/// ```
/// use costate_compiler::{Arguments, compile_str_with};
///
/// let chain = "Chain(masses: usize = 2) {
///     parameters { m: kg = 1, c: N/m = 100 }
///     coordinates { x[1..=masses]: m }
///     mass { for i in 1..=masses { x[i]: m } }
///     forces { for i in 2..=masses { let force = c*(x[i] - x[i - 1]); x[i]: -force, x[i - 1]: force } }
/// }";
/// let compiled = compile_str_with(chain, &Arguments::new().with("masses", 5)).map_err(|errors|
/// format!("{errors:?}"))?; assert_eq!(compiled.model.coordinates.len(), 5);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Every mistake that was found, with line and column.
pub fn compile_str_with(source: &str, arguments: &Arguments) -> Result<Compiled, Vec<Diagnostic>> {
    let tokens = text::tokens(source).map_err(|fault| {
        let (line, column) = text::position(source, fault.range.start);
        let message = format!("not Rust tokens: {line}:{column}: {}", fault.message);
        vec![Diagnostic { message, place: fault.span.into() }]
    })?;
    compile_with(tokens, arguments)
}

/// Lowers, derives and builds a model; in case of errors, returns these with inert code in place of the model.
/// `diagnostics` are those of the parser.
fn compile_or_stand_in(
    syntax: &ModelSyntax,
    arguments: &Arguments,
    mut diagnostics: Diagnostics,
) -> Result<Compiled, (Vec<Diagnostic>, TokenStream)> {
    let (model, graph, energies, whole) = lower::lower(syntax, arguments, &mut diagnostics);
    let is_interpreted = syntax.back_end.is_some_and(|(back_end, _)| back_end == BackEnd::Interpreted);
    let text = is_interpreted.then(|| syntax::back_end::text(syntax.tokens.clone()));
    let compiled = match whole {
        true => derive(&model, graph, energies, diagnostics).map(|compiled| Compiled { interpreted: text, ..compiled }),
        false => Err(diagnostics.into_errors()),
    };
    compiled.map_err(|errors| (errors, emit::fallback(model)))
}

/// Derives the equations of a model, checks it, and builds its program.
fn derive(
    model: &Model,
    mut graph: Graph,
    energies: lower::Energies,
    mut diagnostics: Diagnostics,
) -> Result<Compiled, Vec<Diagnostic>> {
    let equations = Equations::new(model, &mut graph);
    check::size(model, &graph, &equations)?;
    check::check(model, &graph, &equations, &mut diagnostics);
    if !diagnostics.is_empty() {
        return Err(diagnostics.into_errors());
    }
    let (warnings, notes) = (diagnostics.take_warnings(), check::notes(model, &graph, &equations));
    let mut reached = None;
    let (elimination, step_functions) = eliminate(model, &mut graph, &equations, &mut reached).unzip();
    let order = mechanics::order_of_library(model, &graph, &equations, elimination.as_ref(), &mut reached);
    let groups = Groups::new(model, &mut graph, &equations, elimination.as_ref());
    check::size(model, &graph, &equations)?;
    let built = program::build(model, &mut graph, &groups, step_functions.as_ref());
    check::size(model, &graph, &equations)?;
    let mistake = |message| Diagnostic { message, place: model.name.span().into() };
    let (program, operations) = built.map_err(|messages| messages.into_iter().map(mistake).collect::<Vec<_>>())?;
    let model = model.clone();
    Ok(Compiled {
        model,
        graph,
        energies,
        equations,
        elimination,
        order,
        groups,
        operations,
        program,
        interpreted: None,
        warnings,
        notes,
    })
}

/// Eliminates the Newton matrix, and derives the functions of a step; `None` where these would be too long.
fn eliminate(
    model: &Model,
    graph: &mut Graph,
    equations: &Equations,
    reached: &mut Option<mechanics::Reached>,
) -> Option<(Elimination, StepFunctions)> {
    let elimination = Elimination::new(model, graph, equations, reached)?;
    let functions = StepFunctions::new(model, graph, equations, &elimination);
    let is_short = !functions.in_loops || program::is_short_in_loops(model, graph, &functions);
    is_short.then_some((elimination, functions))
}
