//! `costate animate`.

use std::path::Path;
use std::process::Command;

use super::support::{PENDULUM, costate, folder_with};

/// The file of a run of 100 samples: a swing that is not computed, and where the rod is.
fn written(folder: &Path) -> Vec<[f64; 7]> {
    let row = |k: u32| {
        let time = 0.02 * f64::from(k);
        let (x, angle) = (0.3 * (3.0 * time).sin(), 0.7 * (5.0 * time).cos());
        [time, x, 0.0, 0.0, x + 0.25 * angle.sin(), -0.25 * angle.cos(), angle]
    };
    let rows: Vec<[f64; 7]> = (0..100).map(row).collect();
    let mut text = "time [s],cart.x [m],cart.y,cart.angle,rod.x [mm],rod.y,angle\n".to_owned();
    for [time, x, y, turn, rod_x, rod_y, angle] in &rows {
        text += &format!("{time},{x},{y},{turn},{},{rod_y},{angle}\n", 1000.0 * rod_x);
    }
    std::fs::write(folder.join("run.csv"), text).unwrap();
    rows
}

/// The numbers of single precision in base 64.
fn numbers(text: &str) -> Vec<f32> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    let digits: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(value).collect();
    for chunk in digits.chunks(4) {
        let bits = chunk.iter().fold(0u32, |bits, digit| bits << 6 | u32::from(*digit)) << (6 * (4 - chunk.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..chunk.len()]);
    }
    bytes.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

#[test]
fn positions_on_the_page_are_those_of_the_run() {
    let folder = folder_with(PENDULUM);
    let rows = written(folder.path());
    let said = costate(folder.path(), "animate model.rs --run run.csv -o run.html");
    assert!(said.success, "{}", said.stderr);
    let page = std::fs::read_to_string(folder.path().join("run.html")).unwrap();
    for foreign in ["http:", "https:", "<link", "<img", "@import", "url(", "fetch(", "XMLHttpRequest", "src="] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let run = &data["runs"][0];
    assert_eq!(run["frames"], 100);
    assert!((run["interval"].as_f64().unwrap() - 0.02).abs() < 1e-12);
    let found = numbers(run["coordinates"].as_str().unwrap());
    let wanted: Vec<f64> = rows.iter().flat_map(|row| row[1..].to_vec()).collect();
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(&wanted) {
        assert!((f64::from(*found) - wanted).abs() <= 1e-7 * wanted.abs().max(0.1), "{found} {wanted}");
    }
    let names = |of: &str| -> Vec<String> {
        run[of].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        (names("bodies"), names("plots")),
        (vec!["cart".to_owned(), "rod".to_owned()], vec!["angle".to_owned()])
    );
}

/// Khronos' validator finds no error in the glTF, in both forms. It is a package of npm, `gltf-validator`, which has to
/// be where node finds it (`NODE_PATH`).
#[test]
fn gltf_is_valid() {
    let folder = folder_with(PENDULUM);
    written(folder.path());
    for file in ["run.gltf", "run.glb"] {
        let said = costate(folder.path(), &["animate", "model.rs", "--run", "run.csv", "-o", file]);
        assert!(said.success, "{}", said.stderr);
        let check = format!(
            "require('gltf-validator').validateBytes(new Uint8Array(require('fs').readFileSync('{file}')))\
             .then(report => console.log(JSON.stringify(report.issues)))"
        );
        let output = Command::new("node").current_dir(folder.path()).args(["-e", &check]).output();
        let Some(output) = output.ok().filter(|output| output.status.success()) else {
            println!("skipped: there is no node, or no package gltf-validator for it");
            return;
        };
        let issues: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&issues["numErrors"], &issues["numWarnings"]), (&0.into(), &0.into()), "{issues}");
    }
    let text = std::fs::read_to_string(folder.path().join("run.gltf")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let nodes = document["nodes"].as_array().unwrap();
    assert!(["cart", "rod", "back", "pin"].iter().all(|name| nodes.iter().any(|node| node["name"] == *name)));
}

#[test]
fn a_still_is_at_its_time() {
    let folder = folder_with(PENDULUM);
    written(folder.path());
    let still = |at: &str| {
        let arguments = ["animate", "model.rs", "--run", "run.csv", "-o", "run.svg", "--at", at];
        let said = costate(folder.path(), &arguments);
        assert!(said.success, "{}", said.stderr);
        std::fs::read_to_string(folder.path().join("run.svg")).unwrap()
    };
    let (start, later) = (still("0"), still("1"));
    assert!(start.starts_with("<svg") && start.contains(">rod</text>") && start != later);
    assert_eq!(later, still("1.004"));
}

