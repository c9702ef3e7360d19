//! Models as they are written, for tests and benchmarks of the compiler.

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

/// Source of the car of bodies.
pub fn car() -> String {
    let model = between(include_str!("../../examples/mechanisms/car.rs"), "costate::model! {", "\n    }\n}");
    format!("{model}\n    }}")
}

/// Name and source of chains of rods with an argument `links`: in the plane, in redundant coordinates, and of bodies
/// with Euler parameters in space.
pub fn chains() -> [(&'static str, String); 2] {
    let model = |name, file| {
        let model = between(file, "costate::model! {", "\n        }\n").replace("$name", name).replace("$links", "3");
        (name, format!("{model}\n        }}"))
    };
    [
        ("PlanarChain", include_str!("../../models/benches/chain.rs")),
        ("SpatialChain", include_str!("../../examples/mechanisms/spatial_chain.rs")),
    ]
    .map(|(name, file)| model(name, file))
}
