//! Random sequences, against their operations one after the other.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

use costate_machine::{Call, Code, Instruction, Layout, Misfit, Operation, Place, Sequence, Shape, Step};
use costate_numerics::scalar::{Entries, LANES, Lanes, Scalar};
use proptest::prelude::*;

const OPERATIONS: [Operation; 12] = [
    Operation::Copy,
    Operation::Negate,
    Operation::Abs,
    Operation::Sqrt,
    Operation::Add,
    Operation::Add,
    Operation::Subtract,
    Operation::Multiply,
    Operation::Multiply,
    Operation::Divide,
    Operation::FusedAdd,
    Operation::FusedSubtract,
];

const CONDITIONS: [Operation; 3] = [Operation::Less, Operation::LessEqual, Operation::Equal];

/// A function that is called: sums, and numbers that tell its results apart.
fn called<S: Scalar>(numbers: &mut [S], call: &Call) {
    let (first, count) = (call.cells as usize, call.arguments.len());
    let sum = numbers[first..first + count].iter().fold(S::constant(f64::from(call.function)), |sum, &x| sum + x);
    for i in 0..call.results.len() {
        numbers[first + count + i] = sum * S::constant(1.0 + i as f64);
    }
}

/// The steps one after the other, all places in one array.
fn interpret(sequence: &Sequence, numbers: &mut [f64]) {
    for step in &sequence.steps {
        let Instruction { operation, to, arguments } = match step {
            Step::Instruction(instruction) => instruction,
            Step::Call(call) => {
                let (first, count) = (call.cells as usize, call.arguments.len());
                let arguments: Vec<f64> = call.arguments.iter().map(|&place| numbers[place as usize]).collect();
                numbers[first..first + count].copy_from_slice(&arguments);
                called(numbers, call);
                for (i, &place) in call.results.iter().enumerate() {
                    numbers[place as usize] = numbers[first + count + i];
                }
                continue;
            }
        };
        let [a, b, c] = arguments.map(|place| numbers[place as usize]);
        let (bits_of_a, bits_of_b) = (a.to_bits(), b.to_bits());
        let condition = |holds: bool| f64::from_bits(if holds { u64::MAX } else { 0 });
        numbers[*to as usize] = match operation {
            Operation::Copy => a,
            Operation::Negate => -a,
            Operation::Abs => a.abs(),
            Operation::Sqrt => a.sqrt(),
            Operation::Add => a + b,
            Operation::Subtract => a - b,
            Operation::Multiply => a * b,
            Operation::Divide => a / b,
            Operation::FusedAdd => a.mul_add(b, c),
            Operation::FusedSubtract => (-a).mul_add(b, c),
            Operation::Less => condition(a < b),
            Operation::LessEqual => condition(a <= b),
            Operation::Equal => condition(a == b),
            Operation::And => f64::from_bits(bits_of_a & bits_of_b),
            Operation::Or => f64::from_bits(bits_of_a | bits_of_b),
            Operation::Not => f64::from_bits(!bits_of_a),
            Operation::Select => {
                if bits_of_a == u64::MAX {
                    b
                } else {
                    c
                }
            }
        };
    }
}

/// Plain numbers, conditions, and cells of calls follow one another.
const CONDITIONS_OF_SEQUENCE: Place = 4;

/// Cells of a call.
const CELLS: usize = 5;

/// Arrays: one of numbers, and one lane of lanes where numbers are plain, are read; two are filled.
const ARRAYS: usize = 4;

/// The places of a random sequence.
#[derive(Debug, Clone)]
struct Places {
    layout: Layout,
    /// Places that may be read from the beginning on, and that are written.
    readable: Vec<Place>,
    writable: Vec<Place>,
    conditions: Vec<Place>,
    cells: Place,
}

fn places(numbers: Place, length: usize, is_lane: bool) -> Places {
    let cells = numbers + CONDITIONS_OF_SEQUENCE;
    // three calls at most
    let shape = |array| Shape { length, is_lane: is_lane && array == 1 };
    let layout = Layout::new(cells as usize + 3 * CELLS, &[0, 1, 2, 3].map(shape)).unwrap();
    let entries = |of: fn(&Layout, usize, usize) -> Place, arrays: std::ops::Range<usize>| -> Vec<Place> {
        arrays.flat_map(|array| (0..length).map(move |entry| (array, entry))).map(|(a, e)| of(&layout, a, e)).collect()
    };
    let own: Vec<Place> = (0..numbers).collect();
    let readable = [own.clone(), entries(Layout::before, 0..ARRAYS)].concat();
    let writable = [own, entries(Layout::after, 2..ARRAYS)].concat();
    Places { readable, writable, conditions: (numbers..cells).collect(), cells, layout }
}