#[test]
fn mistakes() {
    let folder = folder_with(PENDULUM);
    let said = |arguments: &[&str]| {
        let said = costate(folder.path(), &[&["animate", "model.rs"], arguments].concat());
        assert!(!said.success);
        said.stderr
    };
    written(folder.path());
    std::fs::write(folder.path().join("short.csv"), "time,cart.x,angle\n0,0,0\n1,0,0\n").unwrap();
    let text = said(&["--run", "short.csv", "-o", "a.html"]);
    assert!(text.contains("`short.csv` has no column for `cart.y`, `cart.angle`, `rod.x`, `rod.y`"), "{text}");
    std::fs::write(folder.path().join("wrong.csv"), "time,cart.x [kg]\n0,0\n1,x\n").unwrap();
    let text = said(&["--run", "wrong.csv", "-o", "a.html"]);
    assert!(text.contains("`wrong.csv`: column `cart.x`"), "{text}");
    std::fs::write(folder.path().join("still.csv"), "time,cart.x\n0,0\n0,1\n").unwrap();
    let text = said(&["--run", "still.csv", "-o", "a.html"]);
    assert!(
        text.contains(
            "has a time column of 2 values that cannot be used; write a column `time` in s with two or more \
             increasing values"
        ),
        "{text}"
    );
    let text = said(&["--run", "run.csv", "-o", "a.mp4"]);
    assert!(text.contains("`a.mp4` has no ending of a picture; write `.html`"), "{text}");
    let text = said(&["-o", "a.html", "--input", "push=1"]);
    assert!(text.contains("model `Pendulum` has no input `push`"), "{text}");
    let text = said(&["-o", "a.html", "--until=-1"]);
    assert!(text.contains("write a number above 0"), "{text}");
}

/// The page of a model shows its mechanism: where loops close, at positions that its joints allow.
#[test]
fn reports_show_the_mechanism_at_its_start() {
    let folder = folder_with(PENDULUM);
    let page = costate(folder.path(), "report model.rs").stdout;
    let mechanism = page.split_once("<h2>Mechanism</h2>").unwrap().1.split_once("<h2>").unwrap().0;
    assert!(mechanism.contains("<svg") && mechanism.contains("spring and damper"), "{mechanism}");
    assert!(mechanism.contains("degrees of freedom: 2"), "{mechanism}");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/four_bar.model");
    let page = costate(folder.path(), &["report", golden]).stdout;
    assert!(page.contains("<svg") && page.contains("degrees of freedom: 1"));
    let apart = PENDULUM.replace("rail: ", "far: distance(ground.at(9[m], 9[m]), rod, length = 1[m]), rail: ");
    std::fs::write(folder.path().join("model.rs"), apart).unwrap();
    let page = costate(folder.path(), "report model.rs").stdout;
    assert!(page.contains("does not fit together"), "{page}");
}

/// Tests that the model is run in the process of the command: its cart hangs on a spring that pulls it from the start.
#[test]
fn the_model_is_run() {
    let folder = folder_with(PENDULUM);
    let arguments = ["animate", "model.rs", "-o", "run.html", "--until", "2", "-p", "c=80[N/m]", "--json"];
    let said = costate(folder.path(), &arguments);
    assert!(said.success, "{}", said.stderr);
    assert_eq!(said.json(), serde_json::json!({ "file": "run.html", "doubt": null }));
    let page = std::fs::read_to_string(folder.path().join("run.html")).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["text"], "A pendulum on a cart.");
    let run = &data["runs"][0];
    let length = run["interval"].as_f64().unwrap() * (run["frames"].as_f64().unwrap() - 1.0);
    assert!((length - 2.0).abs() < 0.01, "{length}");
    let coordinates = numbers(run["coordinates"].as_str().unwrap());
    let cart: Vec<f32> = coordinates.iter().step_by(6).copied().collect();
    let range = |values: &[f32]| values.iter().fold(0.0_f32, |most, x| most.max((x - values[0]).abs()));
    assert!(range(&cart) > 0.01, "{}", range(&cart));
}

/// Comments of a model are shown, whatever is in them: the page's data are JSON, and neither end the script nor turn
/// lines round.
#[test]
fn any_text_is_shown() {
    let text = "<!-- </script><script>alert(1)</script> \u{202e}turned \u{2066}round";
    let folder = folder_with(&PENDULUM.replace("A pendulum on a cart.", text));
    written(folder.path());
    let own = |name: &str| folder.path().join(name);
    std::fs::write(own("run.html"), "old").unwrap();
    std::fs::hard_link(own("run.html"), own("second.html")).unwrap();
    let said = costate(folder.path(), "animate model.rs --run run.csv -o run.html");
    assert!(said.success, "{}", said.stderr);
    assert_eq!(std::fs::read_to_string(own("second.html")).unwrap(), "old");
    let page = std::fs::read_to_string(own("run.html")).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    assert!(!data.contains('<') && !data.contains(['\u{202e}', '\u{2066}']));
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let shown = "<!-- </script><script>alert(1)</script> \u{fffd}turned \u{fffd}round";
    assert_eq!(data["text"], shown);
    let report = costate(folder.path(), "report model.rs").stdout;
    assert!(report.contains("&lt;!-- &lt;/script&gt;") && !report.contains('\u{202e}'));
}
