//! Tests of names of the prelude, of Rust's types and of emitted code, in every role.

use std::fmt::Write;

use costate_compiler::compile_str;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Names that are in scope everywhere, or are used by emitted code.
const NAMES: &str = "
    Some None Ok Err Option Result Vec String Box Default Clone Copy Debug PartialEq Eq Ord Iterator Into From
    ToString Drop Fn Send Sync Sized drop vec println panic assert matches derive test bool char str u8 u16 u32
    u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 f128 core std alloc costate Model Scalar Point Tables
    Weights Quantity Parameter Coordinate Table Description Constants Factors S k at out e1 k1 n1 w_a i e
    constants sines factors history INDICES_1 COMPILED Lanes PhantomData Arc
";

/// One model for every role, with `NAME` in place of the name.
const ROLES: [(&str, &str); 14] = [
    (
        "parameter",
        "R { parameters { NAME: 1/s^2 = 2 } coordinates { x: 1 } mass { x: 1 } forces { x: -NAME*x + NAME^3*1[s^4] } }",
    ),
    ("coordinate", "R { coordinates { NAME: 1 } mass { NAME: 1 } forces { NAME: -sin(NAME)*1[1/s^2] } }"),
    (
        "coordinates in loops",
        "R { coordinates { NAME[1..=90]: 1 } mass { for j in 1..=90 { NAME[j]: 1 } }
        forces { for j in 2..=90 { NAME[j]: -sin(NAME[j] - NAME[j - 1])*1[1/s^2] } } }",
    ),
    ("input", "R { inputs { NAME: 1/s^2 } coordinates { x: 1 } mass { x: 1 } forces { x: NAME } }"),
    ("output", "R { coordinates { x: 1 } mass { x: 1 } outputs { NAME: 1 = x } }"),
    (
        "constraint",
        "R { coordinates { x: 1, y: 1 } mass { x: 1, y: 2 } constraints { NAME: x - y^2 }
        outputs { load: 1/s^2 = multiplier(NAME) } }",
    ),
    ("table", "R { tables { NAME(x: 1): 1/s^2 } coordinates { x: 1 } mass { x: 1 } forces { x: -NAME(x) } }"),
    (
        "let",
        "R { parameters { c: 1/s^2 = 1 } coordinates { x: 1 } mass { x: 1 } let NAME = c^3*1[s^4]; forces { x: \
             -NAME*x } }",
    ),
    ("component", "R { component NAME { coordinates { y: 1 } mass { y: 1 } } components { part: NAME {} } }"),
    (
        "part",
        "R { component C { coordinates { y: 1 } mass { y: 1 } forces { y: -y*1[1/s^2] } } components { NAME: C {} } }",
    ),
    ("body", "R { bodies { NAME: planar { mass: 1[kg], inertia: 1[kg*m^2] } } }"),
    ("size", "R(NAME: usize = 3) { coordinates { x[1..=NAME]: 1 } mass { for j in 1..=NAME { x[j]: 1 } } }"),
    ("model", "NAME { parameters { c: 1/s^2 = 1 } coordinates { x: 1 } mass { x: 1 } forces { x: -c*x } }"),
    ("variant", "R(n: usize = 1) { coordinates { x[1..=n]: 1 } mass { for j in 1..=n { x[j]: 1 } } } NAME = R(n = 2);"),
];

/// Words with which a path in emitted code may begin.
const STARTS: [&str; 2] = ["S", "Self"];

