//! The memory that is needed to read a file.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use costate_measure::record::Record;

/// At most three times the file, also of lines that are nearly as short as they can be.
#[test]
fn a_file_takes_at_most_three_times_its_length() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.csv");
    let narrow = |i: u32| format!("{i},{}\n", i % 10);
    let wide = |i: u32| {
        let x = f64::from(i) * 0.001;
        format!("{x:.4},{:.8},{:.8},{:.8}\n", x.sin(), x.cos(), x.exp().recip())
    };
    for (header, line) in [("t,x\n", &narrow as &dyn Fn(u32) -> String), ("t,x,y,z\n", &wide)] {
        let mut text = header.to_owned();
        for i in 0..300_000 {
            let _ = write!(text, "{}", line(i));
        }
        std::fs::write(&path, &text).unwrap();
        let length = text.len() as u64;
        let mut record = None;
        let taken = allocation_counter::measure(|| record = Some(Record::read_csv(&path).unwrap()));
        assert_eq!(record.unwrap().times().len(), 300_000);
        assert!(taken.bytes_max < 3 * length, "{} of {length}", taken.bytes_max);
    }
}
