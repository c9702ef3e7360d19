//! Tests of the reader of campaign files.

use std::path::{Path, PathBuf};

use costate_campaign::place::Text;
use costate_campaign::values::{Duration, Pair, Time};
use costate_campaign::{Campaign, Owner, Signal, parse};

/// The campaign of the book.
fn of_the_book() -> &'static str {
    let chapter = include_str!("../../../../book/src/command_fits.md");
    chapter.split("```toml\n").nth(1).unwrap().split("```").next().unwrap()
}

fn read(text: &str) -> Result<Campaign, String> {
    parse(&Text::new(Path::new("bench/campaign.toml"), text, &[PathBuf::from("/data")]))
        .map_err(|error| error.to_string())
}

#[test]
fn the_campaign_of_the_book() {
    let campaign = read(of_the_book()).unwrap();
    assert_eq!(*campaign.model.file, *Path::new("bench/mount.rs"));
    let unknowns: Vec<_> = campaign.unknowns.iter().map(|one| (one.name.value.as_str(), one.value.owner.0)).collect();
    assert_eq!(unknowns, [("c", Owner::All), ("d", Owner::All), ("preload", Owner::Group)]);
    assert_eq!(campaign.run.step, Some(Duration(1e-3)));
    let records: Vec<_> =
        campaign.experiments.iter().map(|one| one.record.as_ref().unwrap().to_str().unwrap()).collect();
    assert_eq!(records, ["bench/low.csv", "bench/high.csv", "bench/preloaded.csv", "bench/check.csv"]);
    assert!(matches!(campaign.experiments[3].inputs[0].value.signal, Some(Signal::Expression(_))));
    assert!(campaign.experiments[3].validation);
    // the second experiment completes what is said for all
    let completed = campaign.experiments[1].measured[0].value.clone().over(&campaign.measured[0].value);
    assert_eq!(completed.without, Some(vec![Pair(Time(0.42), Time(0.45))]));
    assert_eq!(completed.channel.unwrap().value, "laser 1");
    assert!(completed.offset.unwrap().is_unknown);
}

#[test]
fn places_are_those_of_the_values() {
    let text = of_the_book().replace("d = 200", "d = \"200[parsec]\"");
    let campaign = read(&text).unwrap();
    let error = campaign.parameters[1].value.finite("d", "N*s/m").unwrap_err();
    let line = 1 + text.lines().position(|line| line.contains("parsec")).unwrap();
    assert_eq!(error.place.line(), Some(line));
    assert!(
        error.to_string().starts_with(&format!("`bench/campaign.toml`, line {line}, `parameters.d`: 200 [parsec]"))
    );
}

/// Values of a list are refused at their own places, also where serde has read them and a check refuses them.
#[test]
fn a_value_of_a_list_is_refused_at_its_place() {
    let head = "model.file = \"m\"\nexperiment = [{ record = \"r\" }]\n";
    for (line, value) in [
        ("tables.f.unknown = { typical = 1, kinks = [0, inf] }", "inf"),
        ("tables.f.unknown = { typical = 1, shapes = [\"odd\", \"between\"] }", "\"between\""),
        ("measured.y.without = [[0, 1], [2, \"3[kg]\"]]", "\"3[kg]\""),
        ("measured.y.windows = [[0, 1], [2]]", "[2]"),
        ("unknowns.c.bounds = [0, true]", "true"),
        ("model.allow_files = [\"a\", \"/b\"]", "\"/b\""),
        ("run.judge = [\"a\", 3]", "3"),
    ] {
        let text = format!("{head}{line}\n");
        let error = parse(&Text::new(Path::new("bench/campaign.toml"), &text, &[])).unwrap_err();
        assert_eq!(error.place.start(), head.len() + line.rfind(value).unwrap(), "{error}");
    }
}

/// The mistake that the chapter shows.
#[test]
fn the_mistake_of_the_book() {
    let text = of_the_book().replace("bounds = [\"5[N/mm]", "bound = [\"5[N/mm]");
    let message = "there is no field `bound` in `unknowns.c`; did you mean `bounds`?";
    assert_eq!(read(&text).unwrap_err(), format!("`bench/campaign.toml`, line 14, `unknowns.c.bound`: {message}"));
    let chapter = include_str!("../../../../book/src/command_fits.md");
    assert!(chapter.contains(&format!("error: `unknowns.c.bound`: {message}\n  --> campaign.toml:14:1\n")));
}

/// Mutated campaigns are read or refused with a place.
#[test]
fn mutated_campaigns() {
    let further = "[model]\nfile = \"a\"\n[inputs.u]\nunknown = { interval = 1e-3, typical = 1, window = [0, 1] \
         }\n[tables.f.unknown]\n\
        typical = 1\nshapes = [\"odd\", { between = [0, inf] }]\nkinks = [0]\n[optimizer]\nmethod = { \
        limited_memory_bfgs = 3 }\n\
        [run]\nscheme = { hht = -0.1 }\ncheckpoints = { within = 10 }\n[[experiment]]\nrecord = \"b\"\n\
        measured.y = { delay = { start = 0, bounds = [-1, 1] }, noise = { coefficients = [0.5], deviation = 1 } }\n";
    let seeds: [&[u8]; 2] = [of_the_book().as_bytes(), further.as_bytes()];
    costate_fuzz::drive("campaigns", &seeds, &["[experiment", "unknown = ", "nan", "[[", "= {"], |bytes| {
        match read(&String::from_utf8_lossy(bytes)) {
            Ok(_) => "read".to_owned(),
            Err(message) => {
                assert!(message.starts_with("`bench/campaign.toml`, line "), "{message}");
                message
            }
        }
    });
}