/// Finds words in the code that may have another meaning in the user's module: relative paths, unless they begin with
/// names that their block imports, and patterns that may be constants.
fn unsafe_words(tokens: TokenStream, brought: &[String], found: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let brought = [brought, &brought_names(&trees)].concat();
    let colons = |at: usize| {
        let colon = |at| match trees.get(at) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => Some(punct.spacing()),
            _ => None,
        };
        colon(at) == Some(Spacing::Joint) && colon(at + 1).is_some()
    };
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(word) if word == "let" => {
                let behind = trees[at + 1..].iter();
                let pattern = behind.take_while(|tree| !["=", ":"].contains(&tree.to_string().as_str()));
                pattern_words(pattern.cloned().collect(), found);
            }
            // not `impl ::costate::Model`
            TokenTree::Ident(word)
                if colons(at + 1)
                    && !(at >= 2 && colons(at - 2))
                    && syn::parse_str::<syn::Ident>(&word.to_string()).is_ok() =>
            {
                let is_safe = STARTS.iter().any(|start| word == start) || brought.iter().any(|name| word == name);
                found.extend((!is_safe).then(|| format!("{word}::")));
            }
            // attributes have names of their own
            TokenTree::Group(_) if at > 0 && trees[at - 1].to_string() == "#" => {}
            TokenTree::Group(group) => unsafe_words(group.stream(), &brought, found),
            _ => {}
        }
    }
}

/// Lists the names that `use` imports, at the ends of paths or in lists there.
fn brought_names(trees: &[TokenTree]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in trees.iter().enumerate().filter(|(_, tree)| tree.to_string() == "use") {
        match trees[at + 1..].iter().take_while(|tree| tree.to_string() != ";").last() {
            Some(TokenTree::Group(list)) => {
                names.extend(list.stream().into_iter().map(|name| name.to_string()));
            }
            last => names.extend(last.map(ToString::to_string)),
        }
    }
    names
}

fn pattern_words(pattern: TokenStream, found: &mut Vec<String>) {
    for tree in pattern {
        match tree {
            TokenTree::Ident(word) if word != "mut" => {
                let text = word.to_string();
                let may_be_constant = text.starts_with(char::is_uppercase) || !text.contains(char::is_lowercase);
                if may_be_constant && !text.ends_with('_') {
                    found.push(text);
                }
            }
            TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => pattern_words(group.stream(), found),
            _ => {}
        }
    }
}

#[test]
fn every_name_in_every_role() {
    let mut wrong = String::new();
    for (role, model) in ROLES {
        // only names that matter in loops, because these models are long
        let few =
            |name: &&str| role != "coordinates in loops" || name.starts_with(char::is_uppercase) || name.len() < 3;
        for name in NAMES.split_whitespace().filter(few) {
            let text = model.replace("NAME", name);
            match compile_str(&text) {
                Ok(compiled) => {
                    let mut found = Vec::new();
                    unsafe_words(compiled.code(), &[], &mut found);
                    if let Err(error) = compiled.source() {
                        let _ = writeln!(wrong, "{name} as {role}: {error}");
                    }
                    if !found.is_empty() {
                        let _ = writeln!(wrong, "{name} as {role}: {found:?}");
                    }
                }
                // the name is refused at its place, with a reason
                Err(errors) => {
                    let named = errors.iter().all(|error| {
                        error.message.starts_with(&format!("`{name}` is ")) && text[error.range()] == *name
                    });
                    let is_type = matches!(role, "model" | "variant");
                    if !named || !(is_type || ["i", "e"].contains(&name)) {
                        let _ = writeln!(wrong, "{name} as {role}: {errors:?}");
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn types_and_crates_are_no_models() {
    for (name, meaning) in [
        ("f64", "a type of the Rust language"),
        ("usize", "a type of the Rust language"),
        ("costate", "the name of a crate that the module of a model uses"),
        ("std", "the name of a crate that the module of a model uses"),
    ] {
        let message = format!("`{name}` is {meaning}; choose another name for the model");
        let errors = compile_str(&format!("{name} {{ coordinates {{ x: m }} mass {{ x: 1[kg] }} }}")).err();
        assert_eq!(errors.unwrap()[0].message, message);
        let errors = compile_str(&format!("R {{ coordinates {{ x: m }} mass {{ x: 1[kg] }} }} {name} = R();")).err();
        assert_eq!(errors.unwrap()[0].message, message);
    }
    let text = "R { coordinates { x: m } mass { x: 1[kg] } } RConstants = R();";
    let errors = compile_str(text).err().unwrap();
    assert!(errors[0].message.starts_with("the constants of a run of one model have the name"), "{errors:?}");
}
