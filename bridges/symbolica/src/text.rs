//! Atoms in the language of `model!`.

use std::collections::BTreeMap;

use costate_compiler::symbolic::Function;
use symbolica::atom::representation::FunView;
use symbolica::atom::{Atom, AtomView, Symbol};
use symbolica::transcendental as functions;

use crate::error::TextError;
use crate::number;
use crate::symbols::{Language, language, name_in_language};

/// The greatest depth of nested expressions.
const MAX_DEPTH: usize = 200;

/// Words of the language that cannot be names of quantities, besides its functions of one argument.
const RESERVED: [&str; 22] = [
    "t",
    "pi",
    "atan2",
    "min",
    "max",
    "smooth_step",
    "sum",
    "norm",
    "inner",
    "cross",
    "dot",
    "ddot",
    "value",
    "multiplier",
    "if",
    "else",
    "for",
    "in",
    "let",
    "true",
    "false",
    "component",
];

/// Writes the expression in the language of `model!`, for a model that declares all names in it. A symbol of
/// [`atoms`](crate::atoms()) is written with the name of its quantity in the model, any other symbol with its name
/// without namespace (`s`), and the weights of an implicit step are `w_a`, `w_q` and `w_v`. Units are checked where
/// the text is compiled. The numbers in the text have no units: if the numbers of the model have units (`3[N]`),
/// these must be added again.
///
/// ```
/// use symbolica::prelude::*;
///
/// let atom = parse!("-(x + 1)^2/(3*y) + sqrt(x)/10");
/// assert_eq!(costate_symbolica::text(&atom)?, "0.1*sqrt(x) - (1 + x)^2/(3*y)");
/// # Ok::<(), costate_symbolica::TextError>(())
/// ```
///
/// # Errors
/// Functions, derivatives of tables and numbers that the language does not have; conditions in place of numbers;
/// symbols whose names are invalid, have another meaning, or are those of other symbols; expressions nested more than
/// 200 deep.
pub fn text(atom: &Atom) -> Result<String, TextError> {
    let mut writer = Writer { language: language().ok(), names: BTreeMap::new() };
    writer.value(atom.as_view(), Binding::Choice, 0)
}

/// The precedence of an expression, from the loosest binding to the tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Power,
    Atom,
}

/// A term of a sum, without its sign.
struct Term {
    is_negative: bool,
    text: String,
    binding: Binding,
}

impl Term {
    fn of(text: String, binding: Binding) -> Self {
        Term { is_negative: false, text, binding }
    }

    fn within(self, outside: Binding) -> String {
        let (text, binding) = if self.is_negative {
            let text = Term::of(self.text, self.binding).within(Binding::Product);
            (format!("-{text}"), Binding::Product)
        } else {
            (self.text, self.binding)
        };
        if binding < outside { format!("({text})") } else { text }
    }
}

/// A writer of one atom.
struct Writer {
    language: Option<&'static Language>,
    /// The symbols that have been written, by their names in the text.
    names: BTreeMap<String, Symbol>,
}

impl Writer {
    /// Writes a number or a quantity, in parentheses if it binds less tightly than `outside`.
    fn value(&mut self, view: AtomView<'_>, outside: Binding, depth: usize) -> Result<String, TextError> {
        Ok(self.term(view, depth)?.within(outside))
    }

    fn term(&mut self, view: AtomView<'_>, depth: usize) -> Result<Term, TextError> {
        if depth > MAX_DEPTH {
            return Err(TextError::Depth { limit: MAX_DEPTH });
        }
        match view {
            AtomView::Num(_) | AtomView::Mul(_) | AtomView::Pow(_) => self.product(view, depth),
            AtomView::Var(variable) => self.variable(variable.get_symbol()),
            AtomView::Fun(call) => self.call(call, depth),
            AtomView::Add(sum) => {
                let mut text = String::new();
                for (i, summand) in sum.iter().enumerate() {
                    let Term { is_negative, text: summand, binding } = self.term(summand, depth + 1)?;
                    text.push_str(match (i, is_negative) {
                        (0, false) => "",
                        (0, true) => "-",
                        (_, false) => " + ",
                        (_, true) => " - ",
                    });
                    text.push_str(&Term::of(summand, binding).within(Binding::Product));
                }
                Ok(Term::of(text, Binding::Sum))
            }
        }
    }

