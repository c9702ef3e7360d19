//! Text of a model.

use std::fmt::Write;

use crate::models::tree::{
    Argument, ArgumentValue, Block, Condition, Declared, Energy, Entry, Expr, Index, Initial, InitialKind, Mass, Model,
    Named, Operator, Path, Table, Use, Written,
};
use crate::models::units::Unit;

/// Writes expressions; `leaf` writes names of quantities, `name` those of tables and structural arguments.
pub struct Words<'a, L> {
    /// Writes a leaf.
    pub leaf: &'a dyn Fn(&L) -> String,
    /// Writes any other name.
    pub name: &'a dyn Fn(&str) -> String,
}

/// Binding strengths of operators; operands that bind more loosely need parentheses.
const LOOSEST: u8 = 0;
const SUM: u8 = 3;
const PRODUCT: u8 = 4;
const SIGN: u8 = 5;
const POWER: u8 = 6;
const ATOM: u8 = 7;

impl<L> Words<'_, L> {
    /// Writes an expression with as few parentheses as it needs.
    pub fn expr(&self, expr: &Expr<L>) -> String {
        self.within(expr, LOOSEST)
    }

    fn within(&self, expr: &Expr<L>, loosest: u8) -> String {
        let (text, binds) = self.piece(expr);
        if binds < loosest { format!("({text})") } else { text }
    }

    fn piece(&self, expr: &Expr<L>) -> (String, u8) {
        let text = match expr {
            Expr::Number(value, unit) => quantity(*value, unit.as_ref()),
            Expr::Pi => "pi".to_owned(),
            Expr::Time => "t".to_owned(),
            Expr::Leaf(leaf) => (self.leaf)(leaf),
            Expr::Negate(a) => return (format!("-{}", self.within(a, SIGN)), SIGN),
            Expr::Binary(operator, a, b) => return self.operation(*operator, a, b),
            Expr::Call(function, arguments) => format!("{function}({})", self.list(arguments)),
            Expr::Table(name, arguments) => format!("{}({})", (self.name)(name), self.list(arguments)),
            Expr::Value(a, unit) => format!("value({}, {})", self.expr(a), unit.text),
            Expr::If(condition, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                return (format!("if {} {{ {a} }} else {{ {b} }}", self.condition(condition)), LOOSEST);
            }
            Expr::Rate(a) => format!("dot({})", self.expr(a)),
            Expr::SecondRate(a) => format!("ddot({})", self.expr(a)),
            Expr::Multiplier(leaf) => format!("multiplier({})", (self.leaf)(leaf)),
        };
        (text, ATOM)
    }

    fn list(&self, arguments: &[Expr<L>]) -> String {
        arguments.iter().map(|argument| self.expr(argument)).collect::<Vec<_>>().join(", ")
    }

    fn operation(&self, operator: Operator, a: &Expr<L>, b: &Expr<L>) -> (String, u8) {
        let (sign, binds, left, right) = match operator {
            Operator::Add => (" + ", SUM, SUM, PRODUCT),
            Operator::Subtract => (" - ", SUM, SUM, PRODUCT),
            Operator::Multiply => ("*", PRODUCT, PRODUCT, SIGN),
            Operator::Divide => ("/", PRODUCT, PRODUCT, SIGN),
            Operator::Power => ("^", POWER, ATOM, SIGN),
        };
        (format!("{}{sign}{}", self.within(a, left), self.within(b, right)), binds)
    }

    /// Writes a condition; joined or negated conditions stand in parentheses.
    pub fn condition(&self, condition: &Condition<L>) -> String {
        let part = |part: &Condition<L>| match part {
            Condition::Feature(name) => (self.name)(name),
            Condition::Compare(..) => self.condition(part),
            _ => format!("({})", self.condition(part)),
        };
        match condition {
            Condition::Compare(sign, a, b) => {
                format!("{} {sign} {}", self.within(a, SUM), self.within(b, SUM))
            }
            Condition::And(a, b) => format!("{} && {}", part(a), part(b)),
            Condition::Or(a, b) => format!("{} || {}", part(a), part(b)),
            Condition::Not(a) => match **a {
                Condition::Compare(..) => format!("!({})", self.condition(a)),
                _ => format!("!{}", part(a)),
            },
            Condition::Feature(name) => (self.name)(name),
        }
    }
}

/// Writes a number with its unit.
pub fn quantity(value: f64, unit: Option<&Unit>) -> String {
    let unit = unit.map_or_else(String::new, |unit| format!("[{}]", unit.text));
    let small = value != 0.0 && !(1e-4..1e7).contains(&value.abs());
    if small { format!("{value:e}{unit}") } else { format!("{value}{unit}") }
}

