//! Units as products and quotients of powers: `N*s/m`, `kg*m^2`, `N/(m*s)`, `1/s`.

use costate_contract::units::{self, LARGEST_EXPONENT};
use proc_macro2::{Delimiter, Group, Ident, TokenTree};

use super::{Dimension, Exponent, Scale, Unit};
use crate::diagnostic::{Diagnostic, Place};
use crate::tokens::{Parsed, Tokens, place_of_group};

impl Unit {
    /// Reads a unit; it ends at `=`, `,`, `;`, at the end of the group or where the next entry starts.
    pub fn parse(tokens: &mut Tokens) -> Parsed<Unit> {
        let unit = product(tokens)?;
        if at_end(tokens) {
            return Ok(unit);
        }
        let found = tokens.found();
        Err(tokens.error(match tokens.peek() {
            Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => {
                format!("expected an operator before {found}; write `{}*...` for a product of units", unit.text)
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                format!("expected an operator before {found}; write `{}*(...)` for a product of units", unit.text)
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == '%' => {
                "`%` is not the name of a unit; write `percent`".to_owned()
            }
            _ => format!("expected the end of the unit, found {found}; units are joined by `*`, `/` and `^`"),
        }))
    }

    /// The product with another unit that stands after it, or the quotient.
    fn joined(self, operator: &str, other: Unit) -> Parsed<Unit> {
        let divided = operator == "/";
        let operation = if divided { Dimension::over } else { Dimension::times };
        let dimension = self.dimension.zip(other.dimension).and_then(|(left, right)| operation(left, right));
        let scale = self.scale.times(if divided { other.scale.inverse() } else { other.scale });
        let text = format!("{}{operator}{}", self.text, other.text);
        checked(text, self.place.to(other.place), dimension, scale)
    }
}

fn checked(text: String, place: Place, dimension: Option<Dimension>, scale: Scale) -> Parsed<Unit> {
    let Some(dimension) = dimension.filter(|dimension| dimension.is_writable()) else {
        let message = format!("the exponents of `{text}` exceed {LARGEST_EXPONENT}; check the unit");
        return Err(Diagnostic { message, place });
    };
    if !scale.is_valid() {
        let message = format!("the factor of `{text}` is beyond double precision; use other prefixes");
        return Err(Diagnostic { message, place });
    }
    Ok(Unit { text, place, dimension: Some(dimension), scale })
}

/// `kg m = 1` lacks an operator, `x: m y: m` lacks a comma.
fn at_end(tokens: &Tokens) -> bool {
    let ends = ["=", ",", ";"].iter().any(|end| tokens.at(end));
    tokens.is_empty() || ends || tokens.at_entry() && !tokens.at_ahead(1, "=")
}

fn product(tokens: &mut Tokens) -> Parsed<Unit> {
    let mut unit = power(tokens)?;
    while let Some(operator) = ["*", "/"].into_iter().find(|operator| tokens.at(operator)) {
        tokens.take();
        let factor = power(tokens)?;
        unit = unit.joined(operator, factor)?;
    }
    Ok(unit)
}

fn power(tokens: &mut Tokens) -> Parsed<Unit> {
    let base = factor(tokens)?;
    if tokens.take_operator("^").is_none() {
        return Ok(base);
    }
    let negative = tokens.take_operator("-").is_some();
    let (magnitude, place) = exponent(tokens)?;
    let exponent = if negative { -magnitude } else { magnitude };
    let text = format!("{}^{exponent}", base.text);
    if magnitude > LARGEST_EXPONENT {
        let message = format!("the exponent {exponent} exceeds {LARGEST_EXPONENT}; check the unit");
        return Err(Diagnostic { message, place });
    }
    if tokens.at("^") {
        return Err(tokens.error("a power of a power; multiply the exponents"));
    }
    // Within bounds, a small number.
    let dimension = base.dimension.and_then(|base| base.power(Exponent::whole(exponent as i16)));
    checked(text, base.place.to(place), dimension, base.scale.power(exponent))
}

/// The digits of an exponent.
fn exponent(tokens: &mut Tokens) -> Parsed<(i32, Place)> {
    match tokens.peek() {
        Some(TokenTree::Literal(literal)) => {
            let text = literal.to_string();
            if text.bytes().all(|byte| byte.is_ascii_digit()) {
                // More digits than an integer holds are too large in any case.
                let magnitude = text.parse().unwrap_or(i32::MAX);
                return Ok((magnitude, tokens.skip(1)));
            }
            Err(tokens.error(format!("the exponent `{text}` is not a whole number; write e.g. `m^2`")))
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            Err(tokens.error("exponents of units are whole numbers; write e.g. `m^2` without parentheses"))
        }
        _ => {
            let message = format!("expected an exponent before {}; write a whole number, e.g. `m^2`", tokens.found());
            Err(tokens.error(message))
        }
    }
}

/// A name, `1` or a unit in parentheses.
fn factor(tokens: &mut Tokens) -> Parsed<Unit> {
    match tokens.peek().cloned() {
        Some(TokenTree::Ident(ident)) => {
            let unit = named(&ident)?;
            tokens.take();
            Ok(unit)
        }
        Some(TokenTree::Literal(literal)) if literal.to_string() == "1" => {
            let place = tokens.skip(1);
            checked("1".to_owned(), place, Some(Dimension::NONE), Scale::ONE)
        }
        Some(TokenTree::Literal(_)) => {
            Err(tokens.error("a unit has no factors but `1`; write the factor into the value"))
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            tokens.take();
            tokens.nested(|tokens| parentheses(&group, tokens))
        }
        _ => Err(no_unit(tokens)),
    }
}

fn parentheses(group: &Group, tokens: &Tokens) -> Parsed<Unit> {
    let mut inner = tokens.inside(group);
    let unit = product(&mut inner)?;
    if !inner.is_empty() {
        let message = format!("expected `)` or an operator before {}; units are joined by `*`", inner.found());
        return Err(inner.error(message));
    }
    Ok(Unit { text: format!("({})", unit.text), place: place_of_group(group), ..unit })
}

fn named(ident: &Ident) -> Parsed<Unit> {
    let text = ident.to_string();
    let place = Place::from(ident.span());
    match units::find(&text) {
        Some((dimension, scale)) => Ok(Unit { text, place, dimension: Some(dimension), scale }),
        None => {
            let remedy = units::remedy(&text).unwrap_or_else(|| "write SI units, e.g. `N*s/m`".to_owned());
            Err(Diagnostic { message: format!("unknown unit `{text}`; {remedy}"), place })
        }
    }
}

fn no_unit(tokens: &Tokens) -> Diagnostic {
    let found = tokens.found();
    tokens.error(if tokens.at_group(Delimiter::Bracket) {
        "brackets stand around the unit of a number; write a declared unit without them, e.g. `l: m`".to_owned()
    } else if tokens.at("*") {
        format!("expected a unit, found {found}; write `^` for a power")
    } else if tokens.at("/") {
        format!("expected a unit, found {found}; a single `/` divides")
    } else if tokens.at("%") {
        "`%` is not the name of a unit; write `percent`".to_owned()
    } else {
        format!("expected a unit before {found}; write `1` if there is none")
    })
}
