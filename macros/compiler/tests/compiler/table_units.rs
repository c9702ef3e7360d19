//! Units in the headings of tables' files.

use costate_compiler::{TableValues, compile_str};

fn model(table: &str, force: &str) -> String {
    format!(
        "M {{ parameters {{ m: kg = 1 }} tables {{ {table} }} coordinates {{ x: m }} mass {{ x: m }}
        forces {{ x: {force} }} }}"
    )
}

fn values(table: &str, force: &str) -> TableValues {
    compile_str(&model(table, force)).unwrap().model.tables[0].values.clone().unwrap()
}

fn error(table: &str, force: &str) -> String {
    let errors = compile_str(&model(table, force)).map(|_| ()).unwrap_err();
    assert_eq!(errors.len(), 1);
    errors[0].message.clone()
}

#[test]
fn columns_are_converted_to_the_declared_units() {
    let TableValues::Curve(grid) = values("f(x: m): N = \"tests/data/spring.csv\"", "-f(x)") else { panic!("a curve") };
    assert_eq!((&*grid.x, &*grid.values), (&[0.0, 0.5, 1.0][..], &[0.0, 2000.0, 3000.0][..]));
    let TableValues::Curve(grid) = values("f(x: mm): kN = \"tests/data/spring.csv\"", "-f(x)") else {
        panic!("a curve")
    };
    assert_eq!((&*grid.x, &*grid.values), (&[0.0, 500.0, 1000.0][..], &[0.0, 2.0, 3.0][..]));
}

#[test]
fn corners_have_the_units_of_both_arguments() {
    for (file, factor) in [("bracketed", 1.0), ("all_units", 1000.0)] {
        let table = format!("f(v: m/s, x: m): N = \"tests/data/{file}.csv\"");
        let TableValues::Surface(grid) = values(&table, "-f(dot(x), x)") else { panic!("a surface") };
        assert_eq!((&*grid.x, &*grid.y), (&[0.0, 10.0][..], &[0.0, 0.5][..]));
        assert_eq!(grid.values, [1.0, 2.0, 3.0, 4.0].map(|value| factor * value));
    }
}

#[test]
fn units_that_do_not_fit_are_named() {
    assert_eq!(
        error("f(x: m): kg/s = \"tests/data/spring.csv\"", "-f(x)*dot(x)"),
        "the table `tests/data/spring.csv`, line 1: `force` is in `kN`, `f` in `kg/s`: `kN` is in SI units `N`, which \
             does \
         not fit `N*s/m`; correct the unit, or choose other data"
    );
    let said = error("f(x: m): N = \"tests/data/level.csv\"", "-f(x)");
    assert!(said.contains("`level` is in `dB`, `f` in `N`") && said.contains("amplitudes"), "{said}");
    let said = error("f(v: m/s, x: m): N = \"tests/data/half_units.csv\"", "-f(dot(x), x)");
    assert!(said.contains("the corner `v [km/h] \\ x` has 1 units"), "{said}");
    let said = error("f(v: m/s, x: m): N = \"tests/data/bare_units.csv\"", "-f(dot(x), x)");
    assert!(said.contains("`mm` is in `mm`, `v` in `m/s`"), "{said}");
}
