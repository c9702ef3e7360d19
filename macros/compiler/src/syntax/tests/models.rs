//! The two models that specify the language, and the forms that they do not use.

use super::super::ast::{ConnectedSyntax, DeclaredIndex, Entry, InitialEntry, ModelItem, OfSyntax};
use super::*;

fn model(source: &str) -> ModelSyntax {
    let (model, errors) = read(source);
    assert!(errors.is_empty(), "{errors:?}");
    model.unwrap()
}

fn keywords(model: &ModelSyntax) -> Vec<String> {
    let keyword = |item: &ModelItem| match item {
        ModelItem::Parameters(block) => block.keyword.to_string(),
        ModelItem::Inputs(block) | ModelItem::Coordinates(block) => block.keyword.to_string(),
        ModelItem::Mass(block) => block.keyword.to_string(),
        ModelItem::Forces(block) => block.keyword.to_string(),
        ModelItem::Constraints(block) => block.keyword.to_string(),
        ModelItem::Outputs(block) => block.keyword.to_string(),
        ModelItem::Initial(block) => block.keyword.to_string(),
        ModelItem::Tables(block) => block.keyword.to_string(),
        ModelItem::Let(statement) => format!("let {}", statement.name),
        ModelItem::Component(component) => format!("component {}", component.name),
        ModelItem::If(_) => "if".to_owned(),
        ModelItem::Components(block) => block.keyword.to_string(),
        ModelItem::Connections(block) => block.keyword.to_string(),
        ModelItem::Energies(_, block) => block.keyword.to_string(),
        ModelItem::Bodies(block) => block.keyword.to_string(),
        ModelItem::Gravity(block) => block.keyword.to_string(),
        ModelItem::Joints(block) | ModelItem::Elements(block) => block.keyword.to_string(),
    };
    model.items.iter().map(keyword).collect()
}

#[test]
fn engine_mount() {
    let model = model(ENGINE_MOUNT);
    assert_eq!(model.name, "EngineMount");
    assert_eq!(model.visibility.to_string(), "pub");
    assert_eq!(model.documentation, ["Hydraulic engine mount (Lauss et al. 2018, section 5)."]);
    assert_eq!(
        keywords(&model),
        [
            "parameters",
            "inputs",
            "coordinates",
            "mass",
            "let elastomer",
            "let fluid",
            "forces",
            "constraints",
            "outputs"
        ]
    );
    let ModelItem::Parameters(parameters) = &model.items[0] else { panic!() };
    assert_eq!(parameters.entries.len(), 14);
    let Entry::Item(elastomer) = &parameters.entries[3] else { panic!() };
    assert_eq!(elastomer.name.ident, "c_e1");
    assert_eq!(elastomer.documentation, ["Elastomer: linear and cubic stiffness, damping."]);
    assert_eq!(elastomer.unit.text, "N/m");
    assert_eq!(print(elastomer.default.as_ref().unwrap()), "123000");
    let ModelItem::Let(statement) = &model.items[4] else { panic!() };
    assert_eq!(print(&statement.value), "(((c_e1 * x1) + (c_e2 * (x1 ^ 3))) + (d_e * dot(x1)))");
}

#[test]
fn cart_pendulum() {
    let model = model(CART_PENDULUM);
    assert_eq!(model.name, "CartPendulum");
    let ModelItem::Coordinates(coordinates) = &model.items[2] else { panic!() };
    let Entry::Item(x) = &coordinates.entries[1] else { panic!() };
    let Some(DeclaredIndex::Range(range)) = &x.name.index else { panic!() };
    assert!(range.inclusive);
    assert_eq!((print(&range.first), print(&range.last)), ("1".to_owned(), "3".to_owned()));
    assert_eq!(marked(CART_PENDULUM, range.place), "1..=3");
    let ModelItem::Forces(forces) = &model.items[5] else { panic!() };
    let Entry::For(repeated) = &forces.entries[3] else { panic!() };
    assert_eq!(repeated.variable, "i");
    assert!(matches!(repeated.entries[..], [Entry::Let(_), Entry::Item(_), Entry::Item(_)]));
    let ModelItem::Initial(initial) = &model.items[7] else { panic!() };
    let Entry::For(repeated) = &initial.entries[0] else { panic!() };
    let Entry::Item(InitialEntry::Value(y)) = &repeated.entries[0] else { panic!() };
    assert_eq!((print_name(&y.coordinate), y.velocity), ("y[i]".to_owned(), false));
    assert_eq!(print(&y.value), "((-(i - (1 / 2))) * l)");
}

#[test]
fn crank_train() {
    let model = model(CRANK_TRAIN);
    let components = ["component Cylinder", "component Spring", "component Link"];
    assert_eq!(keywords(&model)[..3], components);
    let ModelItem::Component(cylinder) = &model.items[0] else { panic!() };
    assert_eq!(cylinder.documentation, ["Slider-crank of one cylinder."]);
    let ModelItem::Connections(connections) = &cylinder.items[0] else { panic!() };
    let Entry::Item(crank) = &connections.entries[0] else { panic!() };
    let ConnectedSyntax::Coordinate(unit) = &crank.to else { panic!() };
    assert_eq!((crank.name.ident.to_string(), unit.text.as_str()), ("crank".to_owned(), "rad"));
    let components = model.items.iter().find_map(|item| match item {
        ModelItem::Components(block) => Some(block),
        _ => None,
    });
    let [Entry::For(repeated), Entry::Item(link)] = &components.unwrap().entries[..] else { panic!() };
    let [Entry::Let(_), Entry::Item(cylinder)] = &repeated.entries[..] else { panic!() };
    assert_eq!(cylinder.documentation, ["Cylinder on a throw."]);
    assert!(matches!(&cylinder.of, OfSyntax::Component(component) if component == "Cylinder"));
    let Entry::Item(binding) = &cylinder.bindings[0] else { panic!() };
    assert_eq!((print_name(&binding.name), print(&binding.value)), ("crank".to_owned(), "phi[(k + 1)]".to_owned()));
    let Entry::Item(binding) = &link.bindings[1] else { panic!() };
    assert_eq!(marked(CRANK_TRAIN, binding.value.place), "cylinder[2].z");
    assert!(matches!(link.bindings[2], Entry::For(_)));
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
