//! The header of an array, which is a literal of Python: a dictionary with texts, numbers, tuples and lists.

/// A value of the header.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Text(String),
    Number(u64),
    Truth(bool),
    None,
    /// A tuple or a list.
    List(Vec<Literal>),
    Dictionary(Vec<(Literal, Literal)>),
}

impl Literal {
    /// Reads a literal that fills a text; `None` for other texts.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.trim();
        let value = value(&mut rest, 0)?;
        rest.trim().is_empty().then_some(value)
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Literal]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// The value of a dictionary.
    pub fn get(&self, key: &str) -> Option<&Literal> {
        let Self::Dictionary(all) = self else { return None };
        all.iter().find(|(own, _)| own.text() == Some(key)).map(|(_, value)| value)
    }

    /// The numbers of a tuple.
    pub fn numbers(&self) -> Option<Vec<u64>> {
        let number = |literal: &Literal| match literal {
            Self::Number(number) => Some(*number),
            _ => None,
        };
        match self {
            Self::Number(number) => Some(vec![*number]),
            _ => self.list()?.iter().map(number).collect(),
        }
    }
}

fn value(rest: &mut &str, depth: usize) -> Option<Literal> {
    /// Largest depth of lists within lists: more would fill the stack.
    const MAX_DEPTH: usize = 16;
    if depth > MAX_DEPTH {
        return None;
    }
    *rest = rest.trim_start();
    for (word, literal) in [("True", Literal::Truth(true)), ("False", Literal::Truth(false)), ("None", Literal::None)] {
        if let Some(behind) = rest.strip_prefix(word) {
            *rest = behind;
            return Some(literal);
        }
    }
    match rest.chars().next()? {
        quote @ ('\'' | '"') => text(rest, quote),
        '(' => list(rest, ')', depth).map(Literal::List),
        '[' => list(rest, ']', depth).map(Literal::List),
        '{' => dictionary(rest, depth),
        '0'..='9' => {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, behind) = rest.split_at_checked(end)?;
            // Python 2 marks long numbers
            *rest = behind.strip_prefix('L').unwrap_or(behind);
            digits.parse().ok().map(Literal::Number)
        }
        _ => None,
    }
}

fn text(rest: &mut &str, quote: char) -> Option<Literal> {
    let mut found = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => found.push(characters.next()?.1),
            end if end == quote => {
                *rest = rest.get(at + 1..)?;
                return Some(Literal::Text(found));
            }
            other => found.push(other),
        }
    }
    None
}

/// Reads values between commas up to a bracket.
fn list(rest: &mut &str, end: char, depth: usize) -> Option<Vec<Literal>> {
    *rest = rest.get(1..)?;
    let mut found = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix(end) {
            *rest = behind;
            return Some(found);
        }
        found.push(value(rest, depth + 1)?);
        *rest = rest.trim_start();
        match rest.strip_prefix(',') {
            Some(behind) => *rest = behind,
            None if rest.starts_with(end) => {}
            None => return None,
        }
    }
}

fn dictionary(rest: &mut &str, depth: usize) -> Option<Literal> {
    *rest = rest.get(1..)?;
    let mut found = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix('}') {
            *rest = behind;
            return Some(Literal::Dictionary(found));
        }
        let key = value(rest, depth + 1)?;
        *rest = rest.trim_start().strip_prefix(':')?;
        found.push((key, value(rest, depth + 1)?));
        *rest = rest.trim_start();
        match rest.strip_prefix(',') {
            Some(behind) => *rest = behind,
            None if rest.starts_with('}') => {}
            None => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let header = Literal::parse(
            "{'descr': [('t', '<f8'), ('a', '>i2', (3,))], 'fortran_order': False, 'shape': (3L, 4), }  \n",
        );
        let header = header.unwrap_or(Literal::None);
        assert_eq!(header.get("fortran_order"), Some(&Literal::Truth(false)));
        assert_eq!(header.get("shape").and_then(Literal::numbers), Some(vec![3, 4]));
        assert_eq!(header.get("descr").and_then(Literal::list).map(<[_]>::len), Some(2));
        for broken in ["", "{", "{'a'", "{'a':}", "(1 2)", "'a", &"(".repeat(100), "{'a': 1} x", "-1"] {
            assert_eq!(Literal::parse(broken), None, "{broken}");
        }
    }
}
