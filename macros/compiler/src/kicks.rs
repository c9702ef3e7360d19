//! Kicks: forces that change by themselves within a step of a run, so that it does not see them.
//!
//! They are found by the places where their shapes may be narrow, the zeros and the extremes of what stands in an
//! exponential, a condition or a divisor, which change slowly themselves.

use std::cell::RefCell;
use std::collections::BTreeSet;

use costate_contract::shown::Shown;

use crate::model::Model;
use crate::symbolic::{Function, Graph, Id, Node, Symbol};

/// Intervals of a run in which zeros and extremes are sought.
const INTERVALS: usize = 4096;

/// Fractions of a step at which a run, its estimates of errors and its other checks see a force.
const PLACES: [f64; 12] = [0.0, 0.1666, 0.2844, 1.0 / 3.0, 0.358, 0.4564, 0.5, 0.6565, 2.0 / 3.0, 0.7485, 0.8537, 1.0];

/// Distance of a kick from the values at these places, relative to the range of all values.
const MIN_DISTANCE: f64 = 0.25;

/// Evaluations of nodes up to which kicks of one force are sought.
const MAX_WORK: usize = 200_000_000;

/// Operations and operands up to which a force is written out.
const MAX_WRITTEN: usize = 40;

/// Returns the forces that a run with steps from one of these times in s to the next does not see, a sentence each.
/// `parameters` are in their units.
pub fn kicks(model: &Model, graph: &Graph, times: &[f64], parameters: &[f64]) -> Vec<String> {
    let (mut said, mut known) = (Vec::new(), BTreeSet::new());
    for (force, coordinate) in model.force.iter().zip(&model.coordinates) {
        for course in courses(graph, *force).into_iter().filter(|course| known.insert(*course)) {
            let values = RefCell::new(vec![f64::NAN; graph.len()]);
            let course = Course { graph, id: course, parameters, order: graph.reachable(&[course]), values };
            let of = format!("the force on `{}` changes", coordinate.name);
            let Some(found) = course.kick(times) else {
                said.push(format!(
                    "{of} by itself in more ways than were looked at; shorter steps show what they miss"
                ));
                continue;
            };
            let Some(Kick { time, value, seen: [least, most], step: [from, to] }) = found else { continue };
            let written = (!graph.is_written_longer(course.id, MAX_WRITTEN)).then(|| graph.print(course.id, model));
            let what = written.map_or("a part of it".to_owned(), |text| format!("`{text}`"));
            said.push(format!(
                "{of} between the steps of the run: {what} is {} at {} s, and from {} to {} where the run looks, from \
                 {} to {} s; take shorter steps by `--step`",
                Shown(value),
                Shown(time),
                Shown(least),
                Shown(most),
                Shown(from),
                Shown(to)
            ));
        }
    }
    said
}

/// Returns the largest parts of an expression that depend on the time and on parameters alone.
fn courses(graph: &Graph, root: Id) -> Vec<Id> {
    let (mut found, mut open, mut met) = (Vec::new(), vec![root], BTreeSet::new());
    while let Some(id) = open.pop() {
        if !graph.depends_on(id, Symbol::Time) || !met.insert(id) {
            continue;
        }
        let is_own = |symbol: &Symbol| matches!(symbol, Symbol::Time | Symbol::Parameter(_));
        match graph.symbols(id).iter().all(is_own) {
            true => found.push(id),
            false => open.extend(graph.node(id).operands()),
        }
    }
    found
}

/// A part of a force that depends on the time alone.
struct Course<'a> {
    graph: &'a Graph,
    id: Id,
    parameters: &'a [f64],
    /// Nodes of the course, operands before results.
    order: Vec<Id>,
    /// The values of all nodes at the time that was evaluated last.
    values: RefCell<Vec<f64>>,
}

/// A value that a run does not see.
struct Kick {
    time: f64,
    value: f64,
    /// Least and largest value that it sees.
    seen: [f64; 2],
    /// Begin and end of the step.
    step: [f64; 2],
}

