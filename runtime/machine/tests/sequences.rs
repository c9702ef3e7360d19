//! Random sequences, against their operations one after the other.

use costate_machine::{Code, Instruction, Operation, Place, Sequence};
use costate_numerics::scalar::{Lanes, Scalar};
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

/// The operations one after the other.
fn interpret(sequence: &Sequence, numbers: &mut [f64]) {
    for Instruction { operation, to, arguments } in &sequence.instructions {
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

/// Conditions are in the last places.
const CONDITION_PLACES: Place = 4;

fn instruction(places: Place) -> impl Strategy<Value = Instruction> {
    let number = 0..places - CONDITION_PLACES;
    let condition = places - CONDITION_PLACES..places;
    let arithmetic = (prop::sample::select(&OPERATIONS[..]), number.clone(), prop::array::uniform3(number.clone()))
        .prop_map(|(operation, to, arguments)| Instruction { operation, to, arguments });
    let comparison = (prop::sample::select(&CONDITIONS[..]), condition.clone(), prop::array::uniform3(number.clone()))
        .prop_map(|(operation, to, arguments)| Instruction { operation, to, arguments });
    let logic = (
        prop::sample::select(&[Operation::And, Operation::Or, Operation::Not][..]),
        condition.clone(),
        prop::array::uniform3(condition.clone()),
    )
        .prop_map(|(operation, to, arguments)| Instruction { operation, to, arguments });
    let select = (condition, number.clone(), prop::array::uniform2(number))
        .prop_map(|(mask, to, [yes, no])| Instruction { operation: Operation::Select, to, arguments: [mask, yes, no] });
    prop_oneof![12 => arithmetic, 1 => comparison, 1 => logic, 1 => select]
}

fn sequence(places: Place) -> impl Strategy<Value = Sequence> {
    (prop::collection::vec(instruction(places), 1..400), prop::collection::btree_set(0..places, 0..places as usize))
        .prop_map(|(instructions, kept)| Sequence { instructions, kept: kept.into_iter().collect() })
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn code_computes_the_bits_of_its_operations(
        (places, sequences, values) in (6_u32..60).prop_flat_map(|places| (
            Just(places),
            prop::collection::vec(sequence(places), 1..3),
            prop::collection::vec(prop::array::uniform4(-10.0..10.0), places as usize),
        ))
    ) {
        let Some(code) = Code::assemble(&sequences, places) else {
            prop_assert!(!Lanes::are_available(), "no code for a processor that has the instructions");
            return Ok(());
        };
        let first = (places - CONDITION_PLACES) as usize;
        for (i, sequence) in sequences.iter().enumerate() {
            let mut lanes: Vec<[f64; 4]> = values.clone();
            let condition = |x: f64| f64::from_bits(if x > 0.0 { !0 } else { 0 });
            lanes[first..].iter_mut().for_each(|lanes| *lanes = lanes.map(condition));
            let mut of_lanes: Vec<Lanes> = lanes.iter().map(|&values| Lanes::of(values)).collect();
            of_lanes.resize(code.places(), Lanes::constant(0.0));
            prop_assert!(code.run(i, &mut of_lanes));
            for lane in 0..4 {
                let mut expected: Vec<f64> = lanes.iter().map(|values| values[lane]).collect();
                let mut plain = expected.clone();
                plain.resize(code.places(), 0.0);
                prop_assert!(code.run(i, &mut plain));
                interpret(sequence, &mut expected);
                for &place in &sequence.kept {
                    let place = place as usize;
                    prop_assert!(same(plain[place], expected[place]), "{} for {}", plain[place], expected[place]);
                    prop_assert!(same(of_lanes[place].lane(lane), expected[place]));
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_executed_is_refused() {
    let add = Instruction { operation: Operation::Add, to: 0, arguments: [1, 7, 0] };
    let sequence = Sequence { instructions: vec![add], kept: vec![0] };
    assert!(Code::assemble(std::slice::from_ref(&sequence), 7).is_none());
    let Some(code) = Code::assemble(&[sequence], 8) else { return };
    assert!(!code.run(1, &mut [0.0; 8]));
    assert!(!code.run(0, &mut [0.0; 7]));
    assert!(!code.run(0, &mut [costate_numerics::scalar::Dual::default(); 8]));
    let mut numbers = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0];
    assert!(code.run(0, &mut numbers));
    assert_eq!(numbers[0], 3.0);
}
