//! A process that is killed while it writes a figure leaves the old one or the new one.
#![allow(clippy::unwrap_used)]

use std::process::Command;
use std::time::Duration;

use costate_view::plot::{Axis, Figure, Line, Panel, color};

fn figure() -> Figure {
    let wave = (0..2000).map(|i| (f64::from(i), (0.05 * f64::from(i)).sin()));
    let panel = Panel::new("t", Axis::new("x"), Axis::new("y"));
    Figure::new(1, (640, 300)).panel(panel.line(Line::new("l", color::GREY, wave)))
}

#[test]
fn the_old_figure_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("figure.svg");
    let text = figure().svg().unwrap();
    figure().write(&path).unwrap();
    let start = || {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "writer", "--ignored"]).env("COSTATE_FIGURE", &path);
        child
    };
    let is_whole = |content: &[u8]| content == text.as_bytes();
    costate_fuzz::kill_while_writing(start, &path, Duration::from_millis(100), is_whole);
    figure().write(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "leftovers");
}

#[test]
#[ignore = "by the test above"]
fn writer() {
    let path = std::env::var_os("COSTATE_FIGURE").unwrap();
    loop {
        figure().write(&path).unwrap();
    }
}
