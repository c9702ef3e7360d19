//! Advice on redundant constraints. A change of the model is advised only after it was tried: the changed model has to
//! keep all motion of the old one, and no redundant constraint may be left in it.

use std::collections::{BTreeMap, BTreeSet};

use super::matrix::{Matrix, driven};
use super::rank;
use super::samples::{self, scale};
use super::text::{count, names};
use crate::mechanics::Equations;
use crate::model::Model;
use crate::symbolic::Graph;

/// Entries of a matrix, with row and column.
type Entries = Vec<(usize, usize, f64)>;

/// A joint that leaves more freedom: its name, what it drops of the constraints of another one, and whether it leaves
/// the way along the axis free as well.
type Freer = (&'static str, &'static [&'static str], bool);

/// Joints by their constraints, with those that leave more freedom, from the least one on.
const JOINTS: [(&str, &[&str], &[Freer]); 8] = [
    ("fixed", &["x", "y", "turn"], &[("revolute", &["turn"], false)]),
    ("revolute", &["x", "y"], &[("point_on_line", &["x"], false)]),
    ("prismatic", &["across", "turn"], &[("point_on_line", &["turn"], false)]),
    ("fixed", &["x", "y", "z", "turn_x", "turn_y", "turn_z"], &[("spherical", &["turn_x", "turn_y", "turn_z"], false)]),
    (
        "revolute",
        &["x", "y", "z", "tilt_u", "tilt_w"],
        &[
            ("cylindrical", &[], true),
            ("spherical", &["tilt_u", "tilt_w"], false),
            ("point_on_line", &["tilt_u", "tilt_w"], true),
        ],
    ),
    (
        "prismatic",
        &["across_u", "across_w", "tilt_u", "tilt_w", "turn"],
        &[("cylindrical", &["turn"], false), ("point_on_line", &["tilt_u", "tilt_w", "turn"], false)],
    ),
    ("cylindrical", &["across_u", "across_w", "tilt_u", "tilt_w"], &[("point_on_line", &["tilt_u", "tilt_w"], false)]),
    ("universal", &["x", "y", "z", "square"], &[("spherical", &["square"], false)]),
];

/// A joint, or a constraint outside of joints: the smallest part of a model that can be removed alone.
pub struct Owner<'m> {
    pub name: &'m str,
    pub rows: Vec<usize>,
}

/// The joint that a constraint belongs to, or the constraint itself.
pub fn owner(model: &Model, row: usize) -> Owner<'_> {
    match joint(model, row) {
        None => Owner { name: &model.constraints[row].name, rows: vec![row] },
        Some(name) => {
            let rows = (0..model.constraints.len()).filter(|row| joint(model, *row) == Some(name));
            Owner { name, rows: rows.collect() }
        }
    }
}

fn joint(model: &Model, row: usize) -> Option<&str> {
    let of_joint = model.of_joints.contains_key(&row);
    model.constraints.get(row)?.name.rsplit_once('.').filter(|_| of_joint).map(|(joint, _)| joint)
}

/// A joint or constraint that is taken out or replaced.
struct Change<'m> {
    owner: &'m str,
    /// The joint that it is, and the one in its place; `None` if it is taken out.
    kinds: Option<(&'static str, &'static str)>,
    dropped: Vec<usize>,
    /// The rows of a point, of which those across an axis stay.
    across: Option<([usize; 3], [f64; 3])>,
}

impl Change<'_> {
    fn count(&self) -> usize {
        self.dropped.len() + usize::from(self.across.is_some())
    }

    /// Takes its rows out of the entries of a matrix.
    fn apply(&self, entries: &mut Entries) {
        entries.retain(|(row, ..)| !self.dropped.contains(row));
        let Some((rows, axis)) = self.across else { return };
        let mut columns: BTreeMap<usize, [f64; 3]> = BTreeMap::new();
        for &(row, column, value) in entries.iter() {
            if let Some(direction) = rows.iter().position(|point| *point == row) {
                columns.entry(column).or_default()[direction] += value;
            }
        }
        entries.retain(|(row, ..)| !rows.contains(row));
        for (row, direction) in rows.into_iter().zip(across(axis)) {
            let product = |column: [f64; 3]| direction.iter().zip(column).map(|(a, b)| a * b).sum::<f64>();
            entries.extend(columns.iter().map(|(&column, &values)| (row, column, product(values))));
        }
    }

    /// The rows that are no longer there.
    fn gone(&self) -> impl Iterator<Item = usize> + '_ {
        self.dropped.iter().copied().chain(self.across.map(|(rows, _)| rows[2]))
    }
}

