//! One page of documentation: its declarations as plain text.

/// Reads a page of an item: its declaration, then its methods and its traits, sorted.
pub fn item(html: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(declaration) = between(html, "<pre class=\"rust item-decl\">", "</pre>").next() {
        let declaration = text(declaration);
        let wanted = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        lines.extend(declaration.lines().filter(wanted).map(|line| line.trim_end().to_owned()));
    }
    let mut members = Vec::new();
    for section in html.split("<h2 id=\"").skip(1) {
        let name = section.split('"').next().unwrap_or_default();
        let headers = || headers(section, "h3");
        match name {
            "implementations" => members.extend(headers().chain(self::headers(section, "h4"))),
            "trait-implementations" | "foreign-impls" | "implementors" => members.extend(headers()),
            // Of the auto traits only missing `Send` and `Sync` are listed; the others follow from the fields.
            "synthetic-implementations" => {
                members.extend(headers().filter(|header| header.contains(" !Send ") || header.contains(" !Sync ")))
            }
            _ => (),
        }
    }
    members.retain(|member| !member.contains("StructuralPartialEq"));
    members.sort();
    members.dedup();
    lines.extend(members);
    lines
}

/// Lists the items that a module re-exports.
pub fn reexports(html: &str) -> Vec<String> {
    let section = between(html, "<h2 id=\"reexports\"", "</dl>").next().unwrap_or_default();
    let mut all: Vec<_> = between(section, "<code>", "</code>").map(|code| joined(&text(code))).collect();
    all.sort();
    all
}

/// Lists the pages of the items of a module, by the links of its own page: `struct.A.html`, `b/index.html`.
pub fn links(html: &str) -> Vec<&str> {
    let tables = between(html, "<dl class=\"item-table\">", "</dl>");
    let entries = tables.flat_map(|table| between(table, "<dt>", "</dt>"));
    entries.filter_map(|entry| between(entry, "href=\"", "\"").next()).collect()
}

/// Returns the version of rustdoc that has written a page; `None` if the page does not say.
pub fn version(html: &str) -> Option<&str> {
    between(html, "data-rustdoc-version=\"", "\"").next()?.split(' ').next()
}

/// Lists the declarations of a section in headings of one level, each in a line.
fn headers<'a>(section: &'a str, tag: &str) -> impl Iterator<Item = String> + use<'a> {
    let start = format!("<{tag} class=\"code-header\">");
    let end = format!("</{tag}>");
    let pieces: Vec<_> = section.split(&start).skip(1).filter_map(|piece| piece.split(&end).next()).collect();
    pieces.into_iter().map(|piece| joined(&text(piece)))
}

/// Iterates over the texts between two marks, wherever these are.
fn between<'a>(html: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(start).skip(1).filter_map(move |piece| piece.split(end).next())
}

/// Joins a text to one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(", )", ")")
}

/// Extracts the text of a piece of a page, without elements for navigation.
fn text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = after.split_once('>').unwrap_or((after, ""));
        rest = after;
        let skipped = match tag {
            _ if tag.starts_with("summary") => "</summary>",
            _ if tag.starts_with("a ") && ["tooltip", "anchor", "src"].iter().any(|class| tag.contains(class)) => {
                "</a>"
            }
            _ if ["div", "/div", "br"].iter().any(|block| tag.starts_with(block)) => {
                text.push('\n');
                continue;
            }
            _ => continue,
        };
        rest = rest.split_once(skipped).map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    entities.into_iter().fold(text, |text, (entity, character)| text.replace(entity, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_methods_and_traits_are_read() {
        let html = r##"<meta data-rustdoc-version="1.95.0 (5980 2026)">
<pre class="rust item-decl"><code>pub struct A&lt;T&gt;
<div class="where">where T: B,</div>{
<details><summary>Show 1 field</summary>    // Fields
    pub x: <a class="struct" href="x.html" title="struct x">X</a>,</details>
}</code></pre>
<h2 id="implementations"><h3 class="code-header">impl A</h3><h4 class="code-header">pub fn f(
    &amp;self,
) -&gt; X <a href="#" class="tooltip" data-notable-ty="X">i</a></h4></div>
<h2 id="trait-implementations"><h3 class="code-header">impl Clone for A</h3><h4 class="code-header">fn clone()</h4>
<h2 id="synthetic-implementations"><h3 class="code-header">impl !Send for A</h3>
<h3 class="code-header">impl !Freeze for A</h3>
<h2 id="blanket-implementations"><h3 class="code-header">impl Any for A</h3>"##;
        let expected = [
            "pub struct A<T>",
            "where T: B,",
            "{",
            "    pub x: X,",
            "}",
            "impl !Send for A",
            "impl A",
            "impl Clone for A",
            "pub fn f(&self) -> X",
        ];
        assert_eq!(item(html), expected);
        assert_eq!(version(html), Some("1.95.0"));
    }

    #[test]
    fn a_module_leads_to_its_items() {
        let html = r##"<h2 id="reexports"><dl class="item-table reexports"><dt>
<code>pub use a::<a href="a/B.html">B</a>;</code></dt></dl>
<h2><dl class="item-table"><dt><a class="mod" href="a/index.html">a</a></dt>
<dd><a href="c.html">C</a></dd><dt><a href="fn.d.html">d</a></dt></dl>"##;
        assert_eq!(reexports(html), ["pub use a::B;"]);
        assert_eq!(links(html), ["a/index.html", "fn.d.html"]);
    }
}
