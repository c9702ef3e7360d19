//! Pages of text, tables and pictures: one HTML file with nothing from elsewhere.

use std::fmt::Write;

use crate::svg::escaped;

const STYLE: &str = include_str!("page.css");

/// A page in the making, from top to bottom.
///
/// ```
/// let mut page = costate_view::Page::new("Mass & spring");
/// page.heading("Found");
/// page.table(&["parameter", "found"], &[vec!["c".to_owned(), "125.0".to_owned()]]);
/// assert!(page.html().contains("<title>Mass &amp; spring</title>"));
/// ```
#[derive(Debug, Clone)]
pub struct Page {
    title: String,
    body: String,
}

// Writing to a string does not fail.
impl Page {
    /// A page with this title, which is also its first heading.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), body: String::new() }
    }

    /// Begins a section.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escaped(text));
    }

    /// Begins a part of a section.
    pub fn subheading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h3>{}</h3>", escaped(text));
    }

    /// Adds a paragraph; lines stay lines.
    pub fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escaped(text).replace('\n', "<br>\n"));
    }

    /// Adds a paragraph that readers should not miss.
    pub fn note(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p class=\"note\">{}</p>", escaped(text).replace('\n', "<br>\n"));
    }

    /// Adds text as a terminal shows it.
    pub fn as_it_is(&mut self, text: &str) {
        let _ = writeln!(self.body, "<pre>{}</pre>", escaped(text));
    }

    /// Adds a table; numbers are set to the right.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        let head: String = head.iter().map(|name| format!("<th>{}</th>", escaped(name))).collect();
        let _ = writeln!(self.body, "<table>\n<tr>{head}</tr>");
        for row in rows {
            let cells: String = row.iter().map(|text| cell(text)).collect();
            let _ = writeln!(self.body, "<tr>{cells}</tr>");
        }
        self.body.push_str("</table>\n");
    }

    /// Adds a picture, the text of an SVG file, and what stands below it.
    pub fn figure(&mut self, svg: &str, caption: &str) {
        let _ = writeln!(
            self.body,
            "<figure>\n{svg}\n<figcaption>{}</figcaption></figure>",
            escaped(caption).replace('\n', "<br>\n")
        );
    }

    /// The text of the file.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"generator\" content=\"costate\">\n<meta name=\"viewport\" content=\"width=device-width, \
             initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{}</body>\n</html>\n",
            self.body
        )
    }
}

fn cell(text: &str) -> String {
    let is_number = text.trim_end_matches(" %").parse::<f64>().is_ok();
    let class = if is_number { " class=\"number\"" } else { "" };
    format!("<td{class}>{}</td>", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_shown() {
        let mut page = Page::new("a<!--\u{202e}");
        page.paragraph("b\u{1b}[2J\u{0}</p>\nc");
        page.table(&["\u{2067}d"], &[vec!["<script>".to_owned()]]);
        let text = page.html();
        assert!(text.contains("<h1>a&lt;!--\u{fffd}</h1>") && text.contains("<td>&lt;script&gt;</td>"));
        assert!(text.contains("<p>b\u{fffd}[2J\u{fffd}&lt;/p&gt;<br>\nc</p>"));
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()) && !text.contains(['\u{202e}', '\u{2067}']));
    }
}
