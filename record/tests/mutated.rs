//! Mutated CSV files: read as what they are, or refused.
#![allow(clippy::unwrap_used)]

use costate_record::Record;

#[test]
fn records() {
    let seeds: [&[u8]; 4] = [
        b"time [s],acceleration [m/s^2]\n0,1\n0.5,2e-3\n1,NA\n",
        b"# on the rig\n\n x[2] ; Time [ms]\n1;0\n2;0.5\n",
        "\u{feff}t\t\"a, b [V]\"\r\n0\t1\r\n1\t\r\n".as_bytes(),
        b"t, \"acc [m/s^2]\",z []\r0,\"1\",2\r1,3,NaN\r",
    ];
    costate_fuzz::drive("records", &seeds, &["time", "t", "[s]", "NA", "1e-320", "\"\"", "#"], |bytes| {
        match Record::from_csv(bytes, "a.csv") {
            Err(error) => error.to_string(),
            Ok(record) => {
                assert!(record.times().windows(2).all(|pair| pair[0] < pair[1]));
                let mut text = Vec::new();
                record.to_csv(&mut text).unwrap();
                let again = Record::from_csv(&*text, "a.csv").unwrap();
                let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(again.times()), bits(record.times()));
                for channel in record.channels() {
                    let same = again.channel(channel.name()).unwrap();
                    assert_eq!((same.unit(), bits(same.values())), (channel.unit(), bits(channel.values())));
                }
                format!("read {}", record.channels().len())
            }
        }
    });
}