fn step(places: &Places) -> impl Strategy<Value = Step> + use<> {
    let number = prop::sample::select(places.readable.clone());
    let to = prop::sample::select(places.writable.clone());
    let condition = prop::sample::select(places.conditions.clone());
    let arithmetic = (prop::sample::select(&OPERATIONS[..]), to.clone(), prop::array::uniform3(number.clone()))
        .prop_map(|(operation, to, arguments)| Instruction { operation, to, arguments });
    let comparison = (prop::sample::select(&CONDITIONS[..]), condition.clone(), prop::array::uniform3(number.clone()))
        .prop_map(|(operation, to, arguments)| Instruction { operation, to, arguments });
    let logic = (
        prop::sample::select(&[Operation::And, Operation::Or, Operation::Not][..]),
        condition.clone(),
        prop::array::uniform3(condition.clone()),
    )
        .prop_map(|(operation, to, arguments)| Instruction { operation, to, arguments });
    let select = (condition, to.clone(), prop::array::uniform2(number.clone()))
        .prop_map(|(mask, to, [yes, no])| Instruction { operation: Operation::Select, to, arguments: [mask, yes, no] });
    let call = (prop::collection::vec(number, 1..3), prop::collection::vec(to, 1..4))
        .prop_map(|(arguments, results)| Step::Call(Call { function: 0, cells: 0, arguments, results }));
    prop_oneof![
        60 => arithmetic.prop_map(Step::Instruction),
        5 => comparison.prop_map(Step::Instruction),
        5 => logic.prop_map(Step::Instruction),
        5 => select.prop_map(Step::Instruction),
        1 => call,
    ]
}