/// Two directions across another one.
fn across([x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    let first = if x.abs() <= y.abs().min(z.abs()) {
        [0.0, z, -y]
    } else if y.abs() <= z.abs() {
        [-z, 0.0, x]
    } else {
        [y, -x, 0.0]
    };
    let [a, b, c] = first;
    [first, [y * c - z * b, z * a - x * c, x * b - y * a]]
}

/// Constraints that have coordinates in common, directly or by others.
struct Group<'m> {
    model: &'m Model,
    rows: BTreeSet<usize>,
    /// Their gradients in the states that are tried, and the rank in each.
    samples: Vec<(Entries, usize)>,
    /// The constraints that depend on others in the first state.
    redundant: Vec<usize>,
}

impl<'m> Group<'m> {
    /// In states in which all constraints are satisfied, if there are any.
    fn around(
        model: &'m Model,
        graph: &Graph,
        equations: &Equations,
        matrix: &Matrix,
        row: usize,
    ) -> Option<Group<'m>> {
        // Larger groups of constraints that have to do with each other are not tried.
        const MAX_ROWS: usize = 400;
        let rows = connected(matrix.samples.first()?, row);
        if rows.len() > MAX_ROWS {
            return None;
        }
        let entries: Vec<_> = equations.constraint_q.iter().filter(|(row, ..)| rows.contains(row)).collect();
        let all: Vec<usize> = rows.iter().copied().collect();
        let states = 0..matrix.samples.len();
        let assembled = states.filter_map(|state| samples::assembled(model, graph, &entries, &all, state));
        let mut states: Vec<_> = assembled.collect();
        if states.is_empty() {
            let own = |sample: &Entries| sample.iter().filter(|(row, ..)| rows.contains(row)).copied().collect();
            states = matrix.samples.iter().map(own).collect();
        }
        let (mut samples, mut redundant) = (Vec::new(), None);
        for own in states {
            let found = dependent(model, &rows, own.clone());
            samples.push((own, rows.len() - found.len()));
            redundant.get_or_insert(found);
        }
        Some(Group { model, rows, samples, redundant: redundant? })
    }

    /// Returns true if the model with these changes keeps all motion and has no redundant constraint.
    fn fits(&self, changes: &[&Change<'_>]) -> bool {
        let mut left = self.rows.clone();
        changes.iter().flat_map(|change| change.gone()).for_each(|row| {
            left.remove(&row);
        });
        self.samples.iter().all(|(entries, rank)| {
            let mut entries = entries.clone();
            changes.iter().for_each(|change| change.apply(&mut entries));
            left.len() == *rank && dependent(self.model, &left, entries).is_empty()
        })
    }

    /// Returns the changes that remove constraints and those that replace joints by freer ones; redundant constraints
    /// come first.
    fn changes(&self) -> (Vec<Change<'m>>, Vec<Change<'m>>) {
        // Changes that are tried one by one, and two by two.
        const MAX_CHANGES: usize = 64;
        let (mut removed, mut replaced) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        for row in self.redundant.iter().rev().chain(self.rows.iter().rev()) {
            let Owner { name, rows } = owner(self.model, *row);
            if !seen.insert(name) || seen.len() > MAX_CHANGES {
                continue;
            }
            if joint(self.model, *row).is_some() {
                replaced.extend(freer(self.model, name, &rows));
            }
            removed.push(Change { owner: name, kinds: None, dropped: rows, across: None });
        }
        (removed, replaced)
    }

    fn advice(&self, driven: &[usize]) -> String {
        let number = self.redundant.len();
        let (removed, replaced) = self.changes();
        let of_number = |change: &&Change<'_>| change.count() == number;
        if let Some(change) = removed.iter().filter(of_number).find(|change| self.fits(&[*change])) {
            return said(&[change]);
        }
        let in_joint = |row: &usize| joint(self.model, *row).is_some();
        if !self.redundant.iter().any(in_joint) {
            return format!("remove {}", names(&self.model.constraints, &self.redundant));
        }
        if !self.moves(driven) {
            return "without what is redundant nothing of it could move, but with special lengths: take joints that \
                 leave more \
                    freedom"
                .to_owned();
        }
        if let Some(change) = replaced.iter().filter(of_number).find(|change| self.fits(&[*change])) {
            return said(&[change]);
        }
        let all: Vec<&Change<'_>> = replaced.iter().chain(&removed).collect();
        for (i, first) in all.iter().enumerate() {
            for second in &all[i + 1..] {
                if first.count() + second.count() == number
                    && first.owner != second.owner
                    && self.fits(&[first, second])
                {
                    return said(&[first, second]);
                }
            }
        }
        format!("{} of them are redundant: take joints that leave more freedom", number)
    }

    /// Returns true if the mechanism moves without the driven constraints.
    fn moves(&self, driven: &[usize]) -> bool {
        self.samples.iter().any(|(entries, _)| {
            let mut left: Vec<_> = entries.iter().filter(|(row, ..)| !driven.contains(row)).copied().collect();
            scale(&mut left);
            let columns: BTreeSet<usize> = left.iter().map(|(_, column, _)| *column).collect();
            let columns: Vec<usize> = columns.into_iter().collect();
            rank::held(self.model.constraints.len(), &left, &columns).contains(&false)
        })
    }
}