/// Writes models, with every name that a model defines passed through `name`.
pub struct Text<'a> {
    /// Function that returns the text for a name.
    pub name: &'a dyn Fn(&str) -> String,
}

impl Model {
    /// Writes the model.
    pub fn text(&self) -> String {
        Text { name: &str::to_owned }.model(self)
    }
}

impl Text<'_> {
    /// Writes the whole model.
    pub fn model(&self, model: &Model) -> String {
        let arguments: Vec<String> = model.arguments.iter().map(|argument| self.argument(argument)).collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let mut text = format!("pub {}{arguments} {{\n", model.name);
        self.blocks(&model.blocks, "    ", &mut text);
        text.push_str("}\n");
        text
    }

    fn argument(&self, argument: &Argument) -> String {
        let name = (self.name)(&argument.name);
        match argument.value {
            ArgumentValue::Size(size) => format!("{name}: usize = {size}"),
            ArgumentValue::Feature(on) => format!("{name}: bool = {on}"),
        }
    }

    fn blocks(&self, blocks: &[Block], indent: &str, text: &mut String) {
        for block in blocks {
            self.block(block, indent, text);
        }
    }

    fn block(&self, block: &Block, indent: &str, text: &mut String) {
        let inner = format!("{indent}    ");
        let (word, entries) = match block {
            Block::Let(name, value) => {
                let _ = writeln!(text, "{indent}let {} = {};", (self.name)(name), self.expr(value));
                return;
            }
            Block::Component(name, blocks) => {
                let _ = writeln!(text, "{indent}component {} {{", (self.name)(name));
                self.blocks(blocks, &inner, text);
                let _ = writeln!(text, "{indent}}}");
                return;
            }
            Block::Planar(planar) => {
                text.push_str(&planar.text(self, indent));
                return;
            }
            Block::Spatial(spatial) => {
                text.push_str(&spatial.text(self, indent));
                return;
            }
            Block::Parameters(entries) => ("parameters", self.entries(entries, &inner, &|one| self.declared(one))),
            Block::Inputs(entries) => ("inputs", self.entries(entries, &inner, &|one| self.declared(one))),
            Block::Coordinates(entries) => ("coordinates", self.entries(entries, &inner, &|one| self.declared(one))),
            Block::Connections(entries) => {
                let entries: Vec<_> = entries.iter().cloned().map(Entry::One).collect();
                ("connections", self.entries(&entries, &inner, &|one| self.declared(one)))
            }
            Block::Tables(tables) => {
                let entries: Vec<_> = tables.iter().cloned().map(Entry::One).collect();
                ("tables", self.entries(&entries, &inner, &|one| self.table(one)))
            }
            Block::Mass(entries) => ("mass", self.entries(entries, &inner, &|one| self.mass(one))),
            Block::Forces(entries) => ("forces", self.entries(entries, &inner, &|one| self.named(one))),
            Block::Constraints(entries) => ("constraints", self.entries(entries, &inner, &|one| self.named(one))),
            Block::Outputs(entries) => ("outputs", self.entries(entries, &inner, &|one| self.named(one))),
            Block::Initial(entries) => ("initial", self.entries(entries, &inner, &|one| self.initial(one))),
            Block::Kinetic(entries) => ("kinetic", self.entries(entries, &inner, &|one| self.energy(one))),
            Block::Potential(entries) => ("potential", self.entries(entries, &inner, &|one| self.energy(one))),
            Block::Dissipation(entries) => ("dissipation", self.entries(entries, &inner, &|one| self.energy(one))),
            Block::Components(entries) => ("components", self.entries(entries, &inner, &|one| self.used(one))),
        };
        let _ = writeln!(text, "{indent}{word} {{\n{entries}{indent}}}");
    }

    fn entries<T>(&self, entries: &[Entry<T>], indent: &str, one: &dyn Fn(&T) -> String) -> String {
        let mut text = String::new();
        let inner = format!("{indent}    ");
        for entry in entries {
            let _ = match entry {
                Entry::One(entry) => writeln!(text, "{indent}{},", one(entry)),
                Entry::Let(name, value) => {
                    writeln!(text, "{indent}let {} = {};", (self.name)(name), self.expr(value))
                }
                Entry::For(variable, from, to, entries) => {
                    let entries = self.entries(entries, &inner, one);
                    let range = self.range(from, to);
                    writeln!(text, "{indent}for {} in {range} {{\n{entries}{indent}}},", (self.name)(variable))
                }
                Entry::If(condition, yes, no) => {
                    let condition = self.words(&|words| words.condition(condition));
                    let yes = self.entries(yes, &inner, one);
                    let mut written = format!("{indent}if {condition} {{\n{yes}{indent}}}");
                    if !no.is_empty() {
                        let no = self.entries(no, &inner, one);
                        written.push_str(&format!(" else {{\n{no}{indent}}}"));
                    }
                    writeln!(text, "{written},")
                }
            };
        }
        text
    }

    fn words(&self, write: &dyn Fn(&Words<'_, Path>) -> String) -> String {
        write(&Words { leaf: &|path| self.path(path), name: self.name })
    }

    /// Writes an expression.
    pub fn expr(&self, expr: &Written) -> String {
        self.words(&|words| words.expr(expr))
    }

    /// Writes a name with its indices and members.
    pub fn path(&self, path: &Path) -> String {
        let segments = path.0.iter().map(|segment| {
            let index = segment.index.as_ref().map(|index| format!("[{}]", self.index(index)));
            format!("{}{}", (self.name)(&segment.name), index.unwrap_or_default())
        });
        segments.collect::<Vec<_>>().join(".")
    }

    fn index(&self, index: &Index) -> String {
        let Some(variable) = &index.variable else { return index.offset.to_string() };
        let name = (self.name)(variable);
        let product = if index.factor == 1 { name } else { format!("{}*{name}", index.factor) };
        match index.offset {
            0 => product,
            offset if offset < 0 => format!("{product} - {}", -offset),
            offset => format!("{product} + {offset}"),
        }
    }

    /// Writes `1..=n`, or a range with an open end where the last index is a number.
    fn range(&self, from: &Index, to: &Index) -> String {
        let from = self.index(from);
        match to.variable {
            None if to.offset % 2 == 0 => format!("{from}..{}", to.offset + 1),
            _ => format!("{from}..={}", self.index(to)),
        }
    }

    fn declared(&self, declared: &Declared) -> String {
        let range = declared.range.as_ref().map(|(from, to)| format!("[{}]", self.range(from, to)));
        let default = declared.default.map(|default| format!(" = {}", quantity(default, None)));
        let (range, default) = (range.unwrap_or_default(), default.unwrap_or_default());
        format!("{}{range}: {}{default}", (self.name)(&declared.name), declared.unit.text)
    }

    fn table(&self, table: &Table) -> String {
        let arguments = table.arguments.iter();
        let arguments = arguments.map(|(name, unit)| format!("{}: {}", (self.name)(name), unit.text));
        let arguments: Vec<String> = arguments.collect();
        format!("{}({}): {}", (self.name)(&table.name), arguments.join(", "), table.unit.text)
    }

    fn mass(&self, mass: &Mass) -> String {
        let of = match &mass.of {
            (one, None) => self.path(one),
            (one, Some(other)) => format!("({}, {})", self.path(one), self.path(other)),
        };
        format!("{of}: {}", self.expr(&mass.value))
    }

    fn named(&self, named: &Named) -> String {
        let value = self.expr(&named.value);
        match &named.unit {
            Some(unit) => format!("{}: {} = {value}", self.path(&named.of), unit.text),
            None => format!("{}: {value}", self.path(&named.of)),
        }
    }

    fn initial(&self, initial: &Initial) -> String {
        let (of, value) = (self.path(&initial.of), self.expr(&initial.value));
        match initial.what {
            InitialKind::Position => format!("{of} = {value}"),
            InitialKind::Near => format!("{of} ~ {value}"),
            InitialKind::Velocity => format!("dot({of}) = {value}"),
        }
    }

    fn energy(&self, energy: &Energy) -> String {
        let value = self.expr(&energy.value);
        match &energy.name {
            Some(name) => format!("{}: {value}", (self.name)(name)),
            None => value,
        }
    }

    fn used(&self, used: &Use) -> String {
        let bindings =
            used.bindings.iter().map(|(name, value)| format!("{} = {}", (self.name)(name), self.expr(value)));
        let bindings: Vec<String> = bindings.collect();
        let index = match (&used.index, &used.range) {
            (Some(index), _) => format!("[{}]", self.index(index)),
            (None, Some((from, to))) => format!("[{}]", self.range(from, to)),
            (None, None) => String::new(),
        };
        let component = (self.name)(&used.component);
        format!("{}{index}: {component} {{ {} }}", (self.name)(&used.name), bindings.join(", "))
    }
}

/// Writes a block with these entries, one per line; nothing without entries.
pub(crate) fn list(word: &str, entries: &[String], indent: &str) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let between = format!(",\n{indent}    ");
    format!("{indent}{word} {{\n{indent}    {}\n{indent}}}\n", entries.join(&between))
}
