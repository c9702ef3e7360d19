//! Files with models, for command lines and build scripts: Rust files with `model!` blocks, or the text of one block.

mod build;
mod defaults;
mod error;
mod find;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use proc_macro2::Literal;
use syn::ext::IdentExt;

pub use build::generate;
pub use defaults::DefaultsError;
pub use error::FileError;

use crate::diagnostic::{Diagnostic, Diagnostics, push_once};
use crate::model::{Arguments, argument_refusal};
use crate::syntax::ast::ModelSyntax;
use crate::text::Fault;
use crate::{Compiled, compile_or_stand_in, syntax};
use find::{Blocks, InMacro};

/// A file and the models in it.
#[derive(Debug)]
pub struct ModelFile {
    path: PathBuf,
    text: String,
    /// The folder to which paths of tables are relative.
    folder: PathBuf,
    /// Other folders with files of the models; `None` if files anywhere are allowed.
    allowed: Option<Vec<PathBuf>>,
    models: Vec<Found>,
    /// Mistakes in blocks that could not be read as models.
    broken: Vec<Diagnostic>,
    /// Blocks in `macro_rules!`.
    in_macros: Vec<InMacro>,
}

/// A model or a variant, and the syntax errors of its block.
#[derive(Debug, Clone)]
struct Found {
    syntax: ModelSyntax,
    diagnostics: Diagnostics,
}

/// The diagnostics of the models of a file.
#[derive(Debug, Default)]
pub struct Findings {
    /// Mistakes.
    pub errors: Vec<Diagnostic>,
    /// Possible mistakes, and blocks in `macro_rules!`, which are not checked.
    pub warnings: Vec<Diagnostic>,
    /// Notes on valid parts that may not be meant, such as functions that are not smooth.
    pub notes: Vec<Diagnostic>,
}

/// The code of models.
#[derive(Debug)]
pub struct Expansion {
    /// Formatted Rust code that is complete in a crate which depends on the runtime alone.
    pub code: String,
    /// The files of the models' tables.
    pub tables: Vec<PathBuf>,
    /// Possible mistakes in the models.
    pub warnings: Vec<Diagnostic>,
}

impl ModelFile {
    /// Reads the `model!` blocks of a Rust file. A file without such blocks whose name does not end with `rs` is read
    /// as the text of one model, as in a block. Blocks in `macro_rules!` are not models before the macro is called,
    /// which happens only where the crate is built: [`check`](Self::check) warns about them.
    ///
    /// # Errors
    /// A file that cannot be read, that is not Rust, that has no model, or that has models in `macro_rules!` alone.
    pub fn read(path: impl Into<PathBuf>) -> Result<Self, FileError> {
        let path = path.into();
        let text = costate_contract::files::read_text(&path)
            .map_err(|source| FileError::Unreadable { path: path.clone(), source: source.into() })?;
        Self::from_text(path, text)
    }

    /// Reads like [`read`](Self::read) a file that has this text.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), except for a file that cannot be read.
    pub fn from_text(path: impl Into<PathBuf>, text: String) -> Result<Self, FileError> {
        let path = path.into();
        let tokens = crate::text::tokens(&text).map_err(|Fault { message, range, .. }| FileError::NotRust {
            path: path.clone(),
            text: text.clone(),
            range,
            message,
        })?;
        let Blocks { models: mut blocks, in_macros } = find::blocks(tokens.clone());
        if blocks.is_empty() && path.extension().is_none_or(|extension| extension != "rs") {
            blocks.push(tokens);
        }
        if blocks.is_empty() {
            if in_macros.is_empty() {
                return Err(FileError::NoModel { path });
            }
            let macros = in_macros.iter().map(InMacro::described).collect();
            return Err(FileError::OnlyInMacros { path, macros });
        }
        let (mut models, mut broken) = (Vec::new(), Vec::new());
        for block in blocks {
            let mut diagnostics = Diagnostics::default();
            match syntax::parse(block, &mut diagnostics) {
                Some(syntax) => models.extend(
                    syntax.into_models().into_iter().map(|syntax| Found { syntax, diagnostics: diagnostics.clone() }),
                ),
                None => broken.extend(diagnostics.into_errors()),
            }
        }
        let folder = folder_of_tables(&path);
        Ok(Self { path, text, folder, allowed: None, models, broken, in_macros })
    }

