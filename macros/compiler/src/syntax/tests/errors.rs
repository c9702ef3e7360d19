//! Every error of blocks and entries, at its place.

use super::*;

/// The only error of a model with one block.
fn only(body: &str) -> (String, String) {
    let source = format!("Rod {{ {body} }}");
    let mut errors = errors(&source);
    assert_eq!(errors.len(), 1, "{body}: {errors:?}");
    errors.remove(0)
}

fn check(cases: &[(&str, &str, &str)]) {
    for (body, at, message) in cases {
        assert_eq!(only(body), ((*at).to_owned(), (*message).to_owned()), "{body}");
    }
}

#[test]
fn around_the_model() {
    for (source, at, message) in [
        ("pub", "pub", "expected the name of the model, found the end of the model"),
        ("mass {} forces {}", "mass", "expected the name of the model before `mass`; write `Name { ... }`"),
        ("Rod[n] {}", "[n]", "expected `{` before `[`; write `Name { parameters { ... } ... }`"),
        ("//! about\nRod {}", "//! about", "a `//!` comment has no place in a model; write `///`"),
        ("# Rod {}", "#", "stray `#`; write `//` for a remark"),
    ] {
        assert_eq!(errors(source), [(at.to_owned(), message.to_owned())], "{source}");
    }
    for source in ["", "pub", "pub { mass {} }", "type {}"] {
        assert!(read(source).0.is_none(), "{source}");
    }
}

#[test]
fn structural_arguments() {
    for (arguments, at, message) in [
        ("n", ")", "expected `:` before `)`; a structural argument has a type, e.g. `n: usize = 4`"),
        ("n::x", ":", "expected `:` before `:`; a structural argument has a type, e.g. `n: usize = 4`"),
        ("n: ", ")", "expected `usize` before `)`; write e.g. `n: usize = 4`"),
        ("n: usize 4", "4", "expected `=` before `4`; write e.g. `n: usize = 4`"),
        ("n: usize == 4", "==", "`==` compares; write a single `=` before a value"),
        ("n: usize = 4 5", "5", "expected `,` or an operator before `5`; write `*` for a product"),
        ("n: usize = 4, , m: usize", ",", "expected a structural argument, found `,`"),
        ("4", "4", "expected a structural argument, found `4`"),
        ("n: usize, /// about\n", "/// about", "the end of the arguments has no doc comment; write `//` for a remark"),
    ] {
        let source = format!("Rod({arguments}) {{}}");

        assert_eq!(errors(&source), [(at.to_owned(), message.to_owned())], "{source}");
    }
    let model = read("Rod(/// about\n n: usize = 2, m: usize = n + 1,) {}").0.unwrap();
    let names: Vec<String> = model.arguments.iter().map(|argument| argument.name.to_string()).collect();
    assert_eq!((names, &model.arguments[0].documentation[..]), (vec!["n".into(), "m".into()], &["about".into()][..]));
}

#[test]
fn blocks() {
    let known = "a model is made of `parameters`, `inputs`, `tables`, `coordinates`, `components`, `mass`, `forces`, \
         `constraints`, `kinetic`, `potential`, `dissipation`, `bodies`, `joints`, `elements`, `gravity`, `outputs`, \
         `initial`";
    check(&[
        ("Masses { x: a }", "Masses", "unknown block `Masses`; did you mean `mass`?"),
        ("motors { x: }", "motors", &format!("unknown block `motors`; {known}")),
        ("5 mass {}", "5", &format!("expected a block or a `let`, found `5`; {known}")),
        ("mass: { x: }", ":", "expected `{` before `:`; write `mass { ... }`"),
        ("mass inputs {}", "inputs", "expected `{` before `inputs`; write `mass { ... }`"),
        ("/// about\nmass {}", "/// about", "a block has no doc comment; write `//` for a remark"),
        ("mass {} /// about\n", "/// about", "the end of a model has no doc comment; write `//` for a remark"),
    ]);
}

#[test]
fn separators() {
    check(&[
        ("mass { x1: a x3: b }", "x3", "expected `,` before `x3`; entries are separated by commas"),
        ("coordinates { x1: m x3: m }", "x3", "expected `,` before `x3`; entries are separated by commas"),
        ("initial { x = 1 dot(x) = 2 }", "dot", "expected `,` before `dot`; entries are separated by commas"),
        (
            "mass { x: a for i in 1..=2 { y[i]: a } }",
            "for",
            "expected `,` before `for`; entries are separated by commas",
        ),
        (
            "inputs { u: N /// about\n v: N }",
            "/// about",
            "expected `,` before this doc comment; entries are separated by commas",
        ),
        ("mass { x: a,, y: b }", ",", "expected a mass before `,`; leave it out"),
        ("mass { , }", ",", "expected a mass before `,`; leave it out"),
        ("mass { x: 2 a, y: b }", "a", "expected `,` or an operator before `a`; write `*` for a product"),
        ("mass { x: a: b }", ":", "expected `,` or an operator before `:`"),
        ("joints { pin: revolute(a, b, axis: c) }", ":", "expected `=` before `:`; write `axis = ...`"),
    ]);
}

