//! Lists of short elements in few lines of formatted text, as rustfmt writes arrays of them: prettyplease gives every
//! element a line, and the lists of a large model have thousands of elements.

use crate::unbalanced;

/// Largest number of characters in a line, as prettyplease has it.
const WIDTH: usize = 89;

/// Smallest number of elements that are joined.
const FEWEST: usize = 3;

/// Joins the elements of lists in square brackets that have a line each, where all elements of the list are numbers,
/// names or groups of these. Only white space between tokens changes.
pub fn packed(text: String) -> String {
    let Some(ends) = unbalanced::line_ends(&text) else { return text };
    let mut ends = ends.into_iter().peekable();
    let mut packed = String::with_capacity(text.len());
    let mut list: Option<List<'_>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        // a line whose end is no part of a string or comment, without quotes and slashes, has none of these
        let in_code = ends.next_if(|end| end + 1 == at).is_some();
        if let Some(list) = list.as_mut().filter(|_| in_code)
            && list.take(line)
        {
            continue;
        }
        if let Some(list) = list.take() {
            list.write(line.trim_start().starts_with(']'), &mut packed);
        }
        packed.push_str(line);
        list = (in_code && line.ends_with("[\n")).then(List::default);
    }
    if let Some(list) = list {
        list.write(false, &mut packed);
    }
    packed
}

/// The first elements of a list, a line each.
#[derive(Default)]
struct List<'a> {
    lines: Vec<&'a str>,
}

impl<'a> List<'a> {
    /// Takes a line if it is an element, indented as the ones before.
    fn take(&mut self, line: &'a str) -> bool {
        let alike = self.lines.first().is_none_or(|first| indent(first) == indent(line));
        let is_element = alike && line.trim_start_matches(' ').strip_suffix(",\n").is_some_and(is_simple);
        if is_element {
            self.lines.push(line);
        }
        is_element
    }

    /// Writes the elements: joined, if these are all elements of the list and there are enough of them.
    fn write(&self, is_whole: bool, to: &mut String) {
        let Some(first) = self.lines.first().filter(|_| is_whole && self.lines.len() >= FEWEST) else {
            to.extend(self.lines.iter().copied());
            return;
        };
        let mut width = 0;
        for line in &self.lines {
            let element = line.trim();
            let length = element.chars().count();
            if width > 0 && width + 1 + length <= WIDTH {
                to.push(' ');
                width += 1 + length;
            } else {
                if width > 0 {
                    to.push('\n');
                }
                to.push_str(indent(first));
                width = indent(first).len() + length;
            }
            to.push_str(element);
        }
        to.push('\n');
    }
}

/// The white space at the beginning of a line.
fn indent(line: &str) -> &str {
    line.split_once(|character| character != ' ').map_or(line, |(indent, _)| indent)
}

/// Tells whether an element is a number, a name, a path, a field or a place of an array, or a tuple or an array of
/// these.
fn is_simple(element: &str) -> bool {
    let group =
        [('(', ')'), ('[', ']')].iter().find_map(|&(open, close)| element.strip_prefix(open)?.strip_suffix(close));
    group.map_or_else(|| is_word(element), |group| group.split(", ").all(is_word))
}

