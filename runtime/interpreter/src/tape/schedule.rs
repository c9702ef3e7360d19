//! The order of instructions: like instructions follow one another as far as their arguments allow, in few batches.

use std::collections::{BTreeMap, VecDeque};

use super::operation::Operation;
use super::values::{Source, Values};

/// Returns the positions of the instructions that matter, in the order in which they are done: always those of the kind
/// of which most are ready. Instructions that wait for a selection stay together.
pub fn schedule(values: &Values) -> Vec<u32> {
    let (_, matters) = values.uses();
    let Dependencies { mut pending, users } = Dependencies::new(values, &matters);
    let mut order = Vec::new();
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
        while let Some(kind) = (0..queues.len()).max_by_key(|&kind| queues[kind].len()) {
            let Some(first) = queues[kind].pop_front() else { break };
            let mut next = Some(first);
            while let Some(position) = next {
                order.push(position);
                for &user in users.of(position) {
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
                next = queues[kind].pop_front();
            }
        }
    }
    order
}

/// Which instructions use the results of which.
struct Dependencies {
    /// Number of arguments that are results, by instruction.
    pending: Vec<u32>,
    users: Users,
}

/// The users of every instruction.
struct Users {
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
        Self { pending, users: Users { starts, users } }
    }
}

impl Users {
    fn of(&self, position: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|i| self.starts[position as usize + i] as usize);
        &self.users[start..end]
    }
}
