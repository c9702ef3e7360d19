//! Array positions by repetition of a loop: a formula of the repetition, or an entry of a table.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// Tables of the positions that follow no formula, shared by all loops of a function.
#[derive(Default)]
pub struct Indices {
    tables: Vec<(Ident, Vec<usize>)>,
}

impl Indices {
    /// Writes these positions as a function of the repetition `i`. Adds a new table called `name` if no formula fits
    /// and no known table begins with these positions.
    pub fn at(
        &mut self,
        positions: &[usize],
        i: &Ident,
        name: impl FnOnce() -> Ident,
    ) -> (TokenStream, Option<TokenStream>) {
        if let Some(formula) = formula(positions, i) {
            return (formula, None);
        }
        if let Some((name, _)) = self.tables.iter().find(|(_, table)| table.starts_with(positions)) {
            return (quote!(#name[#i] as usize), None);
        }
        let name = name();
        let at = quote!(#name[#i] as usize);
        let largest = positions.iter().max().copied().unwrap_or(0);
        let number = if u16::try_from(largest).is_ok() { quote!(u16) } else { quote!(u32) };
        let length = Literal::usize_unsuffixed(positions.len());
        let entries = positions.iter().copied().map(Literal::usize_unsuffixed);
        let table = quote!(static #name: [#number; #length] = [#(#entries),*];);
        self.tables.push((name, positions.to_vec()));
        (at, Some(table))
    }
}

/// Writes the positions as `a`, `b*i + a` or `a - b*i`, if they have this form.
fn formula(positions: &[usize], i: &Ident) -> Option<TokenStream> {
    let [first, second, ..] = *positions else {
        let only = Literal::usize_unsuffixed(*positions.first()?);
        return Some(quote!(#only));
    };
    let rises = second >= first;
    let stride = second.abs_diff(first);
    let follows = |pair: &[usize]| pair[1].abs_diff(pair[0]) == stride && (pair[1] >= pair[0]) == rises;
    if !positions.windows(2).all(follows) {
        return None;
    }
    let (offset, factor) = (Literal::usize_unsuffixed(first), Literal::usize_unsuffixed(stride));
    let product = if stride == 1 { quote!(#i) } else { quote!(#factor * #i) };
    Some(match (rises, first) {
        _ if stride == 0 => quote!(#offset),
        (true, 0) => product,
        (true, _) => quote!(#product + #offset),
        (false, _) => quote!(#offset - #product),
    })
}

#[cfg(test)]
mod tests {
    use quote::format_ident;

    use super::*;

    fn text(positions: &[usize]) -> Option<String> {
        formula(positions, &format_ident!("i")).map(|tokens| tokens.to_string())
    }

    #[test]
    fn arithmetic_sequences_are_formulas() {
        for (positions, expected) in [
            (&[4, 4, 4][..], Some("4")),
            (&[0, 1, 2], Some("i")),
            (&[3, 10, 17], Some("7 * i + 3")),
            (&[0, 7, 14], Some("7 * i")),
            (&[9, 8, 7], Some("9 - i")),
            (&[9, 6, 3], Some("9 - 3 * i")),
            (&[5], Some("5")),
            (&[0, 1, 3], None),
            (&[0, 1, 0], None),
            (&[], None),
        ] {
            assert_eq!(text(positions).as_deref(), expected, "{positions:?}");
        }
    }

    #[test]
    fn other_sequences_have_tables() {
        let (mut indices, i) = (Indices::default(), format_ident!("i"));
        let mut names = ["A", "B"].into_iter();
        let mut at = |positions: &[usize]| {
            let (at, table) = indices.at(positions, &i, || format_ident!("{}", names.next().unwrap()));
            (at.to_string(), table.map(|table| table.to_string()))
        };
        let table = |tokens: TokenStream| Some(tokens.to_string());
        assert_eq!(
            at(&[1, 5, 6]),
            (
                "A [i] as usize".into(),
                table(quote!(
                    static A: [u16; 3] = [1, 5, 6];
                ))
            )
        );
        assert_eq!(
            at(&[2, 2, 70_000]),
            (
                "B [i] as usize".into(),
                table(quote!(
                    static B: [u32; 3] = [2, 2, 70000];
                ))
            )
        );
        assert_eq!(at(&[1, 5, 6]), ("A [i] as usize".into(), None));
        assert_eq!(at(&[2, 2, 70_000]), ("B [i] as usize".into(), None));
        assert_eq!(at(&[3, 4]), ("i + 3".into(), None));
    }
}
