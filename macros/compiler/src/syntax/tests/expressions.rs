//! Precedence and places of expressions.

use super::*;

#[test]
fn precedence() {
    for (source, meaning) in [
        ("a + b * c", "(a + (b * c))"),
        ("a * b + c", "((a * b) + c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b / c", "((a / b) / c)"),
        ("a / b * c", "((a / b) * c)"),
        ("-x^2", "(-(x ^ 2))"),
        ("2^-3", "(2 ^ (-3))"),
        ("2^-x^2", "(2 ^ (-(x ^ 2)))"),
        ("2^3^2", "(2 ^ (3 ^ 2))"),
        ("(2^3)^2", "((2 ^ 3) ^ 2)"),
        ("-a*b", "((-a) * b)"),
        ("a*-b", "(a * (-b))"),
        ("a - -b", "(a - (-b))"),
        ("a--b", "(a - (-b))"),
        ("a*x^2/b", "((a * (x ^ 2)) / b)"),
        ("x<-1", "(x < (-1))"),
        ("a < b && b < c", "((a < b) && (b < c))"),
        ("a || b && c", "(a || (b && c))"),
        ("a && b || c", "((a && b) || c)"),
        ("a + 1 <= b * 2", "((a + 1) <= (b * 2))"),
        ("!a && b", "((!a) && b)"),
        ("!a != b", "((!a) != b)"),
        ("a==-b", "(a == (-b))"),
        ("(a < b) == (c < d)", "((a < b) == (c < d))"),
        ("a < b && c >= d || e != f", "(((a < b) && (c >= d)) || (e != f))"),
        ("-(a + b)", "(-(a + b))"),
    ] {
        assert_eq!(print(&expression(source).unwrap()), meaning, "{source}");
    }
}

#[test]
fn operands() {
    for (source, meaning) in [
        ("x[i+1]", "x[(i + 1)]"),
        ("x[1]^2", "(x[1] ^ 2)"),
        ("rod[i-1].pin[2].x^2 - cart.x", "((rod[(i - 1)].pin[2].x ^ 2) - cart.x)"),
        ("dot(phi[i+1]) - dot(phi[i])", "(dot(phi[(i + 1)]) - dot(phi[i]))"),
        ("atan2(y, x,)", "atan2(y, x)"),
        ("(a, b + c)", "(a, (b + c))"),
        ("-d*rod[i].at(0, l/2).rotated(a).velocity.x", "((-d) * rod[i].at(0, (l / 2)).rotated(a).velocity.x)"),
        ("now()", "now()"),
        ("pow(x, 2)", "pow(x, 2)"),
        ("0.5[mm]", "0.5[mm]"),
        ("2*0.5[N*s/m]^2", "(2 * (0.5[N*s/m] ^ 2))"),
        ("1_000.5e-3", "1.0005"),
        ("if a < b { c } else { d }", "(if (a < b) { c } else { d })"),
        ("1 + if a { b } else if c { d } else { e } * 2", "(1 + ((if a { b } else (if c { d } else { e })) * 2))"),
        ("if x[1] == 1[m] { c } else { d } ^ 2", "((if (x[1] == 1[m]) { c } else { d }) ^ 2)"),
    ] {
        let meaning = meaning.replace("else (if c { d } else { e }))", "else { (if c { d } else { e }) })");
        assert_eq!(print(&expression(source).unwrap()), meaning, "{source}");
    }
}

#[test]
fn integers_are_remembered() {
    let integer = |source| match expression(source).unwrap().kind {
        ExprKind::Number { integer, .. } => integer,
        other => panic!("{other:?}"),
    };
    assert_eq!(integer("12"), Some(12));
    assert_eq!(integer("12[mm]"), Some(12));
    assert_eq!(integer("12.0"), None);
    assert_eq!(integer("1e3"), None);
}

#[test]
fn places_cover_the_expression() {
    for source in [
        "a + b*c",
        "-x^2",
        "(a + b)",
        "f(a, b)",
        "x[i + 1]",
        "0.5[mm]",
        "if a { b } else { c }",
        "2^x[1]",
        "!a",
        "if a { b } else if c { d } else { e }",
    ] {
        assert_eq!(marked(source, expression(source).unwrap().place), source);
    }
}

#[test]
fn an_inserted_fragment_stands_in_parentheses() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    let fragment = Group::new(Delimiter::None, "a + b".parse().unwrap());
    let mut tokens: TokenStream = "2 *".parse().unwrap();
    tokens.extend([TokenTree::Group(fragment)]);
    let expr = super::super::expression::expression(&mut Tokens::new(tokens)).unwrap();
    assert_eq!(print(&expr), "(2 * (a + b))");
}

