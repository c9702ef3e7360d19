//! The ready-made models as they are written, for tests and benchmarks of the compiler.

/// The text between two marks; empty if a mark is missing.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    text.split_once(from).and_then(|(_, rest)| rest.split_once(to)).map_or("", |(inside, _)| inside)
}

/// The engine in its form `name`, as a model of its own; tables are found from the folder of this crate.
pub fn engine(name: &str) -> String {
    let file = include_str!("../../models/src/four_cylinder_engine.rs");
    let model = between(file, "costate::model! {", "\n    }\n");
    let mapped = format!("pressure_map: bool = {}", name == "MappedEngine");
    let model = model
        .replace("pub FourCylinderEngine(", &format!("pub {name}("))
        .replace("pressure_map: bool = false", &mapped)
        .replace("data/", "../models/data/");
    format!("{model}\n    }}")
}

/// Name and source of every published model.
pub fn published() -> Vec<(&'static str, String)> {
    let model = |text: &str| between(text, "costate::model! {", "\n}\n").to_owned();
    vec![
        ("EngineMount", model(include_str!("../../models/src/engine_mount.rs"))),
        ("CartPendulum", model(include_str!("../../models/src/cart_pendulum.rs"))),
        ("FourCylinderEngine", engine("FourCylinderEngine")),
        ("MappedEngine", engine("MappedEngine")),
    ]
}
