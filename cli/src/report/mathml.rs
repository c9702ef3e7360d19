//! Formulas in MathML as browsers show them well also where no font for mathematics is installed.
//!
//! Such browsers neither stretch brackets nor draw dots that can be told apart, and none breaks a formula over several
//! lines. So brackets around what is high are the borders of what they enclose, dots are letters, and a long formula is
//! several ones in a row.

use costate::command::shown::plain;
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

/// A formula with more characters than this in LaTeX may be broken.
const MAX_UNBROKEN_LENGTH: usize = 70;

/// Brackets that stretch: their opening and closing marks, and the class of what they enclose.
const BRACKETS: [(&str, &str, &str); 3] = [("(", ")", "round"), ("|", "|", "bars"), ("{", "", "cases")];

/// Writes a formula, in pieces between which a line may end.
pub fn formula(latex: &str) -> String {
    let pieces = if latex.len() > MAX_UNBROKEN_LENGTH { pieces(latex) } else { vec![latex] };
    let math = pieces.iter().enumerate().map(|(number, piece)| {
        // an operator at the beginning would be a sign
        if number == 0 { math(piece) } else { math(&format!("{{}}{piece}")) }
    });
    math.collect::<Vec<_>>().join("<wbr>")
}

/// Cuts a formula in front of the operators that stand in no bracket.
fn pieces(latex: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut depth, mut begin) = (0_i32, 0);
    for (at, _) in latex.char_indices() {
        let rest = &latex[at..];
        if rest.starts_with('{') || rest.starts_with(r"\left") {
            depth += 1;
        } else if rest.starts_with('}') || rest.starts_with(r"\right") {
            depth -= 1;
        } else if rest.starts_with(r"\begin") {
            depth += 1;
        } else if rest.starts_with(r"\end") {
            depth -= 1;
        } else if depth == 0 && at > begin && [" + ", " - ", " = "].iter().any(|sign| rest.starts_with(sign)) {
            pieces.push(&latex[begin..at]);
            begin = at;
        }
    }
    pieces.push(&latex[begin..]);
    pieces
}

/// Writes MathML with its LaTeX as annotation.
fn math(latex: &str) -> String {
    let storage = Storage::new();
    let annotation = escaped(latex);
    let config =
        RenderConfig { display_mode: DisplayMode::Inline, annotation: Some(&annotation), ..RenderConfig::default() };
    let mut text = String::new();
    match push_mathml(&mut text, Parser::new(latex, &storage), config) {
        Ok(()) => with_dots(&with_brackets(&text)).replacen("<math", "<math displaystyle=\"true\"", 1),
        Err(_) => format!("<code>{}</code>", escaped(latex)),
    }
}

/// Writes one and two dots over a letter or word as one and two letters.
fn with_dots(mathml: &str) -> String {
    let dots = |dots: &str| format!("<mo class=\"dots\" stretchy=\"false\">{dots}</mo></mover>");
    mathml
        .replace("<mi>˙</mi></mover>", &dots("•"))
        .replace("<mi>¨</mi></mover>", &dots("••"))
        .replace("<mover>", "<mover accent=\"true\">")
}

/// Writes brackets around fractions and cases as borders, and others as they are.
fn with_brackets(mathml: &str) -> String {
    // what is enclosed by the brackets that are open, each with its place in the list
    let mut open: Vec<(Option<usize>, String)> = vec![(None, String::new())];
    let mut rest = mathml;
    while !rest.is_empty() {
        let begun = BRACKETS.iter().position(|(mark, ..)| rest.starts_with(&opening(mark)));
        let kind = open.last().and_then(|(kind, _)| *kind);
        let closed = kind.map(|kind| closing(BRACKETS[kind].1)).filter(|mark| rest.starts_with(mark.as_str()));
        if let Some(kind) = begun {
            rest = &rest[opening(BRACKETS[kind].0).len()..];
            open.push((Some(kind), String::new()));
            continue;
        }
        if let (Some(mark), Some(kind)) = (closed, kind) {
            let (_, enclosed) = open.pop().unwrap_or_default();
            rest = &rest[mark.len()..];
            let text = enclose(kind, &enclosed);
            if let Some((_, outside)) = open.last_mut() {
                *outside += &text;
            }
            continue;
        }
        let length = rest.match_indices('<').map(|(at, _)| at).find(|at| *at > 0).unwrap_or(rest.len());
        if let Some((_, outside)) = open.last_mut() {
            *outside += &rest[..length];
        }
        rest = &rest[length..];
    }
    // a bracket that is not closed is written as it was
    open.into_iter().map(|(kind, text)| kind.map_or(String::new(), |kind| opening(BRACKETS[kind].0)) + &text).collect()
}