impl Course<'_> {
    /// Returns a value that a run with these steps does not see, if there is one; `None` where not all could be looked
    /// at.
    fn kick(&self, times: &[f64]) -> Option<Option<Kick>> {
        let (&[begin, .., end], 2..) = (times, times.len()) else { return Some(None) };
        let places = self.narrow_places(begin, end)?;
        let value = |time: f64| self.at(&[self.id], time)[0];
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], value| [least.min(value), most.max(value)])
        };
        let values: Vec<f64> = places.iter().map(|place| value(*place)).collect();
        if places.is_empty() {
            return Some(None);
        }
        let every = times.len().div_ceil(INTERVALS);
        let mut all = values.iter().copied().chain(times.iter().step_by(every).map(|time| value(*time)));
        let [least, most] = range(&mut all);
        let allowed = MIN_DISTANCE * (most - least);
        Some(places.into_iter().zip(values).find_map(|(time, value_there)| {
            let next = times.partition_point(|other| *other <= time).clamp(1, times.len() - 1);
            let step = [times[next - 1], times[next]];
            let seen = range(&mut PLACES.iter().map(|part| value(step[0] + (step[1] - step[0]) * part)));
            let is_kick = value_there > seen[1] + allowed || value_there < seen[0] - allowed;
            is_kick.then_some(Kick { time, value: value_there, seen, step })
        }))
    }

    /// Returns the values of nodes at a time.
    fn at(&self, nodes: &[Id], time: f64) -> Vec<f64> {
        let value = |symbol: Symbol| match symbol {
            Symbol::Time => time,
            Symbol::Parameter(index) => self.parameters.get(index).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        };
        let mut values = self.values.borrow_mut();
        self.graph.write_values(&mut values, &self.order, value, |_, _| f64::NAN);
        nodes.iter().map(|id| values[id.index()]).collect()
    }

    /// Returns the times at which the course may be narrow, and those between them; `None` where these are too many.
    fn narrow_places(&self, begin: f64, end: f64) -> Option<Vec<f64>> {
        let arguments = self.arguments();
        if arguments.is_empty() {
            return Some(Vec::new());
        }
        let nodes: Vec<Id> = arguments.iter().flat_map(|(a, b)| [*a, b.unwrap_or(*a)]).collect();
        let mut left = (MAX_WORK / self.order.len().max(1)).checked_sub(INTERVALS)?;
        let at = |time: f64| -> Vec<f64> {
            let values = self.at(&nodes, time);
            let pairs = values.chunks_exact(2).zip(&arguments);
            pairs.map(|(pair, (_, other))| if other.is_some() { pair[0] - pair[1] } else { pair[0] }).collect()
        };
        let length = (end - begin) / INTERVALS as f64;
        let grid: Vec<Vec<f64>> = (0..=INTERVALS).map(|i| at(begin + i as f64 * length)).collect();
        let mut places = Vec::new();
        for (j, _) in arguments.iter().enumerate() {
            let value = |time: f64| at(time)[j];
            for i in 1..INTERVALS {
                let [a, b, c] = [i - 1, i, i + 1].map(|i| grid[i][j]);
                let time = begin + i as f64 * length;
                let found = [
                    ((b - a) * (c - b) < 0.0).then(|| extreme(time, length, value)),
                    (b * c < 0.0 || b == 0.0).then(|| zero([time, time + length], value)),
                    (i == 1 && a * b < 0.0).then(|| zero([begin, time], value)),
                ];
                for place in found.into_iter().flatten().filter(|place| (begin..=end).contains(place)) {
                    places.push(place);
                    left = left.checked_sub(MAX_EVALUATIONS)?;
                }
            }
        }
        places.sort_unstable_by(f64::total_cmp);
        places.dedup();
        let between: Vec<f64> = places.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        places.extend(between);
        Some(places)
    }

    /// Returns the nodes, and those to be taken from them, near whose zeros and extremes the course may be narrow.
    fn arguments(&self) -> Vec<(Id, Option<Id>)> {
        let graph = self.graph;
        let mut pairs = BTreeSet::new();
        for &id in &self.order {
            let pair = match graph.node(id) {
                Node::Less(a, b) | Node::LessEqual(a, b) | Node::Equal(a, b) => Some((a, Some(b))),
                Node::Unary(Function::Sin | Function::Cos | Function::Asin | Function::Acos, _) => None,
                Node::Unary(_, a) | Node::Divide(_, a) | Node::PowerInteger(a, _) | Node::Power(a, _) => {
                    Some((a, None))
                }
                _ => None,
            };
            let changes = |id: Id| graph.depends_on(id, Symbol::Time);
            pairs.extend(pair.filter(|(a, b)| changes(*a) || b.is_some_and(changes)));
        }
        pairs.into_iter().collect()
    }
}

