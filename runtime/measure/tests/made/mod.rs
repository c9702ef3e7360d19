//! Small files, made byte by byte.
#![allow(dead_code)]

/// WAV: coding, bits and frames of samples, each as its bytes.
pub fn wav(code: u16, channels: u16, rate: u32, bits: u16, samples: &[u8]) -> Vec<u8> {
    let block = channels * bits.div_ceil(8);
    let mut format = Vec::new();
    format.extend(code.to_le_bytes());
    format.extend(channels.to_le_bytes());
    format.extend(rate.to_le_bytes());
    format.extend((rate * u32::from(block)).to_le_bytes());
    format.extend(block.to_le_bytes());
    format.extend(bits.to_le_bytes());
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + samples.len() as u32).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend((format.len() as u32).to_le_bytes());
    bytes.extend(format);
    bytes.extend(b"data");
    bytes.extend((samples.len() as u32).to_le_bytes());
    bytes.extend(samples);
    bytes
}

/// An element of MAT 5.
pub fn element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = kind.to_le_bytes().to_vec();
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    while kind != 14 && kind != 15 && !bytes.len().is_multiple_of(8) {
        bytes.push(0);
    }
    bytes
}

fn words(all: &[u32]) -> Vec<u8> {
    all.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// An array of MAT 5 with what follows its name.
pub fn array(class: u32, rows: u32, columns: u32, name: &str, content: &[u8]) -> Vec<u8> {
    let mut body = element(6, &words(&[class, 0]));
    body.extend(element(5, &words(&[rows, columns])));
    body.extend(element(1, name.as_bytes()));
    body.extend(content);
    element(14, &body)
}

/// A matrix of double precision, column by column.
pub fn matrix(name: &str, rows: u32, columns: u32, values: &[f64]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array(6, rows, columns, name, &element(9, &bytes))
}

/// A file of MAT 5 with these variables.
pub fn mat(variables: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"MATLAB 5.0 MAT-file, made by a test".to_vec();
    bytes.resize(124, b' ');
    bytes.extend([0, 1, b'I', b'M']);
    variables.iter().for_each(|variable| bytes.extend(variable));
    bytes
}

/// A variable as version 7 compresses it.
pub fn compressed(variable: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, variable).unwrap();
    element(15, &encoder.finish().unwrap())
}

/// A structure of one element.
pub fn structure(name: &str, fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut content = vec![5, 0, 4, 0, 32, 0, 0, 0];
    let names: Vec<u8> =
        fields.iter().flat_map(|(name, _)| name.bytes().chain(std::iter::repeat(0)).take(32)).collect();
    content.extend(element(1, &names));
    fields.iter().for_each(|(_, field)| content.extend(field));
    array(2, 1, 1, name, &content)
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    bytes.extend(text.bytes());
    bytes
}

/// A property of TDMS.
pub enum Property<'a> {
    Text(&'a str),
    Double(f64),
    /// Seconds since 1904.
    Time(i64),
}

/// An object of TDMS with values of one type, of which there are so many in a chunk.
pub fn object(path: &str, values: Option<(u32, u64)>, properties: &[(&str, Property)]) -> Vec<u8> {
    let mut bytes = text(path);
    match values {
        None => bytes.extend(u32::MAX.to_le_bytes()),
        Some((kind, count)) => {
            bytes.extend(words(&[20, kind, 1]));
            bytes.extend(count.to_le_bytes());
        }
    }
    bytes.extend((properties.len() as u32).to_le_bytes());
    for (name, property) in properties {
        bytes.extend(text(name));
        match property {
            Property::Text(value) => {
                bytes.extend(0x20_u32.to_le_bytes());
                bytes.extend(text(value));
            }
            Property::Double(value) => {
                bytes.extend(10_u32.to_le_bytes());
                bytes.extend(value.to_le_bytes());
            }
            Property::Time(seconds) => {
                bytes.extend(0x44_u32.to_le_bytes());
                bytes.extend((1_u64 << 63).to_le_bytes());
                bytes.extend(seconds.to_le_bytes());
            }
        }
    }
    bytes
}