    /// Writes a product of numbers, powers and other factors, those with negative exponents in the denominator.
    fn product(&mut self, view: AtomView<'_>, depth: usize) -> Result<Term, TextError> {
        let mut product = Product::default();
        match view {
            AtomView::Mul(factors) => {
                for factor in factors.iter() {
                    self.factor(factor, &mut product, depth + 1)?;
                }
            }
            _ => self.factor(view, &mut product, depth)?,
        }
        Ok(product.term())
    }

    fn factor(&mut self, view: AtomView<'_>, product: &mut Product, depth: usize) -> Result<(), TextError> {
        match view {
            AtomView::Num(factor) => {
                let factor = factor.get_coeff_view();
                let text = number::text(factor);
                let (above, below) = text.ok_or_else(|| TextError::Number { number: view.to_plain_string() })?;
                product.is_negative ^= number::is_negative(factor);
                product.number = Some(above);
                product.below.extend(below.map(|below| (below, Binding::Atom)));
            }
            AtomView::Pow(power) => {
                let (base, exponent) = power.get_base_exp();
                let is_below = matches!(exponent, AtomView::Num(number) if number::is_negative(number.get_coeff_view()))
                    && !is_e(base);
                let written = self.power(base, exponent, is_below, depth)?;
                if is_below { product.below.push(written) } else { product.above.push(written) }
            }
            _ => {
                let Term { is_negative, text, binding } = self.term(view, depth + 1)?;
                product.is_negative ^= is_negative;
                product.above.push((text, binding));
            }
        }
        Ok(())
    }

    /// Writes a power, or its reciprocal.
    fn power(
        &mut self,
        base: AtomView<'_>,
        exponent: AtomView<'_>,
        reciprocal: bool,
        depth: usize,
    ) -> Result<(String, Binding), TextError> {
        if is_e(base) {
            let exponent = self.value(exponent, Binding::Choice, depth + 1)?;
            return Ok((format!("exp({exponent})"), Binding::Atom));
        }
        let AtomView::Num(number) = exponent else {
            let (base, exponent) =
                (self.value(base, Binding::Atom, depth + 1)?, self.value(exponent, Binding::Atom, depth + 1)?);
            return Ok((format!("{base}^{exponent}"), Binding::Power));
        };
        let view = number.get_coeff_view();
        let (above, below) =
            number::text(view).ok_or_else(|| TextError::Number { number: exponent.to_plain_string() })?;
        let sign = if number::is_negative(view) && !reciprocal { "-" } else { "" };
        match (&*above, below.as_deref()) {
            ("1", None) if sign.is_empty() => {
                let Term { is_negative, text, binding } = self.term(base, depth + 1)?;
                Ok((Term { is_negative, text, binding }.within(Binding::Power), Binding::Power))
            }
            ("0.5", None) if sign.is_empty() => {
                Ok((format!("sqrt({})", self.value(base, Binding::Choice, depth + 1)?), Binding::Atom))
            }
            (whole, None) => {
                let base = self.value(base, Binding::Atom, depth + 1)?;
                Ok((format!("{base}^{sign}{whole}"), Binding::Power))
            }
            (above, Some(below)) => {
                let base = self.value(base, Binding::Atom, depth + 1)?;
                Ok((format!("{base}^({sign}{above}/{below})"), Binding::Power))
            }
        }
    }

    fn variable(&mut self, symbol: Symbol) -> Result<Term, TextError> {
        if symbol == Symbol::PI {
            return Ok(Term::of("pi".to_owned(), Binding::Atom));
        }
        if symbol == Symbol::E {
            return Ok(Term::of("exp(1)".to_owned(), Binding::Atom));
        }
        Ok(Term::of(self.name(symbol)?, Binding::Atom))
    }