/// Evaluations of one extreme or zero, at most.
const MAX_EVALUATIONS: usize = 12;

/// Returns where a function is extreme near a time, by parabolas through three places that come nearer.
fn extreme(mut time: f64, mut length: f64, value: impl Fn(f64) -> f64) -> f64 {
    /// Factor by which the places come nearer.
    const NEARER: f64 = 1.0 / 16.0;
    for _ in 0..MAX_EVALUATIONS / 3 {
        let [a, b, c] = [time - length, time, time + length].map(&value);
        let vertex = 0.5 * (a - c) / (a - 2.0 * b + c);
        if !vertex.is_finite() {
            break;
        }
        time += length * vertex.clamp(-1.0, 1.0);
        length *= NEARER;
    }
    time
}

/// Returns where a function that changes its sign between two times is zero, by chords.
fn zero([mut from, mut to]: [f64; 2], value: impl Fn(f64) -> f64) -> f64 {
    let [mut before, mut after] = [from, to].map(&value);
    for _ in 2..MAX_EVALUATIONS {
        let time = from + (to - from) * (before / (before - after)).clamp(0.0, 1.0);
        let there = value(time);
        if there == 0.0 || !there.is_finite() || before == after {
            return time;
        }
        match there * before > 0.0 {
            // a chord that stays at one end comes no nearer
            true => (from, before, after) = (time, there, 0.5 * after),
            false => (to, after, before) = (time, there, 0.5 * before),
        }
    }
    if before.abs() < after.abs() { from } else { to }
}

#[cfg(test)]
mod tests {
    /// Returns what is said of a force in a run of 4 s with steps of 10 ms.
    fn said(force: &str) -> Vec<String> {
        let text = format!(
            "Kicked {{ parameters {{ w: s = 1e-6, b: s = 1.00371 }} coordinates {{ x: m }} mass {{ x: 1[kg] }}
            forces {{ x: ({force})*1[N] - 40[N/m]*x }} }}"
        );
        let compiled = crate::compile_str(&text).expect("a valid model");
        let times: Vec<f64> = (0..=400).map(|i| 0.01 * f64::from(i)).collect();
        compiled.kicks(&times, &[1e-6, 1.00371])
    }

    #[test]
    fn kicks_within_a_step_are_found() {
        for force in [
            "exp(-((t - b)/w)^2)",
            "3 + sin(20[1/s]*t) - 5*exp(-((t - b)/w)^2/2)",
            "exp(-(sin(7[1/s]*t)/1e-5)^2)",
            "1/(1 + ((t - b)/w)^2)",
            "1/cosh((t - b)/w)^2",
            "tanh((t - b)/w) - tanh((t - b - 3*w)/w)",
            "if t > b { if t < b + w { 1 } else { 0 } } else { 0 }",
            "smooth_step(t, b, b + w) - smooth_step(t, b + 2*w, b + 3*w)",
            "max(0, 1 - abs(t - b)/w)",
            "sin(7[1/s]*t)^20000000",
        ] {
            let found = said(force);
            assert!(
                matches!(&found[..], [one] if one.starts_with("the force on `x` changes between")),
                "{force}: {found:?}"
            );
        }
        // at a fourth of a step, where nothing looks
        assert_eq!(said("exp(-((t - 1.0025[s])/w)^2)").len(), 1);
        let found = &said("exp(-((t - b)/w)^2)")[0];
        assert!(found.contains("is 1 at 1.00371 s, and from 0 to 0 where the run looks, from 1 to 1.01 s"), "{found}");
    }

    #[test]
    fn what_steps_show_is_no_kick() {
        for force in [
            "sin(300[1/s]*t)*exp(-t/1[s])",
            "exp(-((t - b)/0.005[s])^2)",
            "1/(1 + ((t - b)/0.02[s])^2)",
            "tanh((t - b)/w)",
            "if t > b { 1 } else { 0 }",
            "smooth_step(t, b, b + w)",
            "abs(sin(20[1/s]*t))",
            "max(0, sin(20[1/s]*t))^3",
            "exp(-((t - 5[s])/w)^2)",
            "x/1[m]*exp(-dot(x)/1[m/s])",
        ] {
            assert!(said(force).is_empty(), "{force}: {:?}", said(force));
        }
    }
}
