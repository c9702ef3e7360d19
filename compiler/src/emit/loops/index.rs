//! Positions in an array by repetition of a loop: a formula of the repetition, or a column of a table.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The positions in the repetitions of a loop that follow no formula, one column for each array that is indexed.
pub struct Indices {
    /// The variable of the repetition.
    repetition: Ident,
    columns: Vec<(Ident, Vec<usize>)>,
}

impl Indices {
    pub fn new(repetition: Ident) -> Self {
        Indices { repetition, columns: Vec::new() }
    }

    /// What is written for these positions; `name` makes a variable for a column of the table.
    pub fn at(&mut self, positions: &[usize], name: impl FnOnce() -> Ident) -> TokenStream {
        if let Some(formula) = formula(positions, &self.repetition) {
            return formula;
        }
        let known = self.columns.iter().find(|(_, column)| column == positions);
        let variable = match known {
            Some((variable, _)) => variable.clone(),
            None => {
                let variable = name();
                self.columns.push((variable.clone(), positions.to_vec()));
                variable
            }
        };
        quote!(#variable as usize)
    }

    /// The table `name`, and the statement that takes the repetition's row apart; nothing where formulas were enough.
    pub fn table(&self, name: &Ident) -> (TokenStream, TokenStream) {
        let Some((_, first)) = self.columns.first() else { return (TokenStream::new(), TokenStream::new()) };
        let largest = self.columns.iter().flat_map(|(_, column)| column).max().copied().unwrap_or(0);
        let number = if u16::try_from(largest).is_ok() { quote!(u16) } else { quote!(u32) };
        let rows = (0..first.len()).map(|row| {
            let entries = self.columns.iter().map(|(_, column)| Literal::usize_unsuffixed(column[row]));
            quote!([#(#entries),*])
        });
        let (width, height) = (self.columns.len(), first.len());
        let variables = self.columns.iter().map(|(variable, _)| variable);
        let repetition = &self.repetition;
        (
            quote!(static #name: [[#number; #width]; #height] = [#(#rows),*];),
            quote!(let [#(#variables),*] = #name[#repetition];),
        )
    }
}

/// The positions as `a`, `b*i + a` or `a - b*i`, if they are that.
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
    fn other_sequences_share_a_table() {
        let mut indices = Indices::new(format_ident!("i"));
        let mut names = ["a", "b", "c"].into_iter();
        let mut name = || format_ident!("{}", names.next().unwrap());
        assert_eq!(indices.at(&[1, 5, 6], &mut name).to_string(), "a as usize");
        assert_eq!(indices.at(&[2, 2, 70_000], &mut name).to_string(), "b as usize");
        assert_eq!(indices.at(&[1, 5, 6], &mut name).to_string(), "a as usize");
        let (table, row) = indices.table(&format_ident!("INDICES"));
        let expected = quote! { static INDICES: [[u32; 2usize]; 3usize] = [[1, 2], [5, 2], [6, 70000]]; };
        assert_eq!(table.to_string(), expected.to_string());
        assert_eq!(row.to_string(), quote!(let [a, b] = INDICES[i];).to_string());
    }
}
