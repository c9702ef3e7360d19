//! Mutated CSV files: read as what they are, or refused.
#![allow(clippy::unwrap_used)]

use costate_measure::record::Record;

#[test]
fn records() {
    let seeds: [&[u8]; 9] = [
        b"time [s],acceleration [m/s^2]\n0,1\n0.5,2e-3\n1,NA\n",
        b"# on the rig\n\n x[2] ; Time [ms]\n1;0\n2;0.5\n",
        "\u{feff}t\t\"a, b [V]\"\r\n0\t1\r\n1\t\r\n".as_bytes(),
        b"t, \"acc [m/s^2]\",z []\r0,\"1\",2\r1,3,NaN\r",
        b"sep=;\nRig;3\nZeit;Kraft;Weg\ns;kN;mm\n12,34;1.234,5;---\n12,36;1,6;2\n",
        b"Datum;Uhrzeit;m/s\xb2\n29.02.2024;10:00:00,000;1,5\n29.02.2024;10:00:00,010;1,6\n",
        b"Timestamp,a (N)\n2/13/2024 11:59:59.5 PM,1\n2024-02-14T00:00:00.25+01:00,2\n",
        b"\xff\xfet\0;\0x\0\n\x000\0;\x001\0,\x005\0\n\x001\0;\x002\0,\x005\0\n\0",
        b"# time_ms  x\n1700000000000.25 1\n1700000000000.25 2\n1700000000000.50 2\n1700000000000.50 2\n\
          1700000000000.50 2\n",
    ];
    costate_fuzz::drive(
        "records",
        &seeds,
        &["time", "t", "[s]", "NA", "1e-320", "\"\"", "#", ";", "1,234", "OVERFLOW", "(mm)"],
        |bytes| match Record::from_csv(bytes, "a.csv") {
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
        },
    );
}
