//! The known name nearest to a misspelt one, for "did you mean ...?".

/// The nearest of `candidates`, if one is near enough to be meant: at most one slip of the pen for every
/// three letters, where letters that differ in case only count as equal. The first of equally near ones wins.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = folded(name);
    let allowed = (name.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (candidate, folded(candidate)))
        // every letter that is missing or too much is a slip
        .filter(|(_, folded)| folded.len().abs_diff(name.len()) <= allowed)
        .map(|(candidate, folded)| (distance(&name, &folded), candidate))
        // A name of which every letter is different is a different name, however short.
        .filter(|(distance, _)| *distance <= allowed && (*distance < name.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn folded(name: &str) -> Vec<char> {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let replaced = last[j] + usize::from(a != b);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(left.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(left: &str, right: &str) -> usize {
        distance(&folded(left), &folded(right))
    }

    #[test]
    fn distances() {
        assert_eq!(measured("", ""), 0);
        assert_eq!(measured("", "abc"), 3);
        assert_eq!(measured("abc", ""), 3);
        assert_eq!(measured("forcse", "forces"), 1);
        assert_eq!(measured("kitten", "sitting"), 3);
        assert_eq!(measured("ca", "abc"), 3);
    }

    #[test]
    fn near_enough() {
        let blocks = ["parameters", "inputs", "forces", "mass"];
        assert_eq!(nearest("forcse", blocks), Some("forces"));
        assert_eq!(nearest("Mass", blocks), Some("mass"));
        assert_eq!(nearest("masses", blocks), Some("mass"));
        assert_eq!(nearest("parmeter", blocks), Some("parameters"));
        assert_eq!(nearest("bodies", blocks), None);
    }

    #[test]
    fn short_names_need_something_in_common() {
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("X", ["y", "x"]), Some("x"));
        assert_eq!(nearest("x5", ["y1", "x1", "x2"]), Some("x1"));
        assert_eq!(nearest("", ["x"]), None);
    }
}