fn opening(mark: &str) -> String {
    format!("<mrow><mo stretchy=\"true\">{mark}</mo>")
}

/// Returns the end of a bracket; that of cases is the end of their table.
fn closing(mark: &str) -> String {
    match mark {
        "" => "</mtable></mrow>".to_owned(),
        mark => format!("<mo stretchy=\"true\">{mark}</mo></mrow>"),
    }
}

fn enclose(kind: usize, enclosed: &str) -> String {
    let (first, last, class) = BRACKETS[kind];
    let is_high = ["<mfrac", "<mtable"].iter().any(|high| enclosed.contains(high));
    match (last, is_high) {
        ("", _) => format!("<mrow class=\"{class}\">{enclosed}</mtable></mrow>"),
        (_, true) => format!("<mrow class=\"{class}\">{enclosed}</mrow>"),
        (_, false) => {
            format!("<mrow><mo stretchy=\"false\">{first}</mo>{enclosed}<mo stretchy=\"false\">{last}</mo></mrow>")
        }
    }
}

/// Escapes a text for a page.
pub fn escaped(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_brackets_are_borders() {
        let text = formula(r"c \left(x - \frac{a}{\left(1 + x\right)}\right)^{2} \left|x\right|");
        assert_eq!(text.matches("class=\"round\"").count(), 1, "{text}");
        assert_eq!(text.matches("<mo stretchy=\"false\">(</mo>").count(), 1, "{text}");
        assert_eq!(text.matches("<mo stretchy=\"false\">|</mo>").count(), 2, "{text}");
        assert!(!text.contains("stretchy=\"true\""), "{text}");
        for tag in ["mrow", "mfrac", "msup"] {
            assert_eq!(text.matches(&format!("<{tag}")).count(), text.matches(&format!("</{tag}>")).count());
        }
    }

    #[test]
    fn cases_have_a_line_in_place_of_a_brace() {
        let latex =
            r"\begin{cases} \left|\frac{x}{2}\right| & \text{if } x < 1 \\ 0 & \text{otherwise} \end{cases} + 1";
        let text = formula(latex);
        assert!(text.contains("<mrow class=\"cases\"><mtable") && text.contains("class=\"bars\""), "{text}");
        assert_eq!(text.matches("<mrow").count(), text.matches("</mrow>").count(), "{text}");
    }

    #[test]
    fn one_dot_and_two_dots_differ() {
        let text = formula(r"\ddot{\mathrm{angle}} + \dot{x}");
        assert!(text.contains(">••</mo></mover>") && text.contains(">•</mo></mover>"), "{text}");
    }

    #[test]
    fn long_formulas_are_cut_outside_of_brackets() {
        let latex = r"m \ddot{x} + \left(a + b\right) = \frac{a - b}{c} - \begin{cases} a + b \end{cases} x + y";
        assert_eq!(
            pieces(latex),
            [
                r"m \ddot{x}",
                r" + \left(a + b\right)",
                r" = \frac{a - b}{c}",
                r" - \begin{cases} a + b \end{cases} x",
                " + y"
            ]
        );
        assert_eq!(pieces(latex).concat(), latex);
        assert_eq!(formula(latex).matches("<math ").count(), 5);
    }
}