#[test]
fn entries() {
    check(&[
        ("parameters { m: kg == 5 }", "==", "`==` compares; write a single `=` before a value"),
        ("initial { x == 5 }", "==", "`==` compares; write a single `=` before a value"),
        ("parameters { 5: kg }", "5", "expected a parameter, found `5`"),
        ("parameters { gen: kg }", "gen", "`gen` is a word of the Rust language; choose another name"),
        ("parameters { r#type: kg }", "r#type", "`r#type` is a word of the Rust language; choose another name"),
        ("inputs { _: N }", "_", "expected a name, found `_`; everything in a model has a name"),
        (
            "inputs { u }",
            "}",
            "expected `:` before `}`; a name has a unit, e.g. `x: m`, or `1` where it is a plain number",
        ),
        ("mass { x = 2 }", "=", "expected `:` before `=`; write `x: mass` or `(x, y): mass`"),
        ("mass { (x): a }", ")", "expected `,` before `)`; a pair is written `(x, y): mass`"),
        ("mass { (x, y, z): a }", "z", "expected `)` before `z`; a pair is written `(x, y): mass`"),
        ("forces { x::y }", ":", "expected `:` before `:`; write `x: force`"),
        ("forces { x: }", "}", "expected an expression before `}`"),
        (
            "constraints { x1 - x2 }",
            "-",
            "expected `:` before `-`; a constraint has a name and is zero, e.g. `joint: x1 - x2`",
        ),
        ("initial { dot(x + y) = 2 }", "+", "expected `)` before `+`; a velocity is written `dot(x)`"),
    ]);
}

#[test]
fn doc_comments() {
    check(&[
        ("mass { /// about\n x: a }", "/// about", "a mass has no doc comment; write `//` for a remark"),
        ("initial { /// a\n x = 1 }", "/// a", "an initial value has no doc comment; write `//` for a remark"),
        ("outputs { /// a\n let b = 1; }", "/// a", "a `let` has no doc comment; write `//` for a remark"),
        ("/// a\n let b = 1;", "/// a", "a `let` has no doc comment; write `//` for a remark"),
        ("inputs { /// a\n for i in 1..2 {} }", "/// a", "a `for` has no doc comment; write `//` for a remark"),
        ("inputs { u: N, /// a\n }", "/// a", "the end of a block has no doc comment; write `//` for a remark"),
    ]);
}

#[test]
fn let_and_for() {
    check(&[
        ("let a = b mass { x: a }", "mass", "expected `;` before `mass`; a `let` ends with it"),
        ("forces { let a = b x: a }", "x", "expected `;` before `x`; a `let` ends with it"),
        ("forces { let a = b, x: a }", ",", "a `let` ends with `;`; write `;` instead of `,`"),
        ("forces { let a = b }", "}", "expected `;` before `}`; a `let` ends with it"),
        ("let a = b c; mass {}", "c", "expected `;` or an operator before `c`; write `*` for a product"),
        ("let a: m = b;", ":", "a `let` has the unit of its value; write `let a = value;`"),
        ("let a[1] = b;", "1", "the index of a `let` runs through a range; write e.g. `let a[i in 1..=3] = value;`"),
        ("let a[i in 1..=3 2] = b;", "2", "expected `]` before `2`; a name has one index only"),
        ("let a b;", "b", "expected `=` before `b`; write `let a = value;`"),
        ("let mut a = b;", "mut", "`mut` is a word of the Rust language; choose another name"),
        ("let a = ; mass {}", ";", "expected an expression, found `;`"),
        ("mass { for in 1..=2 { x[i]: a } }", "in", "`in` is a word of the Rust language; choose another name"),
        ("mass { for i of 1..=2 { x: a } }", "of", "expected `in` before `of`; write `for i in 1..=3 { ... }`"),
        ("mass { for i in ..=2 { x: a } }", ".", "the range has no start; write e.g. `1..=3`"),
        ("mass { for i in 3 { x: a } }", "{", "expected a range, found `{`; write e.g. `1..=3`"),
        (
            "mass { for i in 1...3 { x: a } }",
            "...",
            "`...` is not a range; write `..=` to include the last number, `..` to exclude it",
        ),
        ("mass { for i in 1..=2, x: a }", ",", "expected `{` before `,`; write `for i in 1..=3 { ... }`"),
        ("inputs { u[]: N }", "]", "expected an index before `]`; write e.g. `x[1]`"),
    ]);
}

#[test]
fn all_errors_at_once() {
    let source = "Rod {
        parameters { a: kgg = 1, b: kg = 2 +, c: kg = 3, d kg, e: kg }
        forcse { x: a }
        let f = a ** b;
        mass { for i of 1..=2 { x: 1u8, y: a } z: 0x2 }
        forces { let g = ; x: a % b, y: h.sin() }
    }";
    let (model, found) = read(source);
    let marks: Vec<&str> = found.iter().map(|error| marked(source, error.place)).collect();
    assert_eq!(marks, ["kgg", ",", "kg", "forcse", "**", "of", "1u8", "0x2", ";", "%", ".sin"]);
    // What could be read is there.
    let items = model.unwrap().items;
    assert_eq!(items.len(), 4);
    let super::super::ast::ModelItem::Parameters(parameters) = &items[0] else { panic!() };
    assert_eq!(parameters.entries.len(), 5);
}

#[test]
fn visibilities_are_those_of_rust() {
    let rest = "Rod { mass { x: 1 } }";
    for right in ["", "pub", "pub(crate)", "pub(self)", "pub(super)", "pub(in crate::a::b)", "pub(in super::super::a)"]
    {
        assert_eq!(errors(&format!("{right} {rest}")), [], "{right}");
        assert_eq!(errors(&format!("Rod {{}} {right} A = Rod();")), [], "{right}");
    }
    for wrong in
        ["(5)", "()", "(in)", "(crate::a)", "(in a)", "(in crate::)", "(crate, self)", "(in crate a)", "(module)"]
    {
        let message = "this is no visibility; write `pub`, `pub(crate)`, `pub(super)` or `pub(in crate::module)`";
        let expected = [(wrong.to_owned(), message.to_owned())];
        assert_eq!(errors(&format!("pub{wrong} {rest}")), expected);
        assert_eq!(errors(&format!("Rod {{}} pub{wrong} A = Rod();")), expected);
    }
}
