//! Mutated models: compiled to valid Rust, or refused with a place in the text.

use costate_compiler::{Arguments, FileError, ModelFile};

#[test]
fn models() {
    let small = b"S {
        parameters { m: kg = 2, c: N/m = 100 }
        coordinates { x[1..=2]: m, y: m }
        mass { for i in 1..=2 { x[i]: m }, y: m }
        forces { x[1]: -c*x[1], y: -c*sin(y/1[m])*1[m] }
        constraints { tie: x[2] - y }
        outputs { load: N = multiplier(tie) }
    }";
    let seeds: [&[u8]; 5] = [
        small,
        include_bytes!("../fixtures/cart_pendulum.model"),
        include_bytes!("../fixtures/strut.model"),
        include_bytes!("../fixtures/table.model"),
        include_bytes!("../fixtures/models.rs"),
    ];
    let words = [
        "dot(",
        "ddot(",
        "for i in 0..9",
        "let",
        "^-1",
        "[N/mm]",
        "sqrt(-1)",
        "costate::model!",
        "///",
        "r#type",
        "0..=1000000000",
    ];
    costate_fuzz::drive("models", &seeds, &words, |bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let file = match ModelFile::from_text("a.model", text) {
            Ok(file) => file,
            Err(error) => return error.to_string(),
        };
        let findings = file.check();
        for finding in findings.errors.iter().chain(&findings.warnings).chain(&findings.notes) {
            assert!(file.text().get(finding.range()).is_some(), "{finding}");
        }
        if let Some(error) = findings.errors.first() {
            return error.message.clone();
        }
        match file.expand(None, &Arguments::new()) {
            Ok(expansion) => {
                assert!(!file.names().is_empty() && expansion.code.contains("pub"));
                "compiled".to_owned()
            }
            Err(error @ FileError::Emission { .. }) => panic!("{error}"),
            Err(FileError::Model { errors, .. }) => errors.first().map_or(String::new(), |error| error.message.clone()),
            Err(error) => error.to_string(),
        }
    });
}