    /// Returns the name of a quantity, and refuses a name that another symbol has.
    fn name(&mut self, symbol: Symbol) -> Result<String, TextError> {
        let full = || symbol.get_name().to_owned();
        let name = match name_in_language(symbol) {
            Some(name) => name.to_owned(),
            None if symbol.is_builtin() => return Err(TextError::Name { symbol: full() }),
            None => {
                let name = symbol.get_stripped_name();
                if !is_name(name) {
                    return Err(TextError::Name { symbol: full() });
                }
                if RESERVED.contains(&name) || Function::ALL.iter().any(|function| function.name() == name) {
                    return Err(TextError::Reserved { symbol: full(), name: name.to_owned() });
                }
                name.to_owned()
            }
        };
        match self.names.insert(name.clone(), symbol) {
            Some(other) if other != symbol => {
                Err(TextError::SameName { first: other.get_name().to_owned(), second: full(), name })
            }
            _ => Ok(name),
        }
    }

    fn call(&mut self, call: FunView<'_>, depth: usize) -> Result<Term, TextError> {
        let symbol = call.get_symbol();
        let arguments: Vec<AtomView<'_>> = call.iter().collect();
        if symbol == Symbol::IF
            && let [condition, yes, no] = *arguments
        {
            let condition = self.condition(condition, Binding::Or, depth + 1)?;
            let yes = self.value(yes, Binding::Choice, depth + 1)?;
            let no = self.value(no, Binding::Choice, depth + 1)?;
            return Ok(Term::of(format!("if {condition} {{ {yes} }} else {{ {no} }}"), Binding::Choice));
        }
        let plain = || call.as_view().to_plain_string();
        if symbol == Symbol::DERIVATIVE {
            return Err(TextError::Derivative { call: plain() });
        }
        if self.language.is_some_and(|language| language.conditions().contains(&symbol)) {
            return Err(TextError::Condition { condition: plain() });
        }
        if symbol == functions::atan()
            && let [x, y] = *arguments
        {
            let (y, x) = (self.value(y, Binding::Choice, depth + 1)?, self.value(x, Binding::Choice, depth + 1)?);
            return Ok(Term::of(format!("atan2({y}, {x})"), Binding::Atom));
        }
        if let [argument] = *arguments
            && let Some((name, is_reciprocal)) = self.function(symbol)
        {
            let call = format!("{name}({})", self.value(argument, Binding::Choice, depth + 1)?);
            return Ok(match is_reciprocal {
                true => Term::of(format!("1/{call}"), Binding::Product),
                false => Term::of(call, Binding::Atom),
            });
        }
        if name_in_language(symbol).is_none() {
            return Err(TextError::Function { name: symbol.get_name().to_owned(), call: plain() });
        }
        let name = self.name(symbol)?;
        let mut written = Vec::with_capacity(arguments.len());
        for argument in arguments {
            written.push(self.value(argument, Binding::Choice, depth + 1)?);
        }
        Ok(Term::of(format!("{name}({})", written.join(", ")), Binding::Atom))
    }

    /// Returns the name of a function of one argument, or, with `true`, of the function of which it is the
    /// reciprocal.
    fn function(&self, symbol: Symbol) -> Option<(&'static str, bool)> {
        let of_language = self.language.and_then(|language| {
            let known = [
                (language.dot, "dot"),
                (language.ddot, "ddot"),
                (language.multiplier, "multiplier"),
                (language.abs, "abs"),
                (language.sign, "sign"),
            ];
            known.into_iter().find(|(known, _)| *known == symbol)
        });
        if let Some((_, name)) = of_language {
            return Some((name, false));
        }
        let known = [
            (Symbol::SIN, "sin", false),
            (Symbol::COS, "cos", false),
            (Symbol::EXP, "exp", false),
            (Symbol::LOG, "ln", false),
            (Symbol::SQRT, "sqrt", false),
            (Symbol::ABS, "abs", false),
            (functions::tan(), "tan", false),
            (functions::asin(), "asin", false),
            (functions::acos(), "acos", false),
            (functions::atan(), "atan", false),
            (functions::sinh(), "sinh", false),
            (functions::cosh(), "cosh", false),
            (functions::tanh(), "tanh", false),
            (functions::sec(), "cos", true),
            (functions::csc(), "sin", true),
            (functions::cot(), "tan", true),
            (functions::sech(), "cosh", true),
            (functions::csch(), "sinh", true),
            (functions::coth(), "tanh", true),
        ];
        known.into_iter().find(|(known, ..)| *known == symbol).map(|(_, name, reciprocal)| (name, reciprocal))
    }