#[test]
fn nesting_has_a_bound() {
    let nested = |depth| format!("{}x{}", "(".repeat(depth), ")".repeat(depth));
    assert!(expression(&nested(200)).is_ok());
    let negated = format!("{}x", "-".repeat(100_000));
    let powers = format!("{}x", "2^".repeat(100_000));
    let chosen = format!("{}{{a}}", "if a {b} else ".repeat(100_000));
    for source in [nested(10_000), negated, powers, chosen] {
        assert!(expression(&source).unwrap_err().message.starts_with("nested deeper than 256 levels"));
    }
}

#[test]
fn height_has_a_bound() {
    let sum = |terms| vec!["x"; terms].join(" + ");
    assert!(expression(&sum(900)).is_ok());
    for source in [sum(100_000), format!("f(({})*2 + {})", sum(600), sum(600))] {
        assert!(expression(&source).unwrap_err().message.starts_with("more than 1000 operations"));
    }
}

#[test]
fn errors_in_expressions() {
    for (source, at, message) in [
        ("a % b", "%", "`%` is not an operator; a percentage is written `5[percent]`"),
        (
            "(cart).velocity",
            ".velocity",
            "`.velocity` is not known; only components, bodies, joints and elements have members",
        ),
        ("x.", ".", "stray `.`; a number is written `0.5`"),
        (".5", ".", "expected an expression, found `.`; a number is written `0.5`"),
        ("a = b", "=", "`=` does not compare; write `==` for \"equal\", or `,` before the next entry"),
        ("a =< b", "=<", "`=<` is not an operator; write `<=`"),
        ("a => b", "=>", "`=>` is not an operator; write `>=`"),
        ("a <> b", "<>", "`<>` is not an operator; write `!=`"),
        ("a & b", "&", "`&` is not an operator; write `&&` for \"and\""),
        ("a | b", "|", "`|` is not an operator; write `||` for \"or\""),
        ("a ? b : c", "?", "`?` is not an operator; write `if condition { a } else { b }`"),
        ("f64::sin(x)", "::", "a model has no paths; write the name alone"),
        ("+x", "+", "a leading `+` says nothing; leave it out"),
        ("a * * b", "*", "expected an expression, found `*`"),
        ("(a b)", "b", "expected `)` or an operator before `b`; write `*` for a product"),
        ("(2(a))", "(a)", "expected `)` or an operator before `(`; write `*` for a product"),
        ("f(a b)", "b", "expected `,` or an operator before `b`; write `*` for a product"),
        ("a*()", ")", "expected an expression before `)`"),
        ("a +", "+", "expected an expression before the end of the model"),
        ("[a b]", "b", "expected `,` or an operator before `b`; write `*` for a product"),
        ("dot(x)[1]", "[1]", "only a name has an index; write e.g. `dot(x[1])`"),
        ("x[]", "]", "expected an index before `]`; write e.g. `x[1]`"),
        ("x[i j]", "j", "expected `]` or an operator before `j`"),
        ("1f64", "1f64", "a number in a model has no Rust type; write `1` instead of `1f64`"),
        ("0.5mm", "0.5mm", "a unit stands in brackets; write `0.5[mm]` instead of `0.5mm`"),
        ("0x1F", "0x1F", "`0x1F` is not a decimal number; write it in decimal `31`"),
        ("\"a\"", "\"a\"", "expected a number, found a string; write it without quotes"),
        ("'a'", "'a'", "expected a number, found a character; write it without quotes"),
        ("5[]", "]", "expected a unit before `]`; write `1` if there is none"),
        ("5[m = 2]", "=", "expected `]` after the unit, found `=`"),
        ("if a else b", "else", "expected `{` before `else`; write `if condition { a } else { b }`"),
        ("if a { b; } else { c }", ";", "a branch ends with its value; leave the `;` out"),
        (
            "if a { let b = 1; b } else { c }",
            "let",
            "a branch holds a single expression; put the `let` before the entry",
        ),
        ("if a { b } else { }", "}", "expected an expression before `}`"),
        ("match x { }", "match", "`match` is not known; write `if condition { a } else { b }`"),
        ("a + for", "for", "expected an expression, found `for`"),
    ] {
        let error = expression(source).expect_err(source);
        assert_eq!((marked(source, error.place), error.message.as_str()), (at, message), "{source}");
    }
}
