//! `costate report`.

use super::support::{ROW, costate, folder_with, refused};

fn report(arguments: &[&str]) -> String {
    let folder = folder_with(ROW);
    let said = costate(folder.path(), &[&["report", "model.rs", "--model", "Row"], arguments].concat());
    assert!(said.success, "{}", said.stderr);
    said.stdout
}

#[test]
fn in_markdown() {
    insta::assert_snapshot!(report(&["--format", "markdown"]));
}

#[test]
fn in_html() {
    insta::assert_snapshot!(report(&[]));
}

/// A browser needs nothing else: no scripts, no styles and no pictures from elsewhere, and every formula is readable.
#[test]
fn nothing_from_elsewhere() {
    let page = report(&["--set", "masses=5"]);
    for foreign in ["http", "<script", "<link", "<img", "@import", "merror", "url("] {
        let clean = page.replace("http://www.w3.org/1998/Math/MathML", "");
        assert!(!clean.contains(foreign), "{foreign}");
    }
    assert!(page.matches("<svg").count() == 3 && page.matches("<math").count() > 20);
    // M of 5 masses and the end, and the entries of the constraint.
    assert!(page.contains("Mass matrix M: 6 x 6, 6 entries (16.7 %)"), "{page}");
    assert!(page.contains("Constraint Jacobian C_q: 1 x 6, 2 entries (33.3 %)"), "{page}");
    assert_eq!(page, report(&["--set", "masses=5"]));
}

/// Names that stand for different expressions in a loop are told apart, and what would fill pages gets a name.
#[test]
fn long_formulas() {
    let folder = folder_with(
        "costate::model! {
            Knots {
                coordinates { x: m }
                mass { x: 1[kg] }
                let a = value(x, m);
                let b = sin(a) + cos(a)*a + exp(a)/(2 + a^2);
                let c = (b + sqrt(1 + b^2))*(b - sqrt(1 + b^2))/(3 + b);
                forces {
                    for i in 1..=3 { let knot = sin(i*a)*c; x: knot*1[N] + knot^2*1[N] },
                    for i in 1..=80 { x: sin(i*a)*cos(a/i)*1[N] },
                }
            }
        }",
    );
    let said = costate(folder.path(), "report model.rs --format markdown");
    assert!(said.success, "{}", said.stderr);
    for name in [r"\mathrm{knot}_{1} = ", r"\mathrm{knot}_{2} = ", r"\mathrm{knot}_{3} = ", "$$b = ", "$$c = "] {
        assert!(said.stdout.contains(name), "{name}: {}", said.stdout);
    }
    assert!(said.stdout.lines().all(|line| line.len() < 4000), "{}", said.stdout);
}

#[test]
fn mistakes() {
    let folder = folder_with(ROW);
    let cases = [
        ("", 1, "error: `model.rs` has several models, choose one of them: `Row`, `LongRow`\n"),
        ("--model Column", 1, "error: `model.rs` has no model `Column`; it has `Row`, `LongRow`\n"),
        ("--model Row -o no/such/page.html", 1, "error: cannot write `no/such/page.html`: "),
        ("--model Row --format pdf", 2, "error: invalid value 'pdf' for '--format"),
    ];
    refused(folder.path(), "report model.rs", &cases);
}

#[test]
fn to_a_file() {
    let folder = folder_with(ROW);
    let said = costate(folder.path(), "report model.rs --model Row -o row.html");
    assert!(said.success && said.stdout.is_empty(), "{}", said.stderr);
    assert_eq!(std::fs::read_to_string(folder.path().join("row.html")).unwrap(), report(&[]));
}

/// A table's data are drawn, and one that is given to a run has none.
#[test]
fn tables_have_pictures() {
    let folder = folder_with(
        "costate::model! {
            Damped {
                parameters { m: kg = 1 }
                tables { damper(speed: m/s): N = \"damper.csv\", stop(x: m): N }
                coordinates { x: m }
                mass { x: m }
                forces { x: -damper(dot(x)) - stop(x) }
            }
        }",
    );
    std::fs::write(folder.path().join("damper.csv"), "-1,-3\n0,0\n1,5\n").unwrap();
    std::fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"damped\"\n").unwrap();
    let said = costate(folder.path(), "report model.rs");
    assert!(said.success, "{}", said.stderr);
    assert!(said.stdout.contains("The table damper: values at the knots"), "{}", said.stdout);
    assert!(said.stdout.contains("speed [m/s]") && !said.stdout.contains("The table stop"));
}