/// A segment of TDMS: its contents as a mask, objects and values.
pub fn segment(mask: u32, objects: &[Vec<u8>], values: &[u8]) -> Vec<u8> {
    let mut metadata = (objects.len() as u32).to_le_bytes().to_vec();
    objects.iter().for_each(|object| metadata.extend(object));
    if mask & 2 == 0 {
        metadata.clear();
    }
    let mut bytes = b"TDSm".to_vec();
    bytes.extend(words(&[mask, 4713]));
    bytes.extend((metadata.len() as u64 + values.len() as u64).to_le_bytes());
    bytes.extend((metadata.len() as u64).to_le_bytes());
    bytes.extend(metadata);
    bytes.extend(values);
    bytes
}

/// Two channels over two segments, of which the second repeats the first's description.
pub fn tdms() -> Vec<u8> {
    let objects = [
        object("/", None, &[("author", Property::Text("a test"))]),
        object("/'rig'", None, &[("description", Property::Text("the rig"))]),
        object(
            "/'rig'/'acc'",
            Some((10, 3)),
            &[
                ("unit_string", Property::Text("m/s^2")),
                ("wf_increment", Property::Double(0.5)),
                ("wf_start_time", Property::Time(2_082_844_801)),
            ],
        ),
        object(
            "/'rig'/'it''s'",
            Some((2, 2)),
            &[
                ("NI_Scale[0]_Scale_Type", Property::Text("Linear")),
                ("NI_Scale[0]_Linear_Slope", Property::Double(0.5)),
                ("NI_Scale[0]_Linear_Y_Intercept", Property::Double(1.0)),
            ],
        ),
    ];
    let chunk = |first: f64| {
        let mut values: Vec<u8> =
            [first, first + 1.0, first + 2.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        values.extend([2_i16, -4].iter().flat_map(|value| value.to_le_bytes()));
        values
    };
    let mut bytes = segment(2 | 4 | 8, &objects, &[chunk(0.0), chunk(3.0)].concat());
    bytes.extend(segment(8, &[], &chunk(6.0)));
    bytes
}

/// A frequency response, its coherence and a signal, as UFF58 in text.
pub fn uff() -> String {
    let head = |function: u32, data: u32, count: u32, even: u32, abscissa: u32| {
        format!(
            "    -1\n    58\nPoint 1\nNONE\n26-Nov-26 10:00:00\nNONE\nNONE\n{function:5}{:10}{:5}{:10} \
                 {:<10}{:10}{:4} {:<10}{:10}{:4}\n{data:10}{count:10}{even:10}{:>13}{:>13}{:>13}\n{abscissa:10}    \
                 0    0    0 NONE                 NONE                \n{:10}    0    0    0 NONE                 \
                 m/s^2               \n{:10}    0    0    0 NONE                 N                   \n         0    \
                 0    0    0 NONE                 NONE                \n",
            0, 1, 0, "plate", 12, 3, "NONE", 1, -3, "1.00000e+00", "5.00000e-01", "0.0", 12, 13
        )
    };
    let frf = head(4, 5, 3, 1, 18)
        + "  1.00000e+00  2.00000e+00 -3.00000e+00  4.00000e+00  5.00000e+00 -6.00000e+00\n    -1\n";
    let coherence = head(6, 2, 3, 1, 18) + "  9.00000e-01  1.00000e+00  8.00000e-01\n    -1\n";
    let signal = head(1, 4, 3, 0, 17)
        + "  0.00000e+00  1.00000000000e+00  1.00000e-01  2.50000000000e+00\n  2.50000e-01 -3.00000000000D+00  \
             0.00000e+00  0.00000000000e+00\n    -1\n";
    format!("    -1\n   151\nmodel\n    -1\n{frf}{coherence}{signal}")
}
