//! The sampling rate and the number of samples that lines above a heading state.

/// Returns the rates in Hz that a line states, such as `Rate: 5 kHz` or `Rate [Hz]: 5000`.
pub fn rates(line: &str) -> Vec<f64> {
    let is_between = |sign: char| sign.is_whitespace() || ";:=()[]\"".contains(sign);
    let trimmed = |word: &str| word.trim_matches(',').replace(',', ".");
    let words: Vec<String> = line.split(is_between).map(trimmed).filter(|word| !word.is_empty()).collect();
    // cells between commas
    let cells: Vec<String> = line.split(|sign| is_between(sign) || sign == ',').map(str::to_owned).collect();
    let cells: Vec<String> = cells.into_iter().filter(|cell| !cell.is_empty()).collect();
    let factor = |unit: &str| match unit {
        "Hz" | "S/s" => Some(1.0),
        "kHz" | "kS/s" => Some(1e3),
        "MHz" | "MS/s" => Some(1e6),
        _ => None,
    };
    let of_pair = |pair: &[String]| {
        let [first, second] = pair else { return None };
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number > 0.0);
        let behind = || Some(number(first)? * factor(second)?);
        behind().or_else(|| Some(number(second)? * factor(first)?))
    };
    let of_word = |word: &String| {
        let (number, unit) = word.split_at(word.find(|sign: char| "HkMS".contains(sign))?);
        Some(number.parse::<f64>().ok()? * factor(unit)?)
    };
    let all = [&words, &cells].into_iter();
    all.flat_map(|words| words.windows(2).filter_map(of_pair).chain(words.iter().filter_map(of_word))).collect()
}

/// Names of the number of samples in headers, in small letters.
const COUNTS: [&str; 18] = [
    "record length",
    "blocksize",
    "block size",
    "segmentsize",
    "samples",
    "sample count",
    "number of samples",
    "no. of samples",
    "num samples",
    "numsamples",
    "points",
    "number of points",
    "no. of points",
    "data points",
    "number of rows",
    "anzahl messwerte",
    "anzahl werte",
    "anzahl samples",
];

/// Returns the number of samples that a line states, such as `Record Length,2500` or `# samples = 400`.
pub fn samples(line: &str) -> Option<usize> {
    let is_name = |text: &str| COUNTS.contains(&text.to_lowercase().as_str());
    let is_around = |sign: char| sign.is_whitespace() || "\"'#%!".contains(sign);
    let cells = line.split([',', ';', ':', '=', '\t']).map(|cell| cell.trim_matches(is_around));
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    let of_cell = |cell: &&str| cell.rsplit_once(' ').and_then(|(name, number)| pair(name.trim(), number, is_name));
    let of_cells = |cells: &[&str]| pair(cells[0], cells[1], is_name);
    cells.windows(2).find_map(of_cells).or_else(|| cells.iter().find_map(of_cell))
}

/// Returns the number beside the name of a number of samples.
fn pair(name: &str, number: &str, is_name: impl Fn(&str) -> bool) -> Option<usize> {
    let number = ["samples", "points", "pts"].iter().find_map(|unit| number.strip_suffix(unit)).unwrap_or(number);
    let number = number.trim().parse::<f64>().ok().filter(|number| number.fract() == 0.0 && *number > 0.0);
    number.filter(|_| is_name(name)).map(|number| number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_found_with_their_unit() {
        assert_eq!(rates("Sampling rate: 5 kHz")[0], 5000.0);
        assert_eq!(rates("Rate=2000Hz;10 channels, 0.5kHz filter")[..2], [2000.0, 500.0]);
        assert!(rates("5000 samples, Hz, kHz 3 ms").iter().all(|rate| *rate == 3000.0));
        for line in ["Rate: 0,5 Hz", "Rate [Hz]: 0.5", "Sample rate,0.5,Hz", "# 0.5 S/s", "\"Abtastrate\";0,5;\"Hz\""] {
            assert!(rates(line).contains(&0.5), "{line}");
        }
        assert!(rates("Rate: 0 Hz; time 12 s").is_empty());
    }

    #[test]
    fn numbers_of_samples_are_found_by_their_name() {
        for line in [
            "Record Length,4.000000e+02",
            "\"Record Length\",400,\"Points\"",
            "# samples = 400",
            "Number of samples: 400",
            "Samples\t400\t400",
            "Points;400",
            "Samples 400",
            "Anzahl Messwerte: 400 samples",
        ] {
            assert_eq!(samples(line), Some(400), "{line}");
        }
        for line in
            ["Samples per second: 400", "Record Length: 2.5e-3", "Samples: 10 per channel", "400 samples", "Points,x"]
        {
            assert_eq!(samples(line), None, "{line}");
        }
    }
}