    /// Refuses tables and meshes outside of the folder to which the models' paths are relative and of these folders:
    /// for foreign models, which could name any file of the machine.
    #[must_use]
    pub fn with_files_only_in(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.allowed = Some(folders.into_iter().collect());
        self
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder to which the names of tables and meshes are relative.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the names of the models and their variants, in the order of the file.
    pub fn names(&self) -> Vec<String> {
        self.models.iter().map(|found| found.syntax.name.unraw().to_string()).collect()
    }

    /// Returns the model called `name`, or the only one, with these entries in a further block `outputs` below all
    /// others, as in `pull: N = strut.force`. The text of the new file differs from this one's, as its model does.
    ///
    /// # Errors
    /// The errors of [`compile`](Self::compile) for names; entries that cannot be read.
    pub fn with_outputs(&self, name: Option<&str>, entries: &str) -> Result<Self, FileError> {
        let mut found = self.model(name)?.clone();
        let block = format!("Measured {{ outputs {{ {entries} }} }}");
        let mut diagnostics = Diagnostics::default();
        let read = block.parse().ok().and_then(|tokens| syntax::parse(tokens, &mut diagnostics));
        let errors = diagnostics.into_errors();
        match read {
            Some(read) if errors.is_empty() => found.syntax.items.extend(read.items),
            _ => return Err(FileError::Model { path: self.path.clone(), errors }),
        }
        Ok(Self {
            path: self.path.clone(),
            text: format!("{}\n{block}\n", self.text),
            folder: self.folder.clone(),
            allowed: self.allowed.clone(),
            models: vec![found],
            broken: Vec::new(),
            in_macros: Vec::new(),
        })
    }

    /// Checks all models, with the defaults of their structural arguments.
    pub fn check(&self) -> Findings {
        let warnings = self.in_macros.iter().map(InMacro::not_checked).collect();
        let mut findings = Findings { errors: self.broken.clone(), warnings, ..Findings::default() };
        let arguments = self.with_folders(&Arguments::new());
        for Found { syntax, diagnostics } in &self.models {
            match compile_or_stand_in(syntax, &arguments, diagnostics.clone()) {
                Ok(compiled) => {
                    compiled.warnings.into_iter().for_each(|one| push_once(&mut findings.warnings, one));
                    compiled.notes.into_iter().for_each(|one| push_once(&mut findings.notes, one));
                }
                Err((errors, _)) => errors.into_iter().for_each(|one| push_once(&mut findings.errors, one)),
            }
        }
        findings
    }

    /// Checks one model with these values of its structural arguments.
    ///
    /// # Errors
    /// The errors of [`compile`](Self::compile), except for mistakes in the model, which are findings.
    pub fn check_with(&self, name: Option<&str>, arguments: &Arguments) -> Result<Findings, FileError> {
        match self.compile(name, arguments) {
            Ok(Compiled { warnings, notes, .. }) => Ok(Findings { errors: Vec::new(), warnings, notes }),
            Err(FileError::Model { errors, .. }) => Ok(Findings { errors, ..Findings::default() }),
            Err(error) => Err(error),
        }
    }

    /// Compiles the model called `name`, or the only one, with `arguments` in place of defaults. If `arguments` name
    /// no folder, paths of tables are relative to the folder of the nearest `Cargo.toml` above the file, or else to
    /// that of the file.
    ///
    /// # Errors
    /// A name that the file does not have, or no name for a file with several models; an argument that the model does
    /// not have, or a value that does not fit; the mistakes in the model.
    pub fn compile(&self, name: Option<&str>, arguments: &Arguments) -> Result<Compiled, FileError> {
        let Found { syntax, diagnostics } = self.model(name)?;
        let model = syntax.name.unraw().to_string();
        for (given, value) in arguments.iter() {
            let known = syntax.arguments.iter().find(|argument| argument.name.unraw() == given);
            let Some(known) = known else {
                let known = syntax.arguments.iter().map(|argument| argument.name.unraw().to_string());
                let (argument, known) = (given.to_owned(), known.collect());
                return Err(FileError::UnknownArgument { model, argument, known });
            };
            if let Some(reason) = argument_refusal(value, known) {
                let argument = given.to_owned();
                return Err(FileError::BadArgument { model, argument, value, reason });
            }
        }
        let arguments = self.with_folders(arguments);
        compile_or_stand_in(syntax, &arguments, diagnostics.clone())
            .map_err(|(errors, _)| FileError::Model { path: self.path.clone(), errors })
    }

    /// Emits the code of the model called `name`, or of all models if no name is given. The same file and arguments
    /// result in the same text.
    ///
    /// # Errors
    /// The errors of [`compile`](Self::compile). Arguments need the name of one model, unless the file has only one.
    pub fn expand(&self, name: Option<&str>, arguments: &Arguments) -> Result<Expansion, FileError> {
        if name.is_some() || arguments.iter().next().is_some() || self.models.len() == 1 {
            let compiled = self.compile(name, arguments)?;
            return self.source(std::slice::from_ref(&compiled));
        }
        self.refuse_broken()?;
        let compiled: Vec<Compiled> =
            self.names().iter().map(|name| self.compile(Some(name), arguments)).collect::<Result<_, _>>()?;
        self.source(&compiled)
    }

    fn source(&self, models: &[Compiled]) -> Result<Expansion, FileError> {
        let file = in_comment(&self.path.file_name().unwrap_or_default().to_string_lossy());
        let mut text = format!("// Generated by costate from `{file}`; change that file and not this one.\n");
        for (i, compiled) in models.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            let model = &compiled.model;
            let values: Vec<String> =
                model.arguments.iter().map(|argument| format!("{} = {}", argument.name, argument.value)).collect();
            let values = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
            // Writing to a string does not fail.
            let _ = writeln!(text, "// {}{values}", model.name);
            let code = compiled
                .source()
                .map_err(|source| FileError::Emission { model: model.name.to_string(), message: source.to_string() })?;
            let _ = write!(text, "\n{code}");
        }
        let tables = models.iter().flat_map(|compiled| &compiled.model.tables);
        let tables = tables.filter_map(|table| table.file.clone()).collect();
        let mut warnings = Vec::new();
        for warning in models.iter().flat_map(|compiled| &compiled.warnings) {
            push_once(&mut warnings, warning.clone());
        }
        Ok(Expansion { code: text, tables, warnings })
    }

