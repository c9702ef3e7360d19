//! The functions and quantities of the language that Symbolica has not, as symbols of the namespace `costate`.

use std::sync::LazyLock;

use symbolica::atom::{AtomView, NamespacedSymbol, Symbol, SymbolBuilder, UserData};

/// The symbols of the language.
#[derive(Debug)]
pub struct Language {
    pub time: Symbol,
    pub dot: Symbol,
    pub ddot: Symbol,
    pub multiplier: Symbol,
    pub weights: [Symbol; 5],
    pub abs: Symbol,
    pub sign: Symbol,
    pub less: Symbol,
    pub less_equal: Symbol,
    pub equal: Symbol,
    pub and: Symbol,
    pub or: Symbol,
    pub not: Symbol,
}

impl Language {
    /// Returns the functions that form conditions of `if`.
    pub fn conditions(&self) -> [Symbol; 6] {
        [self.less, self.less_equal, self.equal, self.and, self.or, self.not]
    }
}

/// The names of the weights of an implicit step, in the order of [`Language::weights`].
pub const WEIGHTS: [&str; 5] = ["w_a", "w_q", "w_v", "h", "w_previous"];

/// The symbols of the language. Symbolica lets a symbol be built with its properties only once.
static LANGUAGE: LazyLock<Result<Language, String>> = LazyLock::new(|| {
    let sign = independent("sign").build().map_err(|error| error.to_string())?;
    let abs = builder("abs").with_derivative_function(move |call, _, out| {
        if let AtomView::Fun(call) = call
            && call.get_nargs() == 1
        {
            out.set_from_view(&sign.call(call.get(0)).as_view());
        }
    });
    let build = |builder: SymbolBuilder| builder.build().map_err(|error| error.to_string());
    let mut weights = [sign; 5];
    for (weight, name) in weights.iter_mut().zip(WEIGHTS) {
        *weight = build(named(name))?;
    }
    Ok(Language {
        time: build(named("t"))?,
        dot: build(independent("dot"))?,
        ddot: build(independent("ddot"))?,
        multiplier: build(independent("multiplier"))?,
        weights,
        abs: build(abs)?,
        sign,
        less: build(independent("less"))?,
        less_equal: build(independent("less_equal"))?,
        equal: build(independent("equal"))?,
        and: build(independent("and"))?,
        or: build(independent("or"))?,
        not: build(independent("not"))?,
    })
});

/// The symbols of the language.
///
/// # Errors
/// The message of Symbolica, if the program has built one of the symbols with other properties before.
pub fn language() -> Result<&'static Language, &'static str> {
    LANGUAGE.as_ref().map_err(String::as_str)
}

fn builder(name: &str) -> SymbolBuilder {
    SymbolBuilder::new(namespaced("costate", name))
}

/// Starts the symbol of a quantity that is written in the language with this name.
fn named(name: &str) -> SymbolBuilder {
    builder(name).with_user_data(data(name))
}

/// The mark in the data of symbols that have a name in the language.
const MARK: &str = "costate";

/// Returns the data that mark a symbol and record its name in the language.
pub fn data(name: &str) -> UserData {
    UserData::List(vec![UserData::String(MARK.to_owned()), UserData::String(name.to_owned())])
}

/// The name of a symbol in the language, if it has one.
pub fn name_in_language(symbol: Symbol) -> Option<&'static str> {
    match symbol.get_data() {
        UserData::List(parts) => match &**parts {
            [UserData::String(mark), UserData::String(name)] if mark == MARK => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Starts the symbol of a function whose derivatives are zero.
fn independent(name: &str) -> SymbolBuilder {
    builder(name).with_derivative_function(|_, _, out| {
        out.to_num(0);
    })
}

/// Returns the name of a symbol with its namespace.
pub fn namespaced(namespace: &str, name: &str) -> NamespacedSymbol {
    NamespacedSymbol {
        namespace: namespace.to_owned().into(),
        symbol: format!("{namespace}::{name}").into(),
        file: "".into(),
        line: 0,
    }
}