/// Random steps: calls get cells of their own, and entries after the sequence are read once they are written.
fn sequence(places: &Places) -> impl Strategy<Value = Sequence> + use<> {
    let all = [places.writable.clone(), places.conditions.clone()].concat();
    let count = all.len();
    let own = places.clone();
    (prop::collection::vec(step(places), 1..400), prop::sample::subsequence(all, 0..=count)).prop_map(
        move |(steps, kept)| {
            let (mut calls, mut written) = (0, Vec::new());
            let mut sequence = Sequence { layout: own.layout.clone(), steps: Vec::new(), kept };
            for (i, mut step) in steps.into_iter().enumerate() {
                // reads the last entry that was written, now and then
                let replaced = written.last().copied().filter(|_| i % 3 == 0);
                match &mut step {
                    Step::Call(_) if calls == 3 => continue,
                    Step::Call(call) => {
                        (call.function, call.cells) = (calls, own.cells + calls * CELLS as Place);
                        call.arguments.extend(replaced.filter(|_| call.arguments.len() + call.results.len() < CELLS));
                        calls += 1;
                        written.extend(&call.results);
                    }
                    Step::Instruction(Instruction { operation, to, arguments }) => {
                        if let (Some(place), Operation::Add | Operation::Multiply) = (replaced, *operation) {
                            arguments[0] = place;
                        }
                        written.extend(own.writable.contains(to).then_some(*to));
                    }
                }
                sequence.steps.push(step);
            }
            let readable = |place: &Place| *place < own.layout.numbers() || written.contains(place);
            sequence.kept.retain(readable);
            sequence
        },
    )
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// The arrays of a call in these numbers, and the numbers before them.
fn executed<S: Scalar>(code: &Code, sequence: &Sequence, all: &[S], lanes: Option<(&[Lanes], usize)>) -> Vec<S> {
    let layout = &sequence.layout;
    let mut places = all.to_vec();
    let mut numbers = all[..layout.numbers() as usize].to_vec();
    numbers.resize(code.numbers(), S::constant(0.0));
    let length = layout.shapes().next().unwrap().length;
    let of = |array: usize| layout.before(array, 0) as usize..layout.before(array, 0) as usize + length;
    let [mut third, mut fourth] = [2, 3].map(|array| all[of(array)].to_vec());
    let mut execution = code.call(&mut numbers);
    execution.given(Entries::Array(&all[of(0)]));
    execution.given(lanes.map_or(Entries::Array(&all[of(1)]), |(lanes, lane)| Entries::Lane(lanes, lane)));
    execution.filled(&mut third);
    execution.filled(&mut fourth);
    let calls = sequence.steps.iter().filter_map(|step| if let Step::Call(call) = step { Some(call) } else { None });
    let calls: Vec<&Call> = calls.collect();
    execution.run(|call, numbers| called(numbers, calls[call as usize])).unwrap();
    places[..numbers.len().min(layout.numbers() as usize)].copy_from_slice(&numbers[..layout.numbers() as usize]);
    for (array, values) in [(2, third), (3, fourth)] {
        places[layout.after(array, 0) as usize..][..length].copy_from_slice(&values);
    }
    places
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn code_computes_the_bits_of_its_steps(
        (sequence, is_lane, values) in (2_u32..40, 1_usize..8, any::<bool>()).prop_flat_map(|(numbers, length, lane)| {
            let places = places(numbers, length, lane);
            let end = places.layout.end() as usize;
            (sequence(&places), Just(lane), prop::collection::vec(prop::array::uniform4(-10.0..10.0), end))
        })
    ) {
        let Some(code) = Code::assemble::<f64>(&sequence) else {
            prop_assert!(!Lanes::are_available(), "no code for a processor that has the instructions");
            return Ok(());
        };
        let layout = &sequence.layout;
        let mut lanes: Vec<[f64; LANES]> = values;
        let condition = |x: f64| f64::from_bits(if x > 0.0 { !0 } else { 0 });
        let end = layout.numbers() as usize - 3 * CELLS;
        lanes[end - CONDITIONS_OF_SEQUENCE as usize..end].iter_mut().for_each(|lanes| *lanes = lanes.map(condition));
        let of_lanes: Vec<Lanes> = lanes.iter().map(|&values| Lanes::of(values)).collect();
        let results = (!is_lane).then(|| {
            let code = Code::assemble::<Lanes>(&sequence).unwrap();
            executed(&code, &sequence, &of_lanes, None)
        });
        let in_lanes = &of_lanes[layout.before(1, 0) as usize..layout.after(1, 0) as usize];
        for lane in 0..LANES {
            let mut expected: Vec<f64> = lanes.iter().map(|values| values[lane]).collect();
            let plain = executed(&code, &sequence, &expected, is_lane.then_some((in_lanes, lane)));
            interpret(&sequence, &mut expected);
            for &place in &sequence.kept {
                let place = place as usize;
                prop_assert!(same(plain[place], expected[place]), "{} for {}", plain[place], expected[place]);
                let of_lanes = results.as_ref().map_or(expected[place], |results| results[place].lane(lane));
                prop_assert!(same(of_lanes, expected[place]));
            }
        }
    }
}

#[test]
fn what_cannot_be_executed_is_refused() {
    let shape = Shape { length: 2, is_lane: false };
    let layout = Layout::new(2, &[shape, shape]).unwrap();
    let add = |to, a, b| {
        let arguments = [a, b, 0];
        let steps = vec![Step::Instruction(Instruction { operation: Operation::Add, to, arguments })];
        Sequence { layout: layout.clone(), steps, kept: vec![to] }
    };
    let [first, second] = [layout.before(0, 1), layout.before(1, 0)];
    let filled = layout.after(1, 0);
    // a place that does not exist, one that is only read, and one that is not written yet
    for sequence in [add(0, 1, layout.end()), add(first, 0, 1), add(0, 1, filled)] {
        assert!(Code::assemble::<f64>(&sequence).is_none());
    }
    let mut call = add(filled, first, second);
    call.steps.push(Step::Call(Call { function: 0, cells: 1, arguments: vec![0], results: vec![1] }));
    assert!(Code::assemble::<f64>(&call).is_none());
    assert!(Code::assemble::<costate_numerics::scalar::Dual>(&add(filled, first, second)).is_none());

    let Some(code) = Code::assemble::<f64>(&add(filled, first, second)) else { return };
    let run = |numbers: usize, given: usize, filled: &mut [f64]| {
        let (mut numbers, given) = (vec![0.0; numbers], vec![2.0; given]);
        let mut execution = code.call(&mut numbers);
        execution.given(Entries::Array(&given));
        execution.filled(filled);
        execution.run(|_, _| {})
    };
    assert_eq!(run(1, 2, &mut [3.0; 2]), Err(Misfit::Call));
    assert_eq!(run(2, 1, &mut [3.0; 2]), Err(Misfit::Array { array: 0, found: 1 }));
    assert_eq!(run(2, 2, &mut []), Err(Misfit::Array { array: 1, found: 0 }));
    let mut numbers = [0.0; 2];
    let mut execution = code.call(&mut numbers);
    execution.given(Entries::Array(&[2.0; 2]));
    execution.given(Entries::Array(&[3.0; 2]));
    assert!(execution.run(|_, _| {}).is_err(), "an array that is filled is not given");
    assert!(code.call(&mut [0.0; 2]).run(|_, _| {}).is_err(), "arrays are missing");
    let mut results = [3.0; 2];
    assert_eq!(run(2, 2, &mut results), Ok(()));
    assert_eq!(results, [5.0, 3.0]);
}