/// Joints in place of one with these constraints.
fn freer<'m>(model: &Model, name: &'m str, rows: &[usize]) -> Vec<Change<'m>> {
    let last = |row: &usize| model.constraints[*row].name.rsplit('.').next().unwrap_or_default();
    let members: Vec<&str> = rows.iter().map(last).collect();
    let Some((kind, _, freer)) = JOINTS.iter().find(|(_, constraints, _)| **constraints == members) else {
        return Vec::new();
    };
    let row_of = |member: &str| members.iter().position(|known| *known == member).map(|at| rows[at]);
    let axis = rows.first().and_then(|row| model.of_joints.get(row)).copied();
    let change = |&(other, dropped, leaves_way): &Freer| {
        let point = || Some(([row_of("x")?, row_of("y")?, row_of("z")?], axis?));
        Change {
            owner: name,
            kinds: Some((*kind, other)),
            dropped: dropped.iter().filter_map(|member| row_of(member)).collect(),
            across: if leaves_way { point() } else { None },
        }
    };
    freer.iter().map(change).collect()
}

fn said(changes: &[&Change<'_>]) -> String {
    let texts = changes.iter().map(|change| match change.kinds {
        None => format!("remove `{}`", change.owner),
        Some((kind, other)) => format!("take `{other}` in place of `{kind}` for `{}`", change.owner),
    });
    texts.collect::<Vec<_>>().join(" and ")
}

/// Finds the constraints among `rows` whose gradients depend on those of earlier constraints.
fn dependent(model: &Model, rows: &BTreeSet<usize>, mut entries: Entries) -> Vec<usize> {
    scale(&mut entries);
    let found = rank::dependences(model.constraints.len(), &entries);
    found.into_iter().map(|found| found.row).filter(|row| rows.contains(row)).collect()
}

/// The rows that have columns in common with one, directly or by others.
fn connected(entries: &[(usize, usize, f64)], row: usize) -> BTreeSet<usize> {
    let (mut by_row, mut by_column): (BTreeMap<usize, Vec<usize>>, BTreeMap<usize, Vec<usize>>) = Default::default();
    for &(row, column, _) in entries {
        by_row.entry(row).or_default().push(column);
        by_column.entry(column).or_default().push(row);
    }
    let (mut rows, mut open) = (BTreeSet::from([row]), vec![row]);
    while let Some(row) = open.pop() {
        for column in by_row.remove(&row).into_iter().flatten() {
            for other in by_column.remove(&column).into_iter().flatten() {
                if rows.insert(other) {
                    open.push(other);
                }
            }
        }
    }
    rows
}

/// Writes the advice on a redundant constraint and on the constraints that are redundant together with it.
pub fn advice(model: &Model, graph: &Graph, equations: &Equations, matrix: &Matrix, row: usize) -> String {
    match Group::around(model, graph, equations, matrix, row) {
        Some(group) => group.advice(&driven(model, graph)),
        None => format!("{} is redundant", names(&model.constraints, &[row])),
    }
}

/// Writes the advice where the number of constraints alone is known to be too large.
pub fn too_many(model: &Model, rows: &[usize], surplus: usize) -> String {
    let of_joints = rows.iter().any(|row| model.of_joints.contains_key(row));
    let freer = if of_joints { ", or take joints that leave more freedom" } else { "" };
    format!("remove {} of them{freer}", count(surplus, "constraint"))
}
