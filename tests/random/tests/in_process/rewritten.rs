//! Models that are rewritten without changing their meaning.

use std::collections::HashMap;

use costate_compiler::{Compiled, mechanics};
use costate_random_models::flat::Flat;
use costate_random_models::generate;
use costate_random_models::points::point;
use costate_random_models::text::Text;
use costate_random_models::tree::{Block, Model};
use proc_macro2::{TokenStream, TokenTree};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::compared::values;
use super::each_seed;
use super::equations::compiled;

/// Largest relative difference where the order of sums differs.
const TOLERANCE: f64 = 1e-12;

/// Evaluates all values of every emitted function at a point, by blocks.
fn all_values(compiled: &Compiled, flat: &Flat, seed: u64) -> Vec<Vec<f64>> {
    let at = point(flat, seed);
    blocks(compiled).map(|block| values(compiled, flat, &at, block)).collect()
}

/// Iterates over all blocks except those of lookups in tables, which have no order of their own.
fn blocks(compiled: &Compiled) -> impl Iterator<Item = &mechanics::Block> {
    let groups = compiled.groups.all.iter().filter(|group| !group.kind.fills_slice());
    groups.flat_map(|group| &group.blocks)
}

/// Evaluates the matrices of every emitted function at a point, with their zeros.
fn matrices(compiled: &Compiled, flat: &Flat, seed: u64) -> Vec<Vec<f64>> {
    let at = point(flat, seed);
    let dense = |block: &mechanics::Block| {
        let mut dense = vec![0.0; block.rows * block.columns];
        for ((row, column), value) in block.entries.iter().zip(values(compiled, flat, &at, block)) {
            dense[row + block.rows * column] = value;
        }
        dense
    };
    blocks(compiled).map(dense).collect()
}

fn same_bits(left: &[Vec<f64>], right: &[Vec<f64>]) -> Result<(), String> {
    let bits = |values: &[Vec<f64>]| -> Vec<Vec<u64>> {
        values.iter().map(|block| block.iter().map(|value| value.to_bits()).collect()).collect()
    };
    match bits(left) == bits(right) {
        true => Ok(()),
        false => Err(format!("{left:?}\n{right:?}\n")),
    }
}

fn close(left: &[Vec<f64>], right: &[Vec<f64>]) -> Result<(), String> {
    if left.len() != right.len() {
        return Err(format!("{} blocks and {}\n", left.len(), right.len()));
    }
    for (left, right) in left.iter().zip(right) {
        let largest = left.iter().fold(1e-30, |largest: f64, value| largest.max(value.abs()));
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * largest || !a.is_finite();
        if left.len() != right.len() || !left.iter().zip(right).all(near) {
            return Err(format!("{left:?}\n{right:?}\n"));
        }
    }
    Ok(())
}

/// A one-to-one map between the names of two pieces of code.
#[derive(Default)]
struct Renaming([HashMap<String, String>; 2]);

impl Renaming {
    /// Returns the first places where two pieces of code differ in more than names and texts.
    fn difference(&mut self, left: TokenStream, right: TokenStream) -> Option<(String, String)> {
        let (left, right): (Vec<_>, Vec<_>) = (left.into_iter().collect(), right.into_iter().collect());
        if left.len() != right.len() {
            let text = |tokens: Vec<TokenTree>| tokens.into_iter().collect::<TokenStream>().to_string();
            return Some((text(left), text(right)));
        }
        left.into_iter().zip(right).find_map(|(left, right)| {
            let texts = (left.to_string(), right.to_string());
            let same = match (left, right) {
                (TokenTree::Group(a), TokenTree::Group(b)) if a.delimiter() == b.delimiter() => {
                    return self.difference(a.stream(), b.stream());
                }
                (TokenTree::Punct(a), TokenTree::Punct(b)) => a.as_char() == b.as_char(),
                (TokenTree::Literal(_), TokenTree::Literal(_)) => {
                    texts.0 == texts.1 || texts.0.starts_with('"') && texts.1.starts_with('"')
                }
                (TokenTree::Ident(_), TokenTree::Ident(_)) => self.rename(&texts.0, &texts.1),
                _ => false,
            };
            (!same).then_some(texts)
        })
    }

    /// Maps a name to another one, and constants in capital letters likewise; returns whether that is consistent.
    fn rename(&mut self, left: &str, right: &str) -> bool {
        let ([there, back], left, right) = (&mut self.0, &left.to_lowercase(), &right.to_lowercase());
        there.entry(left.clone()).or_insert_with(|| right.clone()) == right
            && back.entry(right.clone()).or_insert_with(|| left.clone()) == left
    }
}

/// Checks whether the generator has chosen a name; the language's own names, such as `rod.angle`, do not end with
/// a number, except for Euler parameters.
fn is_chosen(name: &str) -> bool {
    name.ends_with(|last: char| last.is_ascii_digit()) && !["e0", "e1", "e2", "e3"].contains(&name)
}

#[test]
fn renamed() {
    each_seed(40, |seed| rename(&generate::model(seed), seed));
    each_seed(6, |seed| rename(&generate::spatial_model(seed), seed));
}