/// Tells whether a text is a number or a name, with a sign or without, a path, a field or a place of an array.
fn is_word(text: &str) -> bool {
    let place = text.strip_suffix(']').and_then(|text| text.split_once('['));
    let (text, index) = place.unwrap_or((text, "0"));
    let mut before = None;
    let is_part = |character: char| {
        let is_sign = character == '-' && matches!(before, None | Some('e' | 'E'));
        before = Some(character);
        is_sign || character.is_alphanumeric() || "_.:".contains(character)
    };
    text.contains(|character: char| character.is_alphanumeric())
        && text.chars().all(is_part)
        && index.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proc_macro2::{TokenStream, TokenTree};

    use super::*;
    use crate::{Arguments, ModelFile};

    /// Lists the tokens of a text, each in its brackets.
    fn tokens(text: &str) -> Vec<String> {
        let tokens: TokenStream = text.parse().unwrap();
        let mut open: Vec<_> = vec![tokens.into_iter()];
        let mut found = Vec::new();
        while let Some(last) = open.last_mut() {
            match last.next() {
                Some(TokenTree::Group(group)) => {
                    found.push(format!("{:?}", group.delimiter()));
                    open.push(group.stream().into_iter());
                }
                Some(token) => found.push(token.to_string()),
                None => {
                    found.push("end".to_owned());
                    open.pop();
                }
            }
        }
        found
    }

    /// Packs a text, and checks that its tokens stay the same.
    fn checked(text: &str) -> String {
        let packed = packed(text.to_owned());
        assert_eq!(tokens(&packed), tokens(text), "{packed}");
        packed
    }

    #[test]
    fn elements_are_joined_up_to_the_width_of_lines() {
        let elements: String = (0..30).map(|k| format!("    k.newton_{k},\n")).collect();
        let packed = checked(&format!("static A: [f64; 30] = [\n{elements}];\n"));
        let lines: Vec<&str> = packed.lines().collect();
        assert_eq!(lines.len(), 7, "{packed}");
        for pair in lines[1..6].windows(2) {
            let next = pair[1].trim().split_inclusive(',').next().unwrap();
            assert!(pair[0].len() <= WIDTH && pair[0].len() + 1 + next.len() > WIDTH, "{packed}");
        }
        assert!(packed.contains("[\n    k.newton_0, k.newton_1,") && packed.ends_with(" k.newton_29,\n];\n"));
        // a line is filled to its last column
        for (length, lines) in [(28, 1), (29, 2)] {
            let long = "a".repeat(length);
            let text = format!("f([\n    {},\n    {},\n    {long},\n])\n", "b".repeat(26), "c".repeat(26));
            assert_eq!(checked(&text).lines().count(), 2 + lines, "{text}");
        }
    }

    #[test]
    fn all_forms_of_short_elements_are_joined() {
        let text = "    &[\n        x[12],\n        -1.5e-3f64,\n        Self::X,\n        (239, 4, 4),\n        [0, \
             -3],\n        ::a::B,\n        ärger,\n    ],";
        let packed = "    &[\n        x[12], -1.5e-3f64, Self::X, (239, 4, 4), [0, -3], ::a::B, ärger,\n    ],";
        assert_eq!(checked(text), packed);
    }

    #[test]
    fn inner_lists_are_joined() {
        let text = "[\n    [\n        1,\n        2,\n        3,\n    ],\n    [\n        x,\n        y,\n        \
             z,\n    ],\n]\n";
        assert_eq!(checked(text), "[\n    [\n        1, 2, 3,\n    ],\n    [\n        x, y, z,\n    ],\n]\n");
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in [
            // few elements
            "[\n    a,\n    b,\n]\n",
            // fields, arguments, parameters, arms
            "Self {\n    a,\n    b,\n    c,\n}\n",
            "f(\n    a,\n    b,\n    c,\n)\n",
            "fn f<\n    A,\n    B,\n    C,\n>() {}\n",
            "match x {\n    a => 1,\n    b => 2,\n    c => 3,\n}\n",
            "[f(\n    a,\n    b,\n    c,\n)]\n",
            // other elements, before and after
            "[\n    a,\n    b,\n    c,\n    f(x),\n]\n",
            "[\n    a + b,\n    a,\n    b,\n    c,\n]\n",
            "[\n    a,\n    b,\n    c\n]\n",
            "[\n    \"a\",\n    \"b\",\n    \"c\",\n]\n",
            "[\n    a - b,\n    a-b,\n    -,\n    ..,\n]\n",
            "[\n    a[i],\n    b[i],\n    c[i],\n]\n",
            "[\n    a,\n      b,\n    c,\n]\n",
            // comments
            "[\n    a,\n    // b\n    b,\n    c,\n]\n",
            "[\n    a, // [\n    b,\n    c,\n    d,\n]\n",
            "/// [\n/// a,\n/// b,\n/// c,\n/// ]\nfn f() {}\n",
            "/** [\n a,\n b,\n c,\n] */\nfn f() {}\n",
            // strings
            "f(\"[\n    a,\n    b,\n    c,\n]\n\")\n",
            "f(r#\"\"[\n    a,\n    b,\n    c,\n]\n\"#)\n",
            "[\n    a,\n    b,\n    c,\n    \"d,\n]\n\", ]\n",
            "['\"', '[',\n    a,\n    b,\n    c,\n]\n",
            // lines without an end, or with another one
            "",
            "[]",
            "[\r\n    a,\r\n    b,\r\n    c,\r\n]\r\n",
        ] {
            assert_eq!(checked(text), text);
        }
        // no tokens
        for text in ["[\n    a,\n    b,\n    c,\n", "'[\n a,\n b,\n c,\n]\n", "[\n a,\n b,\n c,\n]\n\""] {
            assert_eq!(packed(text.to_owned()), text);
        }
    }

    #[test]
    fn code_of_models_keeps_its_tokens() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        for name in ["cam_follower", "chain", "discrete_oscillator", "four_bar"] {
            let model = ModelFile::read(folder.join(name).with_extension("model")).unwrap();
            let code = model.compile(None, &Arguments::new()).unwrap().code();
            let formatted = prettyplease::unparse(&syn::parse2(code).unwrap());
            checked(&formatted);
        }
    }
}
