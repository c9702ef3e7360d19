//! Reading a million lines of four numbers, compared with the crate `csv` alone in the same run.
//!
//! `cargo bench -p costate-measure` prints the times of both, the least of several trials, and their ratio.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write;
use std::time::Instant;

use costate_measure::record::Record;

const LINES: usize = 1_000_000;

/// Reads bytes and parses numbers, as a program would that knows the file.
fn plain(path: &std::path::Path) -> Vec<Vec<f64>> {
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(1 << 16).from_path(path).unwrap();
    let mut table = vec![Vec::new(); 4];
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).unwrap() {
        for (cell, column) in record.iter().zip(&mut table) {
            column.push(std::str::from_utf8(cell).unwrap().parse().unwrap());
        }
    }
    table
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let mut signal = (0..LINES).map(|i| {
        let t = i as f64 * 1e-4;
        [t, (3.0 * t).sin() * 9.81, (7.0 * t).cos() * 120.0, (t * t).sin()]
    });
    let points = folder.path().join("points.csv");
    let commas = folder.path().join("commas.csv");
    let mut text = String::from("time [s],a [m/s^2],b [N],c [m]\n");
    for [t, a, b, c] in &mut signal {
        writeln!(text, "{t:.4},{a:.6},{b:.5},{c:.8}").unwrap();
    }
    std::fs::write(&points, &text).unwrap();
    let (head, rest) = text.split_once('\n').unwrap();
    std::fs::write(&commas, format!("{head}\n{}", rest.replace(',', ";").replace('.', ",")).replace("],", "];"))
        .unwrap();
    let (mut alone, mut ours, mut other) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..7 {
        let begin = Instant::now();
        let table = plain(&points);
        alone = alone.min(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let record = Record::read_csv(&points).unwrap();
        ours = ours.min(begin.elapsed().as_secs_f64());
        assert!(record.times() == table[0] && record.channels()[2].values() == table[3]);
        let begin = Instant::now();
        let german = Record::read_csv(&commas).unwrap();
        other = other.min(begin.elapsed().as_secs_f64());
        assert!(german.times() == table[0] && german.channels()[2].values() == table[3]);
    }
    println!("csv alone {alone:.3} s; a record {ours:.3} s, ratio {:.2}", ours / alone);
    println!("with semicolons and decimal commas {other:.3} s, ratio {:.2}", other / alone);
}
