//! Forms that the models of the examples, whose programs are compared elsewhere, do not use.

use super::super::ast::{Entry, InitialEntry, ModelItem};
use super::*;

fn model(source: &str) -> ModelSyntax {
    let (model, errors) = read(source);
    assert!(errors.is_empty(), "{errors:?}");
    model.unwrap()
}

#[test]
fn forms_that_the_examples_do_not_use() {
    let model = model(
        "pub(crate) Rod {
            parameters { m: kg, l[1..4]: m = 0.5[mm] },
            coordinates { /// along\n x: m, y[1..3]: m };
            mass { (x, y[1]): m*l[1], for i in 1..3 { y[i]: m } x: m }
            constraints { for i in 1..=2 { for k in i..=2 { joint[i]: y[i] - x } } }
            initial { dot(x) = 1, x = if t < 0 { 0 } else { 1 }, dot(y[1]) = 2, }
            outputs { let h = 1/2; /// with\n /// two lines\n f: 1 = h }
        }",
    );
    assert_eq!(model.visibility.to_string().replace(' ', ""), "pub(crate)");
    let ModelItem::Parameters(parameters) = &model.items[0] else { panic!() };
    let Entry::Item(mass) = &parameters.entries[0] else { panic!() };
    assert!(mass.default.is_none());
    let ModelItem::Mass(mass) = &model.items[2] else { panic!() };
    let Entry::Item(pair) = &mass.entries[0] else { panic!() };
    assert_eq!(print_name(pair.column.as_ref().unwrap()), "y[1]");
    assert_eq!(mass.entries.len(), 3);
    let ModelItem::Initial(initial) = &model.items[4] else { panic!() };
    assert!(matches!(&initial.entries[0], Entry::Item(InitialEntry::Value(x)) if x.velocity));
    assert!(matches!(&initial.entries[2],
        Entry::Item(InitialEntry::Value(y)) if y.velocity && print_name(&y.coordinate) == "y[1]"));
    let ModelItem::Outputs(outputs) = &model.items[5] else { panic!() };
    let Entry::Item(output) = &outputs.entries[1] else { panic!() };
    assert_eq!(output.documentation, ["with", "two lines"]);
}

#[test]
fn an_empty_body_is_a_model() {
    assert!(model("Empty {}").items.is_empty());
    assert!(model("Empty { forces {} }").visibility.is_empty());
}
