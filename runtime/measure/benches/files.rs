//! Reading of files of a million values in each of four channels, against reading their bytes.
//!
//!     cargo bench -p costate-measure --features mdf,parquet,uff --bench files
#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::path::Path;
use std::time::Instant;

use costate_measure::formats::uff::Encoding;
use costate_measure::formats::{Axis, Channel, Format, Group, Recording};

const VALUES: usize = 1_000_000;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let noise = |k: u64| {
        let mut state = k;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / 2f64.powi(53)
        };
        (0..VALUES).map(|_| next()).collect::<Vec<_>>()
    };
    let mut group = Group::new("rig");
    for k in 0..4 {
        let mut channel = Channel::new(format!("channel {k}"), noise(k));
        channel.axis = Axis::Even { start: 0.0, step: 1.0 / 1024.0 };
        group.channels.push(channel);
    }
    let path = |name: &str| folder.path().join(name);

    let times: Vec<f64> = (0..VALUES).map(|i| i as f64 / 1024.0).collect();
    for (name, is_compressed) in [("plain.mf4", false), ("deflated.mf4", true)] {
        let mut writer = falcon_mdf::write::Mf4Writer::new();
        writer.set_compression(is_compressed);
        let all = writer.add_group(&times).unwrap();
        for channel in &group.channels {
            all.add_channel(&channel.name, "V", &channel.values).unwrap();
        }
        writer.write_to_file(path(name)).unwrap();
    }
    costate_measure::formats::parquet::write(&group, "a file", std::fs::File::create(path("a.parquet")).unwrap())
        .unwrap();
    let mut recording = Recording::new(Format::Uff);
    recording.groups.push(group);
    costate_measure::formats::uff::write(
        &recording,
        Encoding::Binary,
        "a file",
        std::fs::File::create(path("a.uff")).unwrap(),
    )
    .unwrap();

    println!("{:14} {:>8} {:>10} {:>10} {:>7}", "file", "MB", "bytes, ms", "values, ms", "ratio");
    for name in ["plain.mf4", "deflated.mf4", "a.parquet", "a.uff"] {
        measure(&path(name), name);
    }
}

/// Prints the shortest of seven times of reading the bytes and the values, one after the other.
fn measure(path: &Path, name: &str) {
    let mut shortest = [f64::INFINITY; 2];
    let mut length = 0;
    for _ in 0..7 {
        let begin = Instant::now();
        length = std::fs::read(path).unwrap().len();
        shortest[0] = shortest[0].min(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let read = costate_measure::formats::read(path).unwrap();
        shortest[1] = shortest[1].min(begin.elapsed().as_secs_f64());
        assert_eq!(read.groups[0].channels.last().unwrap().values.len(), VALUES);
    }
    let [bytes, values] = shortest;
    println!(
        "{name:14} {:8.1} {:10.1} {:10.1} {:7.1}",
        length as f64 * 1e-6,
        bytes * 1e3,
        values * 1e3,
        values / bytes
    );
}
