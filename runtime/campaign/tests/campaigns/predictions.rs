//! Tests of predictions in campaigns: what is refused, with its place.

use std::error::Error;
use std::fs;
use std::path::Path;

use costate::measure::{FrequencyResponse, write_responses_uff};
use costate::simulate::Interrupt;
use costate_campaign::place::Text;
use costate_campaign::{Loaded, build, parse};

const RIG: &str = "costate::model! {
    pub Rig {
        parameters { m: kg = 2, c: N/m = 800, d: N*s/m = 3 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - d*dot(x) }
        initial { x = 0[m], dot(x) = 0[m/s] }
        outputs { position: m = x }
    }
}";

/// Returns the message of a campaign with this experiment, with its causes.
fn refused(folder: &Path, inputs: &str, experiment: &str) -> String {
    let text = format!("[model]\nfile = \"rig.rs\"\n[unknowns.c]\n[inputs]\n{inputs}\n[[experiment]]\n{experiment}\n");
    let file = Text::new(&folder.join("campaign.toml"), &text, &[]);
    let built = parse(&file).and_then(|campaign| {
        let file = campaign.model_file().unwrap();
        let loaded = Loaded::of_compiled(&file, file.compile(None, &Default::default()).unwrap()).unwrap();
        build::identification(&campaign, &loaded, &Interrupt::default(), &|_| ())
    });
    let Err(error) = built else { panic!("not refused: {experiment}") };
    assert!(error.place.line().is_some_and(|line| line > 4), "{error}");
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        message += &format!(": {source}");
        cause = source.source();
    }
    message
}

#[test]
fn mistakes_name_field_value_and_limit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("rig.rs"), RIG).unwrap();
    let made = FrequencyResponse::new("tap", vec![1.0, 2.0], vec![1e-3; 2], vec![-1e-4; 2]).unwrap();
    write_responses_uff(&[made.clone(), made.clone()], folder.join("two.unv")).unwrap();
    made.clone().in_units("m", "N").write_csv(folder.join("one.csv")).unwrap();
    made.write_csv(folder.join("bare.csv")).unwrap();
    let mut windowed = made.in_units("N", "m");
    windowed.added_decay = 3.0;
    windowed.write_csv(folder.join("windowed.csv")).unwrap();
    fs::write(folder.join("modes.csv"), "mode,frequency [m]\n1,3.2\n").unwrap();
    fs::write(folder.join("half.csv"), "mode,frequency\n1.5,3.2\n").unwrap();
    let modes = |fields: &str| format!("[[experiment.modes]]\n{fields}");
    let response =
        |fields: &str| format!("[[experiment.responses]]\ninput = \"drive\"\noutput = \"position\"\n{fields}");
    let stiffness =
        |fields: &str| format!("[[experiment.stiffness]]\ninput = \"drive\"\noutput = \"position\"\n{fields}");
    let still = "drive = 0.0";
    let mut wrong = Vec::new();
    for (inputs, experiment, parts) in [
        (still, modes("ratios = [0.1]"), ["`experiment.modes`", "the field `frequencies` is missing"]),
        (
            still,
            modes("frequencies = [3, 4]\nratios = [0.1]\nmodes = [1, 2]"),
            ["cannot be predicted", "there is no mode 2"],
        ),
        (
            still,
            modes("frequencies = [3]\nratios = [0.1, 0.2]"),
            ["`ratios` has 2 numbers for 1 modes", "experiment.modes"],
        ),
        (still, modes("frequencies = [3]\nmodes = [0]"), ["`experiment.modes.modes`", "from 1"]),
        (still, modes("frequencies = [3]\nfile = \"modes.csv\""), ["`file`", "exclude each other"]),
        (still, modes("file = \"modes.csv\""), ["frequency", "Hz"]),
        (still, modes("file = \"half.csv\""), ["1.5 is no number of a mode", "modes.file"]),
        (still, modes("frequencies = [3]\nhold = [\"y\"]"), ["the model has no coordinate `y`", "hold"]),
        (still, response("file = \"two.unv\""), ["has 2 responses", "`function = 1` to `function = 2`"]),
        (still, response("file = \"two.unv\"\nfunction = 3"), ["responses.function", "has 2 responses"]),
        (still, response("file = \"none.csv\""), ["responses.file", "none.csv"]),
        (still, response("file = \"one.csv\"\nunit = \"m/N\""), ["responses.unit", "(m)/(N)"]),
        (still, response("file = \"bare.csv\"\nunit = \"kg\""), ["cannot be compared", "kg"]),
        (still, response("file = \"one.csv\"\nband = [5, 9]"), ["5 to 9 Hz", "from 1 to 2 Hz"]),
        (still, response("file = \"one.csv\"\nform = \"phase\""), ["responses.form", "cannot stand here"]),
        (
            still,
            response("file = \"one.csv\"\nover = \"position\"\nstiffness = true"),
            ["`over`", "exclude each other"],
        ),
        (
            still,
            stiffness("files = [\"one.csv\"]\namplitudes = [1, 2]"),
            ["stiffness.amplitudes", "as many amplitudes as there are files"],
        ),
        (still, stiffness("files = [\"one.csv\"]\namplitudes = [-1e-3]"), ["-0.001 is out of range", "above 0"]),
        (
            still,
            stiffness("files = [\"windowed.csv\"]\namplitudes = [1e-3]"),
            ["has added the decay 3 1/s", "without an exponential window"],
        ),
        (still, "name = \"empty\"".to_owned(), ["the field `record` is missing", "experiment"]),
        (
            still,
            format!("measured.position = {{}}\n{}", modes("frequencies = [3]")),
            ["measured.position", "needs a record"],
        ),
    ] {
        let message = refused(folder, inputs, &experiment);
        if !parts.iter().all(|part| message.contains(part)) {
            wrong.push(format!("{message}\n{parts:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
