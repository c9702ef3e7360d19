//! Files of tables, read while a model is compiled.

use costate_compiler::{TableValues, compile_str};

fn model(table: &str, force: &str) -> String {
    format!(
        "M {{ parameters {{ m: kg = 1 }} tables {{ {table} }} coordinates {{ x: m }} mass {{ x: m }}
        forces {{ x: {force} }} }}"
    )
}

/// The only message, and where it stands: at the file's name.
fn check(table: &str, force: &str, message: &str) {
    let source = model(table, force);
    let place = source.find("\"tests").map(|at| (1, 1 + at));
    let errors = compile_str(&source).map(|_| ()).err().unwrap_or_default();
    let found: Vec<_> = errors.iter().map(|error| (Some(error.position()), error.message.as_str())).collect();
    assert_eq!(found, [(place, message)]);
}

#[test]
fn wrong_files() {
    let curve = |file: &str, message: &str| {
        check(&format!("force(x: m): N = \"tests/data/{file}\""), "-force(x)", message);
    };
    curve(
        "unsorted.csv",
        "the table `tests/data/unsorted.csv`, line 4: the knots of the first argument must increase, and 1 \
         follows 2 (knot 2); sort them",
    );
    curve(
        "decimal_comma.csv",
        "the table `tests/data/decimal_comma.csv`, line 2: column 2: `0;0` is not a number; write decimal points, and \
         one separator between all cells: commas, semicolons or tabs",
    );
    curve("word.csv", "the table `tests/data/word.csv`, line 2: column 2: `two` is not a number");
    curve(
        "ragged.csv",
        "the table `tests/data/ragged.csv`, line 1: 3 columns; a table of one argument has two, the argument \
         and the value",
    );
    check(
        "force(periodic x: m): N = \"tests/data/open.csv\"",
        "-force(x)",
        "the table `tests/data/open.csv`, line 3: the first argument is periodic, but the value is 3 at its \
         last knot and 1 at the first one; the last knot is one period after the first and repeats its value",
    );
    check(
        "force(x: m, v: m/s): N = \"tests/data/ragged.csv\"",
        "-force(x, dot(x))",
        "the table `tests/data/ragged.csv`, line 3: 2 cells instead of 3; every line has as many as the first \
         one, a table is rectangular",
    );
}

#[test]
fn right_files() {
    let source = model("force(x: m, linear v: m/s): N = \"tests/data/surface.csv\"", "-force(x, dot(x))");
    let compiled = compile_str(&source).unwrap();
    let table = &compiled.model.tables[0];
    assert_eq!(table.signature(), "force(x, v)");
    assert!(table.file.as_ref().is_some_and(|file| file.is_absolute()));
    match &table.values {
        Some(TableValues::Surface(grid)) => {
            assert_eq!((&*grid.x, &*grid.y), (&[0.0, 1.5][..], &[-1.0, 0.0, 2.0][..]));
            assert_eq!(grid.values, [1.0, 2.0, 3.0, 4.0, 5.0, -6.5]);
        }
        other => panic!("{other:?}"),
    }
}

/// The tables and the structural arguments of a model are known in its components.
#[test]
fn in_components() {
    let source = "M(stops: usize = 2) {
        component Stop { connections { x: m } forces { for i in 1..=stops { x: -i*force(x)/stops } } }
        tables { force(x: mm): N }
        coordinates { y[1..=stops]: m }
        mass { for i in 1..=stops { y[i]: 1[kg] } }
        components { for i in 1..=stops { stop[i]: Stop { x = y[i] } } }
    }";
    let with_component = compile_str(source).map(|compiled| compiled.operations).unwrap_or_default();
    let source = "M(stops: usize = 2) {
        tables { force(x: mm): N }
        coordinates { y[1..=stops]: m }
        mass { for i in 1..=stops { y[i]: 1[kg] } }
        forces { for k in 1..=stops { for i in 1..=stops { y[k]: -i*force(y[k])/stops } } }
    }";
    assert_eq!(with_component, compile_str(source).unwrap().operations);
    let source = "M {
        component Stop { connections { x: m } tables { force(x: m): N } forces { x: -force(x) } }
        coordinates { y: m } mass { y: 1[kg] } components { stop: Stop { x = y } }
    }";
    let errors = compile_str(source).map(|_| ()).err().unwrap_or_default();
    assert_eq!(
        errors[0].message,
        "a component has no tables of its own; write the block in the model, its tables are known here too"
    );
    assert_eq!(errors.len(), 1, "{errors:?}");
}