    /// Adds the folders of the models' files to the arguments.
    fn with_folders(&self, arguments: &Arguments) -> Arguments {
        let mut arguments = arguments.clone();
        if arguments.folder().is_none() {
            arguments = arguments.tables_in(&self.folder);
        }
        match &self.allowed {
            Some(allowed) => arguments.files_only_in(allowed.iter().cloned()),
            None => arguments,
        }
    }

    /// Fails if a block could not be read as a model, whichever model is asked for.
    fn refuse_broken(&self) -> Result<(), FileError> {
        match self.broken.is_empty() {
            true => Ok(()),
            false => Err(FileError::Model { path: self.path.clone(), errors: self.broken.clone() }),
        }
    }

    fn model(&self, name: Option<&str>) -> Result<&Found, FileError> {
        self.refuse_broken()?;
        let (path, known) = (self.path.clone(), self.names());
        match (name, &*self.models) {
            (None, [only]) => Ok(only),
            (None, _) => Err(FileError::SeveralModels { path, known }),
            (Some(name), models) => models.iter().find(|found| found.syntax.name.unraw() == name).ok_or_else(|| {
                let macros = self.in_macros.iter().map(InMacro::described).collect();
                FileError::UnknownModel { path, name: name.to_owned(), known, macros }
            }),
        }
    }
}

impl InMacro {
    /// Describes the block for messages.
    fn described(&self) -> String {
        format!("`{}` in line {}", self.macro_name, self.word.span().start().line)
    }

    /// Returns the warning of a check about the block.
    fn not_checked(&self) -> Diagnostic {
        let message = format!(
            "this block of the macro `{}` is no model before the macro is called, and is not checked; {}",
            self.macro_name,
            error::REMEDY_FOR_MACROS
        );
        Diagnostic { message, place: self.word.span().into() }
    }
}

/// Escapes a text for a one-line comment, so that it cannot end the line.
fn in_comment(text: &str) -> String {
    let literal = Literal::string(text).to_string();
    literal.trim_start_matches('"').trim_end_matches('"').to_owned()
}

/// Returns the folder of the nearest `Cargo.toml` above a file, or else the file's own folder.
fn folder_of_tables(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let own = absolute.parent().unwrap_or(Path::new("."));
    let crate_folder = own.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
    crate_folder.unwrap_or(own).to_owned()
}
