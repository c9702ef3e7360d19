//! The emitted code of some models, checked in, so that a change of it can be read: of a free oscillator all of it; of
//! a constraint with tables, of a mechanism of bodies and of a chain that is emitted in loops, whose code is long, the
//! signatures and the work of every function.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap")]

use std::fmt::Write;
use std::path::Path;

use costate_compiler::{Arguments, Compiled, ModelFile, Operations};
use syn::spanned::Spanned;
use syn::{Fields, ImplItem, Item};

/// The file of a model.
fn model(name: &str) -> ModelFile {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    ModelFile::read(folder.join(name).with_extension("model")).unwrap()
}

/// Compares the code of a model with the checked-in one, or writes it.
fn check_code(name: &str) {
    let model = model(name);
    let code = model.expand(None, &Arguments::new()).unwrap().code;
    check(&code, &model.path().with_extension("rs"));
}

/// Compares the outline of a model's code with the checked-in one, or writes it.
fn check_outline(name: &str) {
    let model = model(name);
    let compiled = model.compile(None, &Arguments::new()).unwrap();
    check(&outline(&compiled), &model.path().with_extension("txt"));
}

fn check(text: &str, golden: &Path) {
    if std::env::var_os("COSTATE_UPDATE").is_some() {
        std::fs::write(golden, text).unwrap();
    }
    let checked_in = std::fs::read_to_string(golden).unwrap();
    // both texts are long: the first line that differs
    let lines = checked_in.lines().zip(text.lines()).position(|(old, new)| old != new);
    assert!(
        checked_in == text,
        "{} differs from line {} on; read what `COSTATE_UPDATE=1 cargo test -p costate-compiler --test compiler \
         golden` makes of tests/golden, and check it in",
        golden.display(),
        lines.map_or(checked_in.lines().count().min(text.lines().count()), |line| line) + 1
    );
}

/// A line for every item that is emitted: its signature; of a function, the operations in it, and the lines and loops
/// that it is written in.
fn outline(compiled: &Compiled) -> String {
    let code = syn::parse_file(&compiled.source().unwrap()).unwrap();
    let mut text = String::new();
    let mut counts = compiled.operations.clone();
    for item in &code.items {
        match item {
            Item::Struct(item) => {
                let (name, parameters) = (&item.ident, source(&item.generics));
                writeln!(text, "struct {name}{parameters} {}", fields(&item.fields)).unwrap();
            }
            Item::Impl(item) => {
                let of = item.trait_.as_ref().map(|(of, _)| source(of) + " for ").unwrap_or_default();
                writeln!(text, "impl {of}{}", source(&item.self_ty)).unwrap();
                for member in &item.items {
                    writeln!(text, "    {}", outline_of(member, &mut counts)).unwrap();
                }
            }
            other => unreachable!("an item of another kind is emitted: {}", source(other)),
        }
    }
    counts.retain(|count| count.total() > 0);
    assert!(counts.is_empty(), "functions that compute something are not emitted: {counts:?}");
    text
}

/// The outline of a part of an `impl`, whose operations are taken out of `counts`.
fn outline_of(member: &ImplItem, counts: &mut Vec<Operations>) -> String {
    match member {
        ImplItem::Const(member) => format!("const {}: {}", member.ident, source(&member.ty)),
        ImplItem::Type(member) => {
            format!("type {}{} = {}", member.ident, source(&member.generics), source(&member.ty))
        }
        ImplItem::Fn(member) => {
            let name = member.sig.ident.to_string();
            let found = counts.iter().position(|count| count.function == name);
            let work = found.map(|found| work(&counts.remove(found))).unwrap_or_default();
            let body = member.block.span().source_text().unwrap();
            let loops = body.lines().filter(|line| line.trim_start().starts_with("for ")).count();
            let lines = body.lines().count();
            format!("{}{work}; {lines} lines, {loops} loops", source(&member.sig))
        }
        other => unreachable!("a member of another kind is emitted: {}", source(other)),
    }
}

/// The numbers of operations of a function; empty for a function without any.
fn work(count: &Operations) -> String {
    if count.total() == 0 {
        return String::new();
    }
    format!(
        ": {} additions, {} multiplications, {} divisions, {} calls, {} selections",
        count.additions, count.multiplications, count.divisions, count.calls, count.selections
    )
}

/// Names and types of fields, in a line.
fn fields(fields: &Fields) -> String {
    let each = fields.iter().map(|field| {
        let name = field.ident.as_ref().unwrap();
        format!("{name}: {}", source(&field.ty))
    });
    format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
}

/// The source text of a part of the code, in a line and without the paths of the runtime.
fn source(part: &impl Spanned) -> String {
    let text = part.span().source_text().unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    ["::costate::emitted::", "::costate::model::", "::costate::", "::core::default::"]
        .iter()
        .fold(line, |line, path| line.replace(path, ""))
        .replace("( ", "(")
        .replace(", )", ")")
}

#[test]
fn an_oscillator() {
    check_code("discrete_oscillator");
}

#[test]
fn a_constraint_with_tables() {
    check_outline("cam_follower");
}

#[test]
fn a_mechanism_of_bodies() {
    check_outline("four_bar");
}

#[test]
fn a_chain_in_loops() {
    check_outline("chain");
}
