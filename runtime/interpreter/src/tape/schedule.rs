//! The order of instructions: like instructions follow one another as far as their arguments allow, in few batches.
//!
//! A short batch costs more than its instructions do. Sums and products that are ready are therefore done as
//! `sum + a b` together, with numbers that change nothing: `a + b 1`, `a + b (-1)`, `-0 + a b`. Several orders are
//! tried for short functions, and the one with the fewest batches is taken.

use std::collections::{BTreeMap, VecDeque};

use super::operation::Operation;
use super::values::{Instruction, Source, Value, Values};

/// Kinds that can be done as `sum + a b`, the last one among them.
const SUMS: [Operation; 5] =
    [Operation::Negate, Operation::Add, Operation::Subtract, Operation::Multiply, Operation::AddProduct];

/// Kinds that can be done as `a b c`.
const PRODUCTS: [Operation; 2] = [Operation::Multiply, Operation::MultiplyThree];

/// Returns the positions of the instructions that matter, in the order in which they are done, and makes some of them
/// instructions of another kind. Instructions that wait for a selection stay together.
pub fn schedule(values: &mut Values) -> Vec<u32> {
    /// Most orders that are tried.
    const MAX_TRIALS: usize = 24;
    /// Instructions of all orders that are tried together, which bounds the time that loading takes.
    const MAX_INSTRUCTIONS: usize = 20_000;
    let [one, minus_one, minus_zero] = [1.0, -1.0, -0.0].map(|number| values.number(number));
    let (_, matters) = values.uses();
    let dependencies = Dependencies::new(values, &matters);
    let count = matters.iter().filter(|matters| **matters).count();
    let trials = (MAX_INSTRUCTIONS / count.max(1)).clamp(1, MAX_TRIALS);
    let orders = (0..trials).map(|trial| order(values, &matters, &dependencies, trial as u64));
    let best = orders.min_by_key(|order| order.batches).unwrap_or_default();
    let neutral = Neutral { one, minus_one, minus_zero };
    for &(position, operation) in &best.instructions {
        let instruction = &mut values.instructions[position as usize];
        if let Some(arguments) = neutral.arguments(instruction, operation) {
            (instruction.operation, instruction.arguments, instruction.count) = (operation, arguments, 3);
        }
    }
    best.instructions.into_iter().map(|(position, _)| position).collect()
}

/// Numbers that change nothing.
struct Neutral {
    one: Value,
    minus_one: Value,
    minus_zero: Value,
}

impl Neutral {
    /// Returns the arguments of an instruction that is done as another kind; `None` if it stays.
    fn arguments(&self, instruction: &Instruction, operation: Operation) -> Option<[Value; 4]> {
        let [a, b, ..] = instruction.arguments;
        Some(match (instruction.operation, operation) {
            (Operation::Add, Operation::AddProduct) => [a, b, self.one, 0],
            (Operation::Subtract, Operation::AddProduct) => [a, b, self.minus_one, 0],
            (Operation::Multiply, Operation::AddProduct) => [self.minus_zero, a, b, 0],
            (Operation::Negate, Operation::AddProduct) => [self.minus_zero, a, self.minus_one, 0],
            (Operation::Multiply, Operation::MultiplyThree) => [a, b, self.one, 0],
            _ => return None,
        })
    }
}

/// An order of instructions, each with the kind as which it is done.
#[derive(Default)]
struct Order {
    instructions: Vec<(u32, Operation)>,
    batches: usize,
}

