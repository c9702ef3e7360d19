//! Loops over parts in functions of time loops, whose repetitions go side by side where the numbers are plain.
//!
//! The loop becomes the method of a struct that borrows what the loop reads and stores, generic over the numbers `T` of
//! one repetition or of several. Array entries that differ between repetitions are taken and stored for all repetitions
//! of `T` together.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::names::{Names, index};
use crate::program::{Array, Expression, Index, Place, Statement, Uses, Variable};

/// Functions that steps evaluate again and again; of others, one form of numbers is enough.
const FUNCTIONS: [&str; 2] = ["newton", "residual"];

/// Numbers that a loop reads and that are the same in all repetitions.
#[derive(Default)]
struct Shared {
    variables: Vec<Variable>,
    places: Vec<Place>,
}

impl Names<'_> {
    /// Writes a loop whose repetitions may go side by side; `None` for a loop that is written as it is.
    pub fn part_loop(&self, count: usize, body: &[Statement]) -> Option<TokenStream> {
        // Fewest statements of a loop that is worth a struct.
        const MIN_STATEMENTS: usize = 64;
        // Number of repetitions that go side by side in the lanes of a vector.
        const SIDE_BY_SIDE: usize = 4;
        let uses = Uses::of(body);
        let fits = FUNCTIONS.contains(&self.function.name)
            && count.is_multiple_of(SIDE_BY_SIDE)
            && body.len() >= MIN_STATEMENTS
            && uses.lookups.is_empty()
            && !self.in_parts.get()
            && are_independent(body);
        if !fits {
            return None;
        }
        let shared = Shared::of(body);
        let arrays: Vec<Array> = uses.arrays.iter().copied().filter(|array| is_read(*array, body)).collect();
        let (mut lengths, mut fields, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for array in &arrays {
            let (field, length) = (self.field(*array), format_ident!("N{}", lengths.len()));
            let whole = self.array(*array);
            let reference = matches!(array, Array::Local(_)).then(|| quote!(&));
            fields.push(quote!(#field: &'a [S; #length]));
            values.push(quote!(#field: #reference #whole));
            lengths.push(length);
        }
        let own = arrays.iter().map(|array| self.field(*array));
        let (names, given) = self.shared(&shared);
        let length = Literal::usize_unsuffixed(names.len());
        let runs = self.number_results(body);
        let stored = Literal::usize_unsuffixed(self.results.borrow().len());
        let runs = runs.iter().map(|run| {
            let run = run.map(Literal::usize_unsuffixed);
            quote!((#(#run),*))
        });
        self.in_parts.set(true);
        let body = self.statements(body);
        self.in_parts.set(false);
        self.shared.borrow_mut().clear();
        let count = Literal::usize_unsuffixed(count);
        Some(quote! {
            /// The arrays and numbers that the loop over the parts reads, and the array that it fills.
            struct Parts<'a, S, const OUT: usize, #(const #lengths: usize),*> {
                #(#fields,)*
                shared: [S; #length],
                out: &'a mut [S; OUT],
            }
            impl<S: ::costate::model::Scalar, const OUT: usize, #(const #lengths: usize),*>
                ::costate::emitted::PartLoop<S> for Parts<'_, S, OUT, #(#lengths),*>
            {
                #[inline(always)]
                fn run<T: ::costate::emitted::Repetitions<S>>(self) {
                    let Self { #(#own,)* shared, out } = self;
                    let [#(#names),*] = shared.map(T::same);
                    for i in (0..#count).step_by(T::COUNT) {
                        let mut results = [T::default(); #stored];
                        #(#body)*
                        T::store(out, i, &[#(#runs),*], &results);
                    }
                }
            }
            S::in_parts(Parts { #(#values,)* shared: [#(#given),*], out });
        })
    }

    /// Returns the names and the values of what all repetitions share, and remembers the names.
    fn shared(&self, shared: &Shared) -> (Vec<Ident>, Vec<TokenStream>) {
        let mut names: Vec<Ident> =
            shared.variables.iter().map(|variable| self.variables[variable.0].clone()).collect();
        let mut given: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
        for &place in &shared.places {
            let value = self.place(place);
            let wanted: String = value.to_string().chars().filter(|c| !c.is_whitespace()).collect();
            let mut name = wanted.replace(|c: char| !c.is_alphanumeric() && c != '_', "_");
            while self.variables.iter().chain(&names).any(|other| *other == name) {
                name.push('_');
            }
            let name = format_ident!("{name}");
            self.shared.borrow_mut().insert(place, name.clone());
            names.push(name);
            given.push(value);
        }
        (names, given)
    }

    /// Returns the name of the field that borrows an array.
    pub fn field(&self, array: Array) -> Ident {
        match array {
            Array::Coordinates => format_ident!("coordinates"),
            Array::Velocities => format_ident!("velocities"),
            Array::Accelerations => format_ident!("accelerations"),
            Array::Multipliers => format_ident!("multipliers"),
            Array::Inputs => format_ident!("inputs"),
            Array::Local(_) => format_ident!("{}", self.array(array).to_string()),
            _ => format_ident!("out"),
        }
    }

    /// Writes what an entry is in a loop over parts.
    pub fn place_of_part(&self, place: Place) -> TokenStream {
        if let Some(name) = self.shared.borrow().get(&place) {
            return quote!(#name);
        }
        match self.run_of_part(place) {
            Some(run) => quote!(T::entry(#run)),
            None => {
                let entry = self.entry_of_part(place);
                quote!(T::each(i, |i| #entry))
            }
        }
    }

    /// Writes the array, the first entry and the stride of entries at a distance from repetition to repetition.
    pub fn run_of_part(&self, first: Place) -> Option<TokenStream> {
        let Index::Rising { stride, .. } = first.index else { return None };
        let (field, index, stride) = (self.field(first.array), index(first.index), Literal::usize_unsuffixed(stride));
        Some(quote!(#field, #index, #stride))
    }

    /// Writes an entry, which belongs to repetition `i`.
    fn entry_of_part(&self, place: Place) -> TokenStream {
        let (field, index) = (self.field(place.array), index(place.index));
        quote!(#field[#index])
    }

    /// Writes a statement that stores entries of a part; `None` for another one.
    pub fn statement_of_part(&self, statement: &Statement) -> Option<TokenStream> {
        let (first, values) = match statement {
            Statement::Store { to, value } => (*to, std::slice::from_ref(value)),
            Statement::Put { first, values } => (*first, &values[..]),
            Statement::Add { to, value } => {
                let (field, index, value) = (self.field(to.array), index(to.index), self.scalar(value));
                return Some(quote!(T::add_to(#field, #index, #value);));
            }
            _ => return None,
        };
        let written = self.scalars(values);
        let Index::Rising { offset, stride } = first.index else {
            let entry = self.entry_of_part(first);
            return Some(quote!(T::pass(#written, i, |i, value| #entry = value);));
        };
        let results = self.results.borrow();
        let first = results.get(&(stride, offset)).copied().map(Literal::usize_unsuffixed);
        Some(match values {
            [_] => quote!(results[#first] = #written;),
            // entries that follow each other have numbers that do
            _ => quote!(put(&mut results, #first, [#written]);),
        })
    }

    /// Numbers the entries that a loop stores, by the distance from repetition to repetition and their offsets, and
    /// returns their runs: offset, distance from repetition to repetition, length.
    fn number_results(&self, body: &[Statement]) -> Vec<[usize; 3]> {
        let mut entries = BTreeSet::new();
        for statement in body {
            let (first, length) = match statement {
                Statement::Store { to, .. } => (to, 1),
                Statement::Put { first, values } => (first, values.len()),
                _ => continue,
            };
            if let Index::Rising { offset, stride } = first.index {
                entries.extend((0..length).map(|distance| (stride, offset + distance)));
            }
        }
        let mut runs: Vec<[usize; 3]> = Vec::new();
        for &(stride, offset) in &entries {
            match runs.last_mut() {
                Some([first, of_run, length]) if *of_run == stride && *first + *length == offset => *length += 1,
                _ => runs.push([offset, stride, 1]),
            }
        }
        *self.results.borrow_mut() = entries.into_iter().zip(0..).collect();
        runs
    }
}

/// Checks whether entries of an array that differ between repetitions are read.
fn is_read(array: Array, body: &[Statement]) -> bool {
    let differs = |place: &Place| place.array == array && !matches!(place.index, Index::At(_));
    array != Array::Out && places(body).iter().any(differs)
}

/// Checks whether the repetitions may go in any order: they read entries of what the function is given and of local
/// arrays, and store in `Out` alone.
fn are_independent(body: &[Statement]) -> bool {
    let reads = |place: &Place| match place.array {
        Array::Coordinates
        | Array::Velocities
        | Array::Accelerations
        | Array::Multipliers
        | Array::Inputs
        | Array::Local(_) => true,
        Array::Time | Array::Constants => matches!(place.index, Index::At(_)),
        _ => false,
    };
    let stores = |statement: &Statement| match statement {
        Statement::Store { to, .. } => to.array == Array::Out && !matches!(to.index, Index::At(_)),
        Statement::Put { first, .. } => first.array == Array::Out && matches!(first.index, Index::Rising { .. }),
        Statement::Add { to, .. } => to.array == Array::Out && matches!(to.index, Index::At(_)),
        Statement::Take { first, .. } => matches!(first.index, Index::Rising { .. }),
        _ => statement.computes_variables(),
    };
    body.iter().all(stores) && places(body).iter().all(reads)
}

/// Lists the places that are read.
fn places(body: &[Statement]) -> Vec<Place> {
    let mut places = Vec::new();
    each_expression(body, &mut |expression| {
        if let Expression::Entry(place) = expression {
            places.push(*place);
        }
    });
    let taken = body.iter().filter_map(|statement| match statement {
        Statement::Take { first, .. } => Some(*first),
        _ => None,
    });
    places.extend(taken);
    places
}

impl Shared {
    fn of(body: &[Statement]) -> Self {
        let own: BTreeSet<Variable> = body.iter().flat_map(Statement::variables).collect();
        let mut shared = Self::default();
        each_expression(body, &mut |expression| match expression {
            Expression::Variable(variable) if !own.contains(variable) && !shared.variables.contains(variable) => {
                shared.variables.push(*variable);
            }
            Expression::Entry(place @ Place { index: Index::At(_), .. }) if !shared.places.contains(place) => {
                shared.places.push(*place);
            }
            _ => {}
        });
        shared
    }
}

/// Visits every expression of statements, with its operands.
fn each_expression<'s>(body: &'s [Statement], visit: &mut impl FnMut(&'s Expression)) {
    fn inner<'s>(expression: &'s Expression, visit: &mut impl FnMut(&'s Expression)) {
        visit(expression);
        expression.operands().iter().for_each(|operand| inner(operand, visit));
    }
    for statement in body {
        let values: &[Expression] = match statement {
            Statement::Let { value, .. } | Statement::Store { value, .. } | Statement::Add { value, .. } => {
                std::slice::from_ref(value)
            }
            Statement::SinCos { argument, .. } => std::slice::from_ref(argument),
            Statement::SinCosEach { arguments, .. } | Statement::ExpEach { arguments, .. } => arguments,
            Statement::Put { values, .. } => values,
            _ => &[],
        };
        values.iter().for_each(|value| inner(value, visit));
    }
}
