//! Errors in files of models, and in requests for their models.

use std::ops::Range;
use std::path::PathBuf;

use costate_contract::nearest::nearest;

use crate::diagnostic::Diagnostic;
use crate::model::ArgumentValue;
use crate::text::position;

/// The reason why the code of a model could not be made from a file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// A file cannot be written.
    #[error("cannot write `{}`", path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
    /// The file cannot be taken apart into Rust tokens.
    #[error("{}:{}: not Rust tokens: {message}", path.display(), at_byte(text, range.start))]
    NotRust { path: PathBuf, text: String, range: Range<usize>, message: String },
    /// There is no model in the file.
    #[error("`{}` has no `model!` block", path.display())]
    NoModel { path: PathBuf },
    /// All blocks of the file are in definitions of macros.
    #[error(
        "`{}` has `model!` blocks in `macro_rules!` only ({}), which are no models before the macro is called; {}",
        path.display(), macros.join(", "), REMEDY_FOR_MACROS
    )]
    OnlyInMacros { path: PathBuf, macros: Vec<String> },
    /// No model was named, although the file has several.
    #[error("`{}` has several models, choose one of them: `{}`", path.display(), known.join("`, `"))]
    SeveralModels { path: PathBuf, known: Vec<String> },
    /// The file has no model of this name.
    #[error("`{}` has no model `{name}`; {}{}", path.display(), remedy(name, known), and_macros(macros))]
    UnknownModel { path: PathBuf, name: String, known: Vec<String>, macros: Vec<String> },
    /// The model has no structural argument of this name.
    #[error("the model `{model}` has no structural argument `{argument}`; {}", remedy(argument, known))]
    UnknownArgument { model: String, argument: String, known: Vec<String> },
    /// A structural argument cannot have this value.
    #[error("`{argument}` of `{model}` is given as {value}; {reason}")]
    BadArgument { model: String, argument: String, value: ArgumentValue, reason: &'static str },
    /// The model has mistakes.
    #[error("{}", at_lines(path, errors))]
    Model {
        path: PathBuf,
        /// All mistakes, each with its place.
        errors: Vec<Diagnostic>,
    },
    /// The emitted code is not valid Rust, which is a mistake of the compiler.
    #[error("the code of `{model}` is not valid Rust: {message}")]
    Emission { model: String, message: String },
    /// A function for build scripts was called outside of one.
    #[error("the variable `OUT_DIR` is not set; `generate` is called by a build script")]
    NoOutputFolder,
}

/// The advice about models that macros define.
pub(super) const REMEDY_FOR_MACROS: &str = "write one `model!` with structural arguments for what differs, as in \
     `pub Chain(links: usize = 3) { ... }`, and variants as in `pub LongChain = Chain(links = 30);`, or check what the \
     macro makes by `cargo check`";

fn and_macros(macros: &[String]) -> String {
    if macros.is_empty() {
        return String::new();
    }
    format!(" (blocks in `macro_rules!`, {}, are no models before the macro is called)", macros.join(", "))
}

pub(super) fn remedy(name: &str, known: &[String]) -> String {
    match nearest(name, known.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if known.is_empty() => "it has none".to_owned(),
        None => format!("it has `{}`", known.join("`, `")),
    }
}

fn at_byte(text: &str, at: usize) -> String {
    let (line, column) = position(text, at);
    format!("{line}:{column}")
}

fn at_lines(path: &std::path::Path, errors: &[Diagnostic]) -> String {
    let lines: Vec<String> = errors.iter().map(|error| format!("{}:{error}", path.display())).collect();
    lines.join("\n")
}
