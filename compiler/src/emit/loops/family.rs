//! Names without their indices: what an array of quantities, or bodies of an array, have in common.

use rustc_hash::FxHashMap;

use crate::model::{Model, Quantity};

/// For every quantity its name without indices, as a position in `names`.
#[derive(Debug, Default)]
pub struct Families {
    pub names: Vec<String>,
    positions: FxHashMap<String, usize>,
    pub coordinates: Vec<usize>,
    pub constraints: Vec<usize>,
    pub inputs: Vec<usize>,
}

impl Families {
    pub fn of(model: &Model) -> Families {
        let mut families = Families::default();
        let [coordinates, constraints, inputs] = [&model.coordinates, &model.constraints, &model.inputs]
            .map(|quantities| families.find(quantities));
        Families { coordinates, constraints, inputs, ..families }
    }

    fn find(&mut self, quantities: &[Quantity]) -> Vec<usize> {
        let mut found = Vec::with_capacity(quantities.len());
        for quantity in quantities {
            let name = without_indices(&quantity.name);
            let next = self.names.len();
            let position = *self.positions.entry(name.clone()).or_insert(next);
            if position == next {
                self.names.push(name);
            }
            found.push(position);
        }
        found
    }
}

/// `rod_x` for `rod[3].x`, a part of a variable's name.
fn without_indices(name: &str) -> String {
    let mut text = String::new();
    let mut depth = 0usize;
    for character in name.chars() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => text.push('_'),
            _ if depth == 0 => text.push(character),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_left_out() {
        for (name, family) in
            [("x", "x"), ("x[2]", "x"), ("rod[-1].e0", "rod_e0"), ("a[1].b[2, 3].c", "a_b_c")]
        {
            assert_eq!(without_indices(name), family);
        }
    }
}
