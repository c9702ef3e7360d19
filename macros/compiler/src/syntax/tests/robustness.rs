//! No changed model makes the parser panic, run forever or fail silently. Mutated texts and models that make no sense
//! go through the whole compiler in `tests/compiler`.

use std::sync::mpsc;
use std::time::Duration;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::*;

/// All streams with one token changed by `change`, at any depth.
fn variants(stream: &TokenStream, change: &dyn Fn(&mut Vec<TokenTree>, usize)) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut all = Vec::new();
    for (i, tree) in trees.iter().enumerate() {
        let mut changed = trees.clone();
        change(&mut changed, i);
        all.push(changed.into_iter().collect());
        if let TokenTree::Group(group) = tree {
            for inner in variants(&group.stream(), change) {
                let mut changed = trees.clone();
                changed[i] = Group::new(group.delimiter(), inner).into();
                all.push(changed.into_iter().collect());
            }
        }
    }
    all
}

fn accepts(tokens: TokenStream) -> bool {
    let mut diagnostics = Diagnostics::default();
    let model = parse(tokens, &mut diagnostics);
    assert!(model.is_some() || !diagnostics.is_empty(), "no model and no error");
    diagnostics.is_empty()
}

#[test]
fn examples_with_one_token_changed() {
    type Change = Box<dyn Fn(&mut Vec<TokenTree>, usize)>;
    let brace = |trees: &mut Vec<TokenTree>, i: usize| {
        trees[i] = Group::new(Delimiter::Brace, TokenStream::from(trees[i].clone())).into();
    };
    let changes: [Change; 4] = [
        Box::new(|trees, i| drop(trees.remove(i))),
        Box::new(|trees, i| {
            let next = (i + 1).min(trees.len() - 1);
            trees.swap(i, next);
        }),
        Box::new(|trees, i| trees.insert(i, trees[i].clone())),
        Box::new(brace),
    ];
    for source in [ENGINE_MOUNT, CART_PENDULUM, CHAIN, CRANK_TRAIN] {
        let stream: TokenStream = source.parse().unwrap();
        for change in &changes {
            let all = variants(&stream, change);
            assert!(all.len() > 200, "{}", all.len());
            let accepted = all.into_iter().filter(|tokens| accepts(tokens.clone())).count();
            // A few changes leave a model: without a default value, with other operands swapped ...
            assert!(accepted < 200, "{accepted}");
        }
    }
}

/// The words of Rust, which name nothing in a model.
const KEYWORDS: [&str; 52] = [
    "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for", "if", "impl", "in",
    "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super",
    "trait", "true", "type", "unsafe", "use", "where", "while", "async", "await", "dyn", "abstract", "become", "box",
    "do", "final", "gen", "macro", "override", "priv", "try", "typeof", "unsized", "virtual", "yield",
];

/// Every part of the language once, with variants after the model.
const WITH_VARIANTS: &str = include_str!("../../../tests/fixtures/strut.model");

/// Fails where `work` does not end: a parser that stands still would else hang the tests.
fn in_time(work: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        work();
        let _ = done.send(());
    });
    match wait.recv_timeout(Duration::from_secs(900)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the parser does not come to an end"),
        _ => assert!(worker.join().is_ok(), "a model is wrong, as is said above"),
    }
}

/// Every kind of part once.
const SMALL: &str = "pub R(n: usize = 2, on: bool = true) {
    parameters { c: N/m = 1, if on { d: m } else { e: m } }
    inputs { u: N }
    tables { f(clamped x: m): N = \"f.csv\" }
    component C { connections { a: m } forces { a: -a } }
    coordinates { x[1..=n]: m }
    components { p: C { a = x[1] } }
    bodies { rod: planar { mass: m } }
    joints { pin: revolute(ground, rod.at(l, 0), axis = v) }
    mass { for i in 1..=n { x[i]: 1[kg] }, (x, y): 2 }
    let s = if u > 0 { f(x) } else { sin(t) };
    forces { let g = -s; rod.x: g }
    kinetic { T: m*dot(x)^2 }
    initial { dot(x) = 1, y ~ 2 }
    outputs { o: m = multiplier(pin) }
}
pub(crate) A = R(n = 3);
B = R(on = false);";

#[test]
fn every_keyword_in_the_place_of_every_word() {
    in_time(|| {
        let stream: TokenStream = SMALL.parse().unwrap();
        assert!(accepts(stream.clone()));
        for keyword in KEYWORDS {
            let change = |trees: &mut Vec<TokenTree>, i: usize| {
                if matches!(trees[i], TokenTree::Ident(_)) {
                    trees[i] = Ident::new(keyword, Span::call_site()).into();
                }
            };
            for tokens in variants(&stream, &change) {
                accepts(tokens);
            }
        }
    });
}

#[test]
fn models_that_end_too_early_or_begin_too_late() {
    in_time(|| {
        for source in [WITH_VARIANTS, ENGINE_MOUNT, CART_PENDULUM, CHAIN, CRANK_TRAIN] {
            for (position, _) in source.char_indices() {
                let (head, tail) = source.split_at(position);
                for text in [head, tail] {
                    if let Ok(tokens) = text.parse() {
                        accepts(tokens);
                    }
                }
            }
            let stream: TokenStream = source.parse().unwrap();
            let change = |trees: &mut Vec<TokenTree>, i: usize| trees.truncate(i);
            for tokens in variants(&stream, &change) {
                accepts(tokens);
            }
        }
    });
}

#[test]
fn variants_that_are_named_by_keywords() {
    in_time(|| {
        for keyword in KEYWORDS.into_iter().filter(|&keyword| keyword != "pub") {
            let source = format!("R {{ coordinates {{ x: m }} mass {{ x: 1[kg] }} }} pub {keyword} = R(); A = R();");
            let message = format!("`{keyword}` is a word of the Rust language; choose another name");
            assert_eq!(errors(&source), [(keyword.to_owned(), message)]);
        }
    });
}