/// Finds an order: always the kind of which most instructions are ready, in all trials but the first with some
/// disorder.
fn order(values: &Values, matters: &[bool], dependencies: &Dependencies, trial: u64) -> Order {
    let mut random = Random(trial);
    let mut pending = dependencies.pending.clone();
    let mut order = Order::default();
    // instructions that are ready, by the selection that they wait for
    let mut waiting: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (position, instruction) in values.instructions.iter().enumerate() {
        if matters[position] && pending[position] == 0 {
            waiting.entry(instruction.when).or_default().push(position as u32);
        }
    }
    let mut queues: [VecDeque<u32>; Operation::ALL.len()] = std::array::from_fn(|_| VecDeque::new());
    while let Some((when, ready)) = waiting.pop_first() {
        for position in ready {
            let operation = values.instructions[position as usize].operation;
            queues[operation as usize].push_back(position);
        }
        while let Some((operation, kinds)) = choose(&queues, &mut random) {
            order.batches += 1;
            while let Some(position) = kinds.iter().find_map(|&kind| queues[kind as usize].pop_front()) {
                order.instructions.push((position, operation));
                for &user in dependencies.users(position) {
                    let left = &mut pending[user as usize];
                    *left -= 1;
                    if *left > 0 {
                        continue;
                    }
                    let own = &values.instructions[user as usize];
                    if own.when == when {
                        queues[own.operation as usize].push_back(user);
                    } else {
                        waiting.entry(own.when).or_default().push(user);
                    }
                }
            }
        }
    }
    order
}

/// Returns the kind of the next batch, and the kinds of the instructions that are done in it.
fn choose(
    queues: &[VecDeque<u32>; Operation::ALL.len()],
    random: &mut Random,
) -> Option<(Operation, &'static [Operation])> {
    /// Most instructions of one kind that are done as another kind, which costs a little more.
    const MAX_CHANGED: usize = 12;
    let ready = |kind: Operation| queues[kind as usize].len();
    let mut best: Option<(usize, Operation, &'static [Operation])> = None;
    let mut offer = |count: usize, operation: Operation, kinds: &'static [Operation]| {
        let score = count * random.next();
        if count > 0 && best.is_none_or(|(most, ..)| score > most) {
            best = Some((score, operation, kinds));
        }
    };
    for kinds in [&SUMS[..], &PRODUCTS[..]] {
        let Some((&host, others)) = kinds.split_last() else { continue };
        let fits = others.iter().all(|&kind| ready(kind) <= MAX_CHANGED);
        if fits && kinds.iter().filter(|&&kind| ready(kind) > 0).count() > 1 {
            offer(kinds.iter().map(|&kind| ready(kind)).sum(), host, kinds);
        }
    }
    for kind in Operation::ALL {
        offer(ready(*kind), *kind, std::slice::from_ref(kind));
    }
    best.map(|(_, operation, kinds)| (operation, kinds))
}

/// Factors of scores, by the linear congruential generator of Knuth; all the same for the first trial.
struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        if self.0 == 0 {
            return 1;
        }
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        2 + (self.0 >> 62) as usize
    }
}

/// Which instructions use the results of which.
struct Dependencies {
    /// Number of arguments that are results, by instruction.
    pending: Vec<u32>,
    /// Start of the users of each instruction, and the end of all.
    starts: Vec<u32>,
    users: Vec<u32>,
}

impl Dependencies {
    fn new(values: &Values, matters: &[bool]) -> Self {
        let count = values.instructions.len();
        let (mut pending, mut starts) = (vec![0; count], vec![0; count + 1]);
        let mut pairs = Vec::new();
        for (position, instruction) in values.instructions.iter().enumerate().filter(|(i, _)| matters[*i]) {
            for &argument in instruction.arguments() {
                if let Source::Result(giver) = values.sources[argument as usize] {
                    pending[position] += 1;
                    starts[giver as usize + 1] += 1;
                    pairs.push((giver, position as u32));
                }
            }
        }
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let (mut next, mut users) = (starts.clone(), vec![0; pairs.len()]);
        for (giver, user) in pairs {
            let place = &mut next[giver as usize];
            users[*place as usize] = user;
            *place += 1;
        }
        Self { pending, starts, users }
    }

    fn users(&self, position: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|i| self.starts[position as usize + i] as usize);
        &self.users[start..end]
    }
}
