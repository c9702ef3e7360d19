//! Statements in Rust.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::expression::{literal, numbers_table};
use super::names::{Names, identifier, index, positions_table};
use crate::program::{Array, Expression, Statement, Uses, Variable};

/// Checks whether a statement takes arguments of the function.
pub fn takes_arguments(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Unpack { .. } | Statement::Take { .. } | Statement::Let { value: Expression::Entry(_), .. }
    )
}

impl Names<'_> {
    /// Writes the body of a function after `let k = at.constants;`.
    pub fn body(&self) -> Vec<TokenStream> {
        let is_declared_whole = |statement: &&Statement| match statement {
            Statement::Copy { .. } => true,
            Statement::StoreAll { array, .. } => matches!(array, Array::Local(_)),
            _ => false,
        };
        let body = &self.function.body;
        let first = body.iter().take_while(is_declared_whole).count();
        let imports = [(self.uses.takes, quote!(take)), (self.uses.puts, quote!(put))];
        let imports = imports.into_iter().filter_map(|(is_used, name)| is_used.then_some(name));
        let imports = imports.map(|name| quote!(use ::costate::emitted::#name;));
        let mut written: Vec<TokenStream> = imports.collect();
        written.extend(self.statements(&body[..first]));
        written.extend(self.locals());
        written.extend(self.statements(&body[first..]));
        written
    }

    /// Declares the local arrays that are not declared where they are filled.
    fn locals(&self) -> Vec<TokenStream> {
        let mut filled = Vec::new();
        for statement in &self.function.body {
            match statement {
                Statement::Copy { to, .. } => filled.push(*to),
                Statement::StoreAll { array: Array::Local(local), .. } => filled.push(*local),
                Statement::SinCosLoop { arguments, sines, cosines, .. } => {
                    filled.extend([*arguments, *sines, *cosines]);
                }
                _ => {}
            }
        }
        let used = self.uses.arrays.iter().filter_map(|array| match array {
            Array::Local(local) if !filled.contains(local) => Some(*local),
            _ => None,
        });
        let declare = used.map(|local| {
            let name = self.array(Array::Local(local));
            let length = Literal::usize_unsuffixed(self.function.locals[local.0].length);
            quote!(let mut #name = [S::constant(0.0); #length];)
        });
        declare.collect()
    }

    /// Writes the statements with `let`s, or where there are too many of them with names that are declared together and
    /// then assigned.
    pub fn statements(&self, statements: &[Statement]) -> Vec<TokenStream> {
        // Names that one `let` declares where there are more.
        const NAMES_PER_SCOPE: usize = 256;
        // Number of `let`s, each in the scope of all before it, that rustc takes without an effort: it goes through
        // nested scopes by recursion when it writes debug information, and some thousands of them exceed its stack.
        const MAX_SCOPES: usize = 1000;
        let arguments = statements.iter().take_while(|statement| takes_arguments(statement)).count();
        let (arguments, others) = statements.split_at(arguments);
        let mut written: Vec<TokenStream> = arguments.iter().map(|statement| self.statement(statement, true)).collect();
        if others.iter().filter(|statement| statement.computes_variables()).count() <= MAX_SCOPES {
            written.extend(others.iter().map(|statement| self.statement(statement, true)));
            return written;
        }
        let mut computed = 0;
        for (position, statement) in others.iter().enumerate() {
            let computes = statement.computes_variables();
            if computes && computed % NAMES_PER_SCOPE == 0 {
                let group = others[position..].iter().filter(|statement| statement.computes_variables());
                written.extend(self.names_of(group.take(NAMES_PER_SCOPE)));
            }
            computed += usize::from(computes);
            written.push(self.statement(statement, !computes));
        }
        written
    }

    /// Declares the variables that statements compute: numbers, and conditions, which have another type.
    fn names_of<'s>(&self, statements: impl Iterator<Item = &'s Statement>) -> Vec<TokenStream> {
        let computes_condition =
            |statement: &&Statement| matches!(statement, Statement::Let { value, .. } if value.is_condition());
        let (conditions, numbers): (Vec<_>, Vec<_>) = statements.partition(computes_condition);
        let [conditions, numbers] = [conditions, numbers].map(|statements| {
            let variables = statements.into_iter().flat_map(Statement::variables);
            variables.map(|variable| &self.variables[variable.0]).collect::<Vec<_>>()
        });
        let numbers = (!numbers.is_empty()).then(|| quote!(let [#(#numbers),*];));
        let conditions = (!conditions.is_empty()).then(|| quote!(let [#(#conditions),*];));
        numbers.into_iter().chain(conditions).collect()
    }

    /// Writes a statement; one that computes variables assigns them unless it `declares` them.
    fn statement(&self, statement: &Statement, declares: bool) -> TokenStream {
        let number = self.number();
        let (pattern, value) = match statement {
            Statement::Let { to, value } => (self.variable(Some(*to)), self.scalar(value)),
            Statement::Unpack { array, entries } => (self.variables(entries), self.whole(*array)),
            Statement::Take { first, entries } if self.in_parts.get() => {
                let run = self.run_of_part(*first);
                (self.variables(entries), quote!(T::take(#run)))
            }
            Statement::Take { first, entries } => {
                let (array, index) = (self.array(first.array), index(first.index));
                let reference = matches!(first.array, Array::Local(_)).then(|| quote!(&));
                (self.variables(entries), quote!(take(#reference #array, #index)))
            }
            Statement::SinCos { sin, cos, argument } => {
                let (sin, cos, argument) = (self.variable(*sin), self.variable(*cos), self.receiver(argument));
                (quote!((#sin, #cos)), quote!(#argument.sin_cos()))
            }
            Statement::SinCosEach { sines, cosines, arguments } => {
                let (sines, cosines) = (self.variables(sines), self.variables(cosines));
                let arguments = self.scalars(arguments);
                (quote!((#sines, #cosines)), quote!(#number::sin_cos_each([#arguments])))
            }
            Statement::ExpEach { values, arguments } => {
                let arguments = self.scalars(arguments);
                (self.variables(values), quote!(#number::exp_each([#arguments])))
            }
            Statement::Lookup { values, table, arguments, orders } => {
                (self.variables(values), self.lookup(*table, arguments, orders))
            }
            other => return self.action(other),
        };
        if declares { quote!(let #pattern = #value;) } else { quote!(#pattern = #value;) }
    }

    fn variable(&self, variable: Option<Variable>) -> TokenStream {
        let name: Option<&Ident> = variable.map(|variable| &self.variables[variable.0]);
        name.map_or_else(|| quote!(_), |name| quote!(#name))
    }

    fn variables(&self, variables: &[Option<Variable>]) -> TokenStream {
        let names = variables.iter().map(|variable| self.variable(*variable));
        quote!([#(#names),*])
    }

    fn lookup(&self, table: usize, arguments: &[Expression], orders: &[[u8; 2]]) -> TokenStream {
        let table = self.table(table);
        let orders = orders.iter().map(|&orders| {
            let [first, second] = orders.map(Literal::u8_unsuffixed);
            if arguments.len() == 1 { quote!(#first) } else { quote!([#first, #second]) }
        });
        let arguments = arguments.iter().map(|argument| self.scalar(argument));
        quote!(#table.derivatives(#(#arguments,)* [#(#orders),*]))
    }

    /// Writes a statement that computes no variable.
    fn action(&self, statement: &Statement) -> TokenStream {
        if self.in_parts.get()
            && let Some(written) = self.statement_of_part(statement)
        {
            return written;
        }
        match statement {
            Statement::Store { to, value } => {
                let (to, value) = (self.place(*to), self.scalar(value));
                quote!(#to = #value;)
            }
            Statement::Add { to, value } => {
                let (to, value) = (self.place(*to), self.scalar(value));
                quote!(#to += #value;)
            }
            Statement::Put { first, values } => {
                let (array, index, values) = (self.array(first.array), index(first.index), self.scalars(values));
                let reference = matches!(first.array, Array::Local(_)).then(|| quote!(&mut));
                quote!(put(#reference #array, #index, [#values]);)
            }
            Statement::StoreAll { array, first, is_whole, name, values } => {
                self.store_all((*array, *first), *is_whole, name.as_deref(), values)
            }
            Statement::Loop { count, body } => {
                let tables = self.tables_of(statement);
                if let Some(parts) = self.part_loop(*count, body) {
                    return quote!(#tables #parts);
                }
                let body = self.statements(body);
                let count = Literal::usize_unsuffixed(*count);
                quote! {
                    #tables
                    for i in 0..#count {
                        #(#body)*
                    }
                }
            }
            Statement::SinCosLoop { count, before, argument, arguments, sines, cosines } => {
                let (tables, before) = (self.tables_of(statement), self.statements(before));
                let argument = self.scalar(argument);
                let argument = if before.is_empty() { argument } else { quote!({ #(#before)* #argument }) };
                let count = Literal::usize_unsuffixed(*count);
                let [arguments, sines, cosines] =
                    [arguments, sines, cosines].map(|local| self.array(Array::Local(*local)));
                quote! {
                    #tables
                    let #arguments: [S; #count] = ::core::array::from_fn(|i| #argument);
                    let (#sines, #cosines) = S::sin_cos_each(#arguments);
                }
            }
            Statement::IfSelected { parameter, body } => {
                let (parameter, body) = (Literal::usize_unsuffixed(*parameter), self.statements(body));
                quote! {
                    if selected.contains(#parameter) {
                        #(#body)*
                    }
                }
            }
            Statement::Copy { from, to } => {
                let (from, to) = (self.whole(*from), self.array(Array::Local(*to)));
                quote!(let #to = #from;)
            }
            Statement::AddAll { from, to } => {
                let (from, to) = (self.array(Array::Local(*from)), self.array(*to));
                quote! {
                    for (right, #from) in #to.iter_mut().zip(#from) {
                        *right += #from;
                    }
                }
            }
            Statement::StoreSelected { from, to } => {
                let (from, to) = (self.array(Array::Local(*from)), self.array(*to));
                quote! {
                    for (i, share) in #from.into_iter().enumerate() {
                        if selected.contains(i) {
                            #to[i] = share;
                        }
                    }
                }
            }
            Statement::Call("newton_correction") => {
                quote!(Self::newton_correction(at, history, correction, &mut []);)
            }
            Statement::Call("solve") => quote!(Self::solve(k, factors, unknowns);),
            // the runtime adds what `adjoint` takes from `linearization`
            Statement::Call(_) | Statement::Evaluate { .. } => {
                quote!(::core::compile_error!("a function calls an unknown function");)
            }
            // those that compute variables
            _ => TokenStream::new(),
        }
    }

    fn store_all(
        &self,
        (array, first): (Array, usize),
        is_whole: bool,
        name: Option<&str>,
        values: &[Expression],
    ) -> TokenStream {
        let numbers = match (array, repeated(values)) {
            (Array::Out, Some(number)) => {
                let (number, length) = (self.scalar(number), Literal::usize_unsuffixed(values.len()));
                quote!([#number; #length])
            }
            _ => {
                let values = self.scalars(values);
                quote!([#values])
            }
        };
        let to = self.whole(array);
        if let Array::Local(_) = array {
            return quote!(let #to = #numbers;);
        }
        if is_whole {
            return quote!(#to = #numbers;);
        }
        let array = self.array(array);
        let (from, to) = (Literal::usize_unsuffixed(first), Literal::usize_unsuffixed(first + values.len()));
        match name.map(identifier) {
            Some(name) => quote! {
                let #name = #numbers;
                #array[#from..#to].copy_from_slice(&#name);
            },
            None => quote!(#array[#from..#to].copy_from_slice(&#numbers);),
        }
    }

    /// Writes the tables that a loop uses and no loop before it.
    fn tables_of(&self, statement: &Statement) -> TokenStream {
        let own = Uses::of(std::slice::from_ref(statement));
        let mut written = self.written.borrow_mut();
        let positions = own.positions.into_iter().filter(|&table| written.positions.insert(table));
        let positions = positions.map(|table| {
            let (name, positions) = (positions_table(table), &self.function.positions[table]);
            let largest = positions.iter().max().copied().unwrap_or(0);
            let number = if u16::try_from(largest).is_ok() { quote!(u16) } else { quote!(u32) };
            let length = Literal::usize_unsuffixed(positions.len());
            let positions = positions.iter().copied().map(Literal::usize_unsuffixed);
            quote!(static #name: [#number; #length] = [#(#positions),*];)
        });
        let positions: Vec<TokenStream> = positions.collect();
        let numbers = own.numbers.into_iter().filter(|&table| written.numbers.insert(table));
        let numbers = numbers.map(|table| {
            let (name, numbers) = (numbers_table(table), &self.function.numbers[table]);
            let length = numbers.len();
            let numbers = numbers.iter().map(|&number| literal(number));
            quote!(static #name: [f64; #length] = [#(#numbers),*];)
        });
        quote!(#(#positions)* #(#numbers)*)
    }
}

/// Returns the number that all values are, where there are several of them.
fn repeated(values: &[Expression]) -> Option<&Expression> {
    let bits = |value: &Expression| match value {
        Expression::Number(number) => Some(number.to_bits()),
        _ => None,
    };
    let [first, _, ..] = values else { return None };
    let own = bits(first)?;
    values.iter().all(|value| bits(value) == Some(own)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Function, Place, Program};

    fn chain(length: usize) -> Function {
        let statement = |i: usize| {
            let before = Expression::Variable(Variable(i.max(1) - 1));
            let value = Expression::Multiply(Box::new([before, Expression::Number(2.0)]));
            Statement::Let { to: Variable(i), value }
        };
        let variables = (0..length).map(|i| format!("e{i}")).collect();
        Function { variables, body: (0..length).map(statement).collect(), ..Function::default() }
    }

    #[test]
    fn scopes_do_not_nest_deeply() {
        for length in [10, 1000, 1001, 20_000] {
            let (program, function) = (Program::default(), chain(length));
            let written = Names::new(&program, &function).body();
            let text: Vec<String> = written.iter().map(ToString::to_string).collect();
            assert!(text.iter().filter(|text| text.starts_with("let")).count() <= 1000);
            // every value is computed once, in order, and every name is declared above it
            let mut declared = 0;
            let mut assigned = 0;
            for text in &text {
                match text.strip_prefix("let [") {
                    Some(names) => declared += names.matches('e').count(),
                    None => {
                        assert!(text.contains(&format!("e{assigned} =")), "{text}");
                        assigned += 1;
                        assert!(declared >= assigned || length <= 1000);
                    }
                }
            }
            assert_eq!(assigned, length);
        }
    }

    #[test]
    fn local_arrays_and_tables_are_declared_once() {
        let place = |array, index| Place { array, index };
        let (local, table) = (Array::Local(crate::program::Local(0)), crate::program::Index::Table(0));
        let value = Expression::Entry(place(Array::Coordinates, table));
        let store = Statement::Store { to: place(local, table), value };
        let repeat = Statement::Loop { count: 3, body: vec![store] };
        let function = Function {
            locals: vec![crate::program::LocalArray { name: "e".to_owned(), length: 9 }],
            positions: vec![vec![0, 8, 1]],
            body: vec![repeat.clone(), repeat],
            ..Function::default()
        };
        let program = Program::default();
        let text: Vec<String> =
            Names::new(&program, &function).body().iter().map(|part| part.to_string().replace(' ', "")).collect();
        let repeat = "foriin0..3{e[INDICES_1[i]asusize]=at.coordinates[INDICES_1[i]asusize];}";
        assert_eq!(
            text,
            [
                "letmute=[S::constant(0.0);9];".to_owned(),
                format!("staticINDICES_1:[u16;3]=[0,8,1];{repeat}"),
                repeat.to_owned()
            ]
        );
    }
}