    /// Writes a condition of `if`; a number is compared with zero.
    fn condition(&mut self, view: AtomView<'_>, outside: Binding, depth: usize) -> Result<String, TextError> {
        if depth > MAX_DEPTH {
            return Err(TextError::Depth { limit: MAX_DEPTH });
        }
        let known = match (view, self.language) {
            (AtomView::Fun(call), Some(language)) if language.conditions().contains(&call.get_symbol()) => {
                Some((language, call.get_symbol(), call.iter().collect::<Vec<_>>()))
            }
            _ => None,
        };
        let (text, binding) = match known {
            Some((language, symbol, arguments)) => match *arguments {
                [inner] if symbol == language.not => {
                    (format!("!{}", self.condition(inner, Binding::Atom, depth + 1)?), Binding::Atom)
                }
                [left, right] if symbol == language.and || symbol == language.or => {
                    let (word, binding) =
                        if symbol == language.and { ("&&", Binding::And) } else { ("||", Binding::Or) };
                    let left = self.condition(left, binding, depth + 1)?;
                    (format!("{left} {word} {}", self.condition(right, Binding::Comparison, depth + 1)?), binding)
                }
                [left, right] if symbol != language.not => {
                    let word = match symbol {
                        symbol if symbol == language.less => "<",
                        symbol if symbol == language.less_equal => "<=",
                        _ => "==",
                    };
                    let left = self.value(left, Binding::Sum, depth + 1)?;
                    (format!("{left} {word} {}", self.value(right, Binding::Sum, depth + 1)?), Binding::Comparison)
                }
                _ => {
                    let (name, call) = (symbol.get_name().to_owned(), view.to_plain_string());
                    return Err(TextError::Function { name, call });
                }
            },
            None => (format!("{} != 0", self.value(view, Binding::Sum, depth + 1)?), Binding::Comparison),
        };
        Ok(if binding < outside { format!("({text})") } else { text })
    }
}

/// A product that is being collected.
#[derive(Default)]
struct Product {
    is_negative: bool,
    /// Numerator of the numeric factor; `None` if there is no such factor.
    number: Option<String>,
    above: Vec<(String, Binding)>,
    below: Vec<(String, Binding)>,
}

impl Product {
    fn term(self) -> Term {
        let Product { is_negative, number, above, below } = self;
        let is_needed = |number: &String| number != "1" || above.is_empty();
        let number = number.filter(is_needed).map(|number| (number, Binding::Atom));
        if let ([], [], Some((number, binding))) = (&*above, &*below, &number) {
            return Term { is_negative, text: number.clone(), binding: *binding };
        }
        let mut above: Vec<(String, Binding)> = number.into_iter().chain(above).collect();
        if above.is_empty() {
            above.push(("1".to_owned(), Binding::Atom));
        }
        if let ([(text, binding)], []) = (&*above, &*below) {
            return Term { is_negative, text: text.clone(), binding: *binding };
        }
        let written = |factors: Vec<(String, Binding)>| -> Vec<String> {
            factors.into_iter().map(|(text, binding)| Term::of(text, binding).within(Binding::Power)).collect()
        };
        let (above, below) = (written(above).join("*"), written(below));
        let text = match &*below {
            [] => above,
            [single] => format!("{above}/{single}"),
            several => format!("{above}/({})", several.join("*")),
        };
        Term { is_negative, text, binding: Binding::Product }
    }
}

fn is_e(base: AtomView<'_>) -> bool {
    matches!(base, AtomView::Var(variable) if variable.get_symbol() == Symbol::E)
}

/// Checks whether `name` can be the name of a quantity.
fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    let starts = characters.next().is_some_and(|first| first.is_alphabetic() || first == '_');
    starts && name != "_" && characters.all(|character| character.is_alphanumeric() || character == '_')
}
