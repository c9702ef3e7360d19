//! The ready-made models as they are written, for tests and benchmarks of the compiler.

/// The text between two marks; empty if a mark is missing.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    text.split_once(from).and_then(|(_, rest)| rest.split_once(to)).map_or("", |(inside, _)| inside)
}

/// The engine's `model!` as the macro around it writes it, in its form `name`; tables are found from the folder of this
/// crate.
pub fn engine(name: &str) -> String {
    let file = include_str!("../../models/src/four_cylinder_engine.rs");
    let model = between(file, "costate::model! {", "\n        }\n");
    let pressure = between(file, &format!("{name},\n    pressure = {{ "), " },\n");
    let blocks = between(file, &format!("pressure = {{ {pressure} }},\n"), "\n}\n");
    model
        .replace("$documentation", "\"An engine.\"")
        .replace("$name", name)
        .replace("$($pressure)*", pressure)
        .replace("$($blocks)*", &blocks.replace("data/", "../models/data/"))
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