fn rename(model: &Model, seed: u64) -> Result<(), String> {
    let (text, flat) = (model.text(), model.written_out(&[]));
    // names of the generator may coincide with those of emitted code, these cannot
    let [one, other] = ["one", "other"].map(|word| {
        Text { name: &|name| if is_chosen(name) { format!("{word}_{name}") } else { name.to_owned() } }.model(model)
    });
    let (own, left, right) = (compiled(&text)?, compiled(&one)?, compiled(&other)?);
    same_bits(&all_values(&own, &flat, seed), &all_values(&left, &flat, seed))
        .map_err(|why| format!("other values {why}{text}"))?;
    match Renaming::default().difference(left.code(), right.code()) {
        None => Ok(()),
        Some((left, right)) => Err(format!("other code:\n{left}\n{right}\n{text}")),
    }
}

/// Compares models with components, loops, features, `let`s and named energies with the written-out ones, with
/// sums in the same order.
#[test]
fn written_out() {
    each_seed(60, |seed| {
        let model = generate::model(seed);
        let (text, flat) = (model.text(), model.written_out(&[]));
        if model.blocks.iter().any(|block| matches!(block, Block::Planar(_))) {
            // written-out equations cannot express the work on bodies
            return Ok(());
        }
        let other = flat.text(&model.name);
        let (left, right) = (compiled(&text)?, compiled(&other).map_err(|why| format!("{why}\n{other}"))?);
        same_bits(&all_values(&left, &flat, seed), &all_values(&right, &flat, seed))
            .map_err(|why| format!("other values {why}{text}\n{other}"))
    });
}

/// Compares spatial bodies with coordinates, kinetic energies, forces on Euler parameters and constraints.
#[test]
fn spatial_bodies_written_out() {
    each_seed(12, |seed| {
        let model = generate::spatial_model(seed);
        let (text, flat) = (model.text(), model.written_out(&[]));
        let other = flat.text(&model.name);
        let (left, right) = (compiled(&text)?, compiled(&other).map_err(|why| format!("{why}\n{other}"))?);
        // energies may have entries that vanish for bodies
        close(&matrices(&left, &flat, seed), &matrices(&right, &flat, seed))
            .map_err(|why| format!("other values {why}{text}\n{other}"))
    });
}

/// Shuffles the blocks of the equations; returns whether the order of sums has changed too.
fn reordered(model: &Model, seed: u64) -> (Model, bool) {
    let sums = |block: &Block| {
        matches!(
            block,
            Block::Mass(_) | Block::Forces(_) | Block::Kinetic(_) | Block::Potential(_) | Block::Dissipation(_)
        )
    };
    let free =
        |block: &Block| sums(block) || matches!(block, Block::Constraints(_) | Block::Outputs(_) | Block::Initial(_));
    let mut model = model.clone();
    // `let`s and used items stay above
    let last = model.blocks.iter().rposition(|block| !free(block) && !is_declaration(block)).map_or(0, |i| i + 1);
    let places: Vec<usize> = (last..model.blocks.len()).filter(|i| free(&model.blocks[*i])).collect();
    let mut from = places.clone();
    from.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let blocks: Vec<Block> = from.iter().map(|i| model.blocks[*i].clone()).collect();
    let order: Vec<&usize> = from.iter().filter(|i| sums(&model.blocks[**i])).collect();
    let same = order.is_sorted();
    for (place, block) in places.into_iter().zip(blocks) {
        model.blocks[place] = block;
    }
    (model, !same)
}

fn is_declaration(block: &Block) -> bool {
    matches!(block, Block::Parameters(_) | Block::Inputs(_) | Block::Coordinates(_))
}

#[test]
fn blocks_in_another_order() {
    let mut exact = 0;
    each_seed(60, |seed| {
        let model = generate::model(seed);
        let (other, sums_differ) = reordered(&model, seed);
        let (text, flat) = (other.text(), model.written_out(&[]));
        let (left, right) = (compiled(&model.text())?, compiled(&text)?);
        let (left, right) = (all_values(&left, &flat, seed), all_values(&right, &flat, seed));
        exact += u64::from(!sums_differ);
        let result = if sums_differ { close(&left, &right) } else { same_bits(&left, &right) };
        result.map_err(|why| format!("other values {why}{}\n{text}", model.text()))
    });
    assert!(exact > 0);
}

/// Compares models with sizes and features given from outside with the written-out ones.
#[test]
fn other_arguments() {
    use costate_compiler::{Arguments, compile_str_with};
    use costate_random_models::compare::Count;
    use costate_random_models::tree::ArgumentValue;

    let mut count = Count::default();
    each_seed(30, |seed| {
        let model = generate::model(seed);
        let (mut given, mut arguments) = (Vec::new(), Arguments::new());
        for argument in &model.arguments {
            let name = argument.name.as_str();
            let (value, with) = match argument.value {
                ArgumentValue::Size(size) => (ArgumentValue::Size(size + 1), arguments.with(name, size as i64 + 1)),
                ArgumentValue::Feature(on) => (ArgumentValue::Feature(!on), arguments.with(name, !on)),
            };
            given.push((name, value));
            arguments = with;
        }
        let (text, flat) = (model.text(), model.written_out(&given));
        let compiled = compile_str_with(&text, &arguments).map_err(|errors| format!("{errors:?}\n{text}"))?;
        super::compared::compare(&compiled, &flat, seed, &mut count).map_err(|why| format!("{why} {given:?}\n{text}"))
    });
    assert!(count.skipped * 50 < count.blocks, "{count:?}");
}
