//! A page as one HTML file: formulas in MathML, pictures in SVG, nothing from elsewhere.

use std::fmt::Write;

use super::mathml::{escaped, formula};
use super::page::{Cell, Page, Part, Section};
use super::sparsity::svg;

const STYLE: &str = include_str!("style.css");

/// Writes the text of the file.
pub fn write(page: &Page) -> String {
    let title = escaped(&page.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" \
             content=\"costate\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n",
        escaped(&page.summary)
    );
    for section in &page.sections {
        write_section(section, &mut text);
    }
    text.push_str("</body>\n</html>\n");
    text
}

// Writing to a string does not fail.
fn write_section(section: &Section, text: &mut String) {
    let _ = writeln!(text, "<h2>{}</h2>", escaped(section.title));
    for part in &section.parts {
        match part {
            Part::Text(line) => {
                let _ = writeln!(text, "<p>{}</p>", with_code(line));
            }
            Part::Formula(latex) => {
                let _ = writeln!(text, "<p class=\"formula\">{}</p>", formula(latex));
            }
            Part::Pattern(pattern) => {
                let caption = escaped(&pattern.title);
                let _ = writeln!(text, "<figure>{}<figcaption>{caption}</figcaption></figure>", svg(pattern));
            }
            Part::Picture { svg, caption } => {
                let caption = escaped(caption);
                let _ = writeln!(text, "<figure>{svg}<figcaption>{caption}</figcaption></figure>");
            }
            Part::Table { head, rows } => {
                let head: String = head.iter().map(|name| format!("<th>{}</th>", escaped(name))).collect();
                let _ = writeln!(text, "<table>\n<tr>{head}</tr>");
                for row in rows {
                    let _ = writeln!(text, "<tr>{}</tr>", row.iter().map(cell).collect::<String>());
                }
                text.push_str("</table>\n");
            }
        }
    }
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => format!("<td>{}</td>", with_code(text)),
        Cell::Code(text) if text.is_empty() => "<td></td>".to_owned(),
        Cell::Code(text) => format!("<td><code>{}</code></td>", escaped(text)),
        Cell::Formula(latex) => format!("<td class=\"formula\">{}</td>", formula(latex)),
        Cell::Number(text) => format!("<td class=\"number\">{}</td>", escaped(text)),
    }
}

/// Escapes a text and marks the parts between backticks as code.
fn with_code(text: &str) -> String {
    let pieces = text.split('`').enumerate().map(|(i, piece)| match i % 2 {
        0 => escaped(piece),
        _ => format!("<code>{}</code>", escaped(piece)),
    });
    pieces.collect()
}
