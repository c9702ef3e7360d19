//! Lists of short elements in few lines of emitted text, as rustfmt writes arrays of them: prettyplease gives every
//! element a line, and the lists of a large model have thousands of elements.

/// Joins the elements of lists in square brackets that have a line each, where all elements of the list are numbers,
/// names or groups of these. Only white space between tokens changes: emitted strings have no line breaks.
pub fn packed(text: &str) -> String {
    // Smallest number of elements that are joined.
    const MIN_ELEMENTS: usize = 3;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut packed = String::with_capacity(text.len());
    let mut next = 0;
    while let Some(line) = lines.get(next) {
        packed.push_str(line);
        next += 1;
        if !line.ends_with("[\n") {
            continue;
        }
        let elements = lines[next..].iter().map_while(|line| element(line)).collect::<Vec<_>>();
        let last = lines.get(next + elements.len());
        if elements.len() >= MIN_ELEMENTS && last.is_some_and(|last| last.trim_start().starts_with(']')) {
            let indent = lines[next].len() - lines[next].trim_start().len();
            join(&elements, indent, &mut packed);
            next += elements.len();
        }
    }
    packed
}

/// Writes elements in as few lines as fit.
fn join(elements: &[&str], indent: usize, to: &mut String) {
    // Largest number of characters in a line, as prettyplease has it.
    const MAX_WIDTH: usize = 89;
    let mut width = MAX_WIDTH;
    for (number, element) in elements.iter().enumerate() {
        let length = element.chars().count();
        if width + 1 + length <= MAX_WIDTH {
            to.push(' ');
            width += 1 + length;
        } else {
            if number > 0 {
                to.push('\n');
            }
            to.push_str(&" ".repeat(indent));
            width = indent + length;
        }
        to.push_str(element);
    }
    to.push('\n');
}

/// Returns the element in a line, with its comma, if it is a number, a name, a path, a field or a place of an array, or
/// a tuple or an array of these.
fn element(line: &str) -> Option<&str> {
    let element = line.trim();
    let text = element.strip_suffix(',')?;
    let group = [('(', ')'), ('[', ']')].iter().find_map(|&(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    group.unwrap_or(text).split(", ").all(is_word).then_some(element)
}

/// Checks whether a text is a number or a name, with a sign or without, a path, a field or a place of an array.
fn is_word(text: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "_.:[]-".contains(character);
    text.contains(|character: char| character.is_alphanumeric()) && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proc_macro2::TokenStream;

    use super::*;
    use crate::{Arguments, ModelFile};

    #[test]
    fn lists_of_short_elements_are_joined() {
        for (text, expected) in [
            ("[\n    1,\n    -2e-3,\n    a.b[0],\n]\n", "[\n    1, -2e-3, a.b[0],\n]\n"),
            ("f(&[\n    (0, 1),\n    [x, y],\n    A::B,\n])\n", "f(&[\n    (0, 1), [x, y], A::B,\n])\n"),
            // an inner list
            ("[\n    [\n        1,\n        2,\n        3,\n    ],\n]\n", "[\n    [\n        1, 2, 3,\n    ],\n]\n"),
        ] {
            assert_eq!(packed(text), expected);
        }
        let long = "a".repeat(40);
        let list = format!("[\n{}]\n", format!("    {long},\n").repeat(3));
        assert_eq!(packed(&list), format!("[\n    {long}, {long},\n    {long},\n]\n"));
    }

    #[test]
    fn other_text_stays_as_it_is() {
        for text in [
            "",
            "[]",
            // few elements
            "[\n    a,\n    b,\n]\n",
            // fields, arguments, arms
            "Self {\n    a,\n    b,\n    c,\n}\n",
            "f(\n    a,\n    b,\n    c,\n)\n",
            "match x {\n    a => 1,\n    b => 2,\n    c => 3,\n}\n",
            // other elements, before and after
            "[\n    a,\n    b,\n    c,\n    f(x),\n]\n",
            "[\n    a + b,\n    a,\n    b,\n    c,\n]\n",
            "[\n    a,\n    b,\n    c\n]\n",
            "[\n    \"a\",\n    \"b\",\n    \"c\",\n]\n",
        ] {
            assert_eq!(packed(text), text);
        }
    }

    #[test]
    fn code_of_models_keeps_its_tokens() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        for name in ["cam_follower", "chain", "discrete_oscillator", "four_bar"] {
            let model = ModelFile::read(folder.join(name).with_extension("model")).unwrap();
            let code = model.compile(None, &Arguments::new()).unwrap().code();
            let formatted = prettyplease::unparse(&syn::parse2(code).unwrap());
            let tokens = |text: &str| text.parse::<TokenStream>().unwrap().to_string();
            assert_eq!(tokens(&packed(&formatted)), tokens(&formatted), "{name}");
        }
    }
}
