//! The symbolic model compiler of costate.
//!
//! ```text
//! tokens -> syntax -> model -> mechanics -> emit -> Rust
//!           (tree)    (names,  (equations,   (functions,
//!                      loops)   derivatives)  tables)
//! ```
//!
//! `model!` calls [`expand`]. Build scripts, command lines and tests call [`compile`] or [`compile_str`] and get
//! the code, formatted, with operation counts and the symbolic matrices; [`compile_with`] and [`compile_str_with`] set
//! the structural arguments of the model.

mod check;
mod diagnostic;
mod emit;
pub mod mechanics;
mod model;
mod nearest;
pub mod symbolic;
mod syntax;
mod units;

use proc_macro2::TokenStream;

pub use diagnostic::{Diagnostic, Place};
pub use emit::Operations;
pub use model::{Argument, Arguments, Model, Quantity, Table, TableValues};

use diagnostic::{Diagnostics, to_compile_errors, to_compile_warnings};
use mechanics::{Elimination, Equations, Groups, StepFunctions};

/// What `model!` expands to: the model's code, or its errors at the user's tokens with an inert stand-in.
pub fn expand(tokens: TokenStream) -> TokenStream {
    match compile_or_stand_in(tokens, &Arguments::new()) {
        Ok(compiled) => {
            let mut tokens = compiled.code;
            tokens.extend(to_compile_warnings(&compiled.warnings));
            tokens.extend(watched_files(&compiled.model));
            tokens
        }
        Err((errors, stand_in)) => {
            let mut tokens = to_compile_errors(&errors);
            tokens.extend(stand_in);
            tokens
        }
    }
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
    /// The checked model with its expression graph.
    pub model: Model,
    /// The equations of motion.
    pub equations: Equations,
    /// The factors of the Newton matrix, unless the model is too large to write them out.
    pub elimination: Option<Elimination>,
    /// The blocks of every emitted function.
    pub groups: Groups,
    /// Operations of every emitted function.
    pub operations: Vec<Operations>,
    /// The emitted code.
    pub code: TokenStream,
    /// What may be wrong: names that are not used, defaults without effect.
    pub warnings: Vec<Diagnostic>,
    /// What derivatives do not know: functions with a kink or a jump.
    pub notes: Vec<Diagnostic>,
}

impl Compiled {
    /// The emitted code as formatted source text.
    ///
    /// # Errors
    /// If the code is not valid Rust, which would be a mistake of this compiler.
    #[cfg(feature = "format")]
    pub fn source(&self) -> syn::Result<String> {
        Ok(prettyplease::unparse(&syn::parse2(self.code.clone())?))
    }
}

/// Compiles the content of a `model!` block.
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
    compile_or_stand_in(tokens, arguments).map_err(|(errors, _)| errors)
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
/// let compiled = compile_str_with(chain, &Arguments::new().with("masses", 5)).map_err(|errors| format!("{errors:?}"))?;
/// assert_eq!(compiled.model.coordinates.len(), 5);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Every mistake that was found, with line and column.
pub fn compile_str_with(source: &str, arguments: &Arguments) -> Result<Compiled, Vec<Diagnostic>> {
    match source.parse::<TokenStream>() {
        Ok(tokens) => compile_with(tokens, arguments),
        Err(error) => {
            Err(vec![Diagnostic { message: format!("not Rust tokens: {error}"), place: error.span().into() }])
        }
    }
}

/// Parse, check, derive, emit; with errors, the code that stands in for the model.
fn compile_or_stand_in(
    tokens: TokenStream,
    arguments: &Arguments,
) -> Result<Compiled, (Vec<Diagnostic>, TokenStream)> {
    let mut diagnostics = Diagnostics::default();
    let Some(syntax) = syntax::parse(tokens, &mut diagnostics) else {
        return Err((diagnostics.into_errors(), TokenStream::new()));
    };
    let (mut model, whole) = model::check(&syntax, arguments, &mut diagnostics);
    if !whole {
        return Err((diagnostics.into_errors(), emit::fallback(model)));
    }
    let equations = Equations::new(&mut model);
    check::check(&model, &equations, &mut diagnostics);
    if !diagnostics.is_empty() {
        return Err((diagnostics.into_errors(), emit::fallback(model)));
    }
    let (warnings, notes) = (diagnostics.take_warnings(), check::meaning::kinks(&model));
    let elimination = Elimination::new(&mut model, &equations);
    let step_functions =
        elimination.as_ref().map(|elimination| StepFunctions::new(&mut model, &equations, elimination));
    let groups = Groups::new(&mut model, &equations, elimination.as_ref());
    let (code, operations) =
        emit::emit(&mut model, &groups, elimination.as_ref().zip(step_functions.as_ref()));
    Ok(Compiled { model, equations, elimination, groups, operations, code, warnings, notes })
}
