//! No expression swell: the operations of every emitted function of the published examples, as a snapshot.

use costate_compiler::{Compiled, compile_str};

fn fixture(name: &str) -> Compiled {
    let path = format!("{}/../macros/compiler/tests/fixtures/{name}.model", env!("CARGO_MANIFEST_DIR"));
    compile_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn table(name: &str) -> String {
    let compiled = fixture(name);
    let mut text = format!(
        "{:24} {:>9} {:>9} {:>9} {:>6} {:>6}\n",
        compiled.model.name, "additions", "products", "divisions", "calls", "total"
    );
    let mut total = 0;
    for count in &compiled.operations {
        let sum = count.total();
        total += sum;
        text += &format!(
            "{:24} {:>9} {:>9} {:>9} {:>6} {:>6}\n",
            count.function, count.additions, count.multiplications, count.divisions, count.calls, sum
        );
    }
    text += &format!("{:24} {:>9} {:>9} {:>9} {:>6} {:>6}\n", "all", "", "", "", "", total);
    print!("{text}");
    text
}

#[test]
fn engine_mount() {
    insta::assert_snapshot!(table("engine_mount"));
}

#[test]
fn cart_pendulum() {
    insta::assert_snapshot!(table("cart_pendulum"));
}

#[test]
fn the_same_model_gives_the_same_code() {
    for name in ["engine_mount", "cart_pendulum"] {
        assert_eq!(fixture(name).source().unwrap(), fixture(name).source().unwrap());
    }
}
