//! The syntax tree of a `model!` block: the text of the user with the position of every token.

use costate_contract::tables::{Extension, Interpolation};
use proc_macro2::{Ident, TokenStream};

use super::back_end::BackEnd;
use crate::diagnostic::Place;
use crate::units::Unit;

/// A whole `model!` block.
#[derive(Debug, Clone)]
pub struct ModelSyntax {
    /// Text of the doc comments, line by line, without the space after `///`.
    pub documentation: Vec<String>,
    /// The back end that an attribute chooses, with its place.
    pub back_end: Option<(BackEnd, Place)>,
    /// All tokens of the block.
    pub tokens: TokenStream,
    /// Visibility, e.g. `pub`; empty for a private model.
    pub visibility: TokenStream,
    pub name: Ident,
    /// The structural arguments in parentheses after the name: sizes and features of the model.
    pub arguments: Vec<ArgumentSyntax>,
    /// Blocks and model-level `let`s in the order written.
    pub items: Vec<ModelItem>,
    /// The variants after the model.
    pub variants: Vec<VariantSyntax>,
}

/// `name: usize = default` or `name: bool = default`, a structural argument.
#[derive(Debug, Clone)]
pub struct ArgumentSyntax {
    pub documentation: Vec<String>,
    pub name: Ident,
    /// True for a feature, which is on or off; false for a size.
    pub is_feature: bool,
    pub default: ArgumentDefault,
}

/// `Name = Model(argument = value, ...);`
#[derive(Debug, Clone)]
pub struct VariantSyntax {
    pub documentation: Vec<String>,
    pub visibility: TokenStream,
    pub name: Ident,
    /// The name of the model.
    pub of: Ident,
    pub values: Vec<(Ident, Expr)>,
}

/// The default after the `=` of a structural argument.
#[derive(Debug, Clone)]
pub enum ArgumentDefault {
    Missing,
    /// A default that could not be read, which has been reported.
    Unreadable,
    Written(Box<Expr>),
}

/// A block or a model-level `let`.
#[derive(Debug, Clone)]
pub enum ModelItem {
    Parameters(Block<ParameterSyntax>),
    Inputs(Block<DeclarationSyntax>),
    Coordinates(Block<DeclarationSyntax>),
    Mass(Block<MassSyntax>),
    Forces(Block<ForceSyntax>),
    Constraints(Block<ConstraintSyntax>),
    Outputs(Block<OutputSyntax>),
    Initial(Block<InitialEntry>),
    Tables(Block<TableSyntax>),
    Let(LetSyntax),
    Component(ComponentSyntax),
    Components(Block<InstanceSyntax>),
    Connections(Block<ConnectionSyntax>),
    Energies(Energy, Block<EnergySyntax>),
    Bodies(Block<BodySyntax>),
    Gravity(Block<GravitySyntax>),
    Joints(Block<PartSyntax>),
    Elements(Block<PartSyntax>),
    If(Box<ItemsIfSyntax>),
}

/// `if condition { blocks } else { blocks }`, chosen at compile time; `else if` nests in `no`.
#[derive(Debug, Clone)]
pub struct ItemsIfSyntax {
    pub condition: Expr,
    pub yes: Vec<ModelItem>,
    pub no: Vec<ModelItem>,
}

/// The kind of energy in a block of energies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Energy {
    Kinetic,
    Potential,
    Dissipation,
}

/// `expression` or `name: expression`.
#[derive(Debug, Clone)]
pub struct EnergySyntax {
    pub name: Option<DeclaredName>,
    pub value: Expr,
}

/// `name: planar { mass: m, ... }`.
#[derive(Debug, Clone)]
pub struct BodySyntax {
    pub documentation: Vec<String>,
    pub name: DeclaredName,
    /// `planar` or `spatial`, unless it is misspelt.
    pub kind: Ident,
    pub properties: Vec<OptionSyntax>,
    /// The shapes; empty if none are given.
    pub shapes: Vec<ShapeSyntax>,
}

/// `box(a, b, c).at(x, y, z)`, a solid for pictures of a body.
#[derive(Debug, Clone)]
pub struct ShapeSyntax {
    /// `box`, `cylinder`, `sphere` or `mesh`, unless it is misspelt.
    pub kind: Ident,
    pub arguments: Vec<Expr>,
    pub options: Vec<OptionSyntax>,
    /// The path of a mesh; `None` for other shapes.
    pub file: Option<(String, Place)>,
    pub transforms: Vec<TransformSyntax>,
    pub place: Place,
}

/// `name: value` of a body, `name = value` of a joint or an element.
#[derive(Debug, Clone)]
pub struct OptionSyntax {
    pub name: Ident,
    pub value: Expr,
}

/// `(0, -g)`.
#[derive(Debug, Clone)]
pub struct GravitySyntax {
    pub value: Expr,
}

/// `name: revolute(first, second, axis = (0, 0, 1))`, a joint or an element.
#[derive(Debug, Clone)]
pub struct PartSyntax {
    pub documentation: Vec<String>,
    pub name: DeclaredName,
    pub kind: Ident,
    pub arguments: Vec<Expr>,
    pub options: Vec<OptionSyntax>,
    /// The kind with its arguments.
    pub place: Place,
}

/// `component Name { blocks }`: a sub-model.
#[derive(Debug, Clone)]
pub struct ComponentSyntax {
    pub documentation: Vec<String>,
    pub name: Ident,
    /// Blocks and `let`s in the order written.
    pub items: Vec<ModelItem>,
}

/// `name: Component { bindings }` or `name: mirror(other) { bindings }`.
#[derive(Debug, Clone)]
pub struct InstanceSyntax {
    pub documentation: Vec<String>,
    pub name: DeclaredName,
    pub of: OfSyntax,
    pub bindings: Vec<Entry<BindingSyntax>>,
}

/// The kind of a component in use.
#[derive(Debug, Clone)]
pub enum OfSyntax {
    Component(Ident),
    Mirror(Box<MirrorSyntax>),
}

impl OfSyntax {
    /// Returns the place of the word after the colon.
    pub fn place(&self) -> Place {
        match self {
            OfSyntax::Component(component) => component.span().into(),
            OfSyntax::Mirror(mirror) => mirror.place,
        }
    }
}

/// `mirror(original)` or `mirror(original, normal = (0, 1, 0))`.
#[derive(Debug, Clone)]
pub struct MirrorSyntax {
    pub original: NameSyntax,
    /// The normal of the plane, if it is given.
    pub normal: Option<Expr>,
    /// The word and its parentheses.
    pub place: Place,
}

/// `name = value`: the binding of a connection, a parameter or an input of a component.
#[derive(Debug, Clone)]
pub struct BindingSyntax {
    pub name: NameSyntax,
    pub value: Expr,
}

/// `keyword { entries }`.
#[derive(Debug, Clone)]
pub struct Block<T> {
    /// The block's keyword.
    pub keyword: Ident,
    pub entries: Vec<Entry<T>>,
}

/// An entry of a block, possibly repeated.
#[derive(Debug, Clone)]
pub enum Entry<T> {
    Item(T),
    Let(LetSyntax),
    For(ForSyntax<T>),
    If(IfSyntax<T>),
}

/// `if condition { entries } else { entries }`, chosen at compile time; `else if` nests in `no`.
#[derive(Debug, Clone)]
pub struct IfSyntax<T> {
    pub condition: Expr,
    pub yes: Vec<Entry<T>>,
    pub no: Vec<Entry<T>>,
}

/// `for i in first..=last { entries }`.
#[derive(Debug, Clone)]
pub struct ForSyntax<T> {
    pub variable: Ident,
    pub range: RangeSyntax,
    pub entries: Vec<Entry<T>>,
}

/// `first..last` or `first..=last`; both ends are integers known at compile time.
#[derive(Debug, Clone)]
pub struct RangeSyntax {
    pub first: Expr,
    pub last: Expr,
    pub inclusive: bool,
    pub place: Place,
}

/// `let name = value;` or `let name[i in 1..=3] = value;`
#[derive(Debug, Clone)]
pub struct LetSyntax {
    pub name: Ident,
    /// The index in brackets, for each of whose values there is a value.
    pub index: Option<Box<IndexSyntax>>,
    pub value: Expr,
}

/// `variable in range`.
#[derive(Debug, Clone)]
pub struct IndexSyntax {
    pub variable: Ident,
    pub range: RangeSyntax,
}

/// A declared name: `x`, `x[1..=4]` or (inside a `for`) `x[i]`.
#[derive(Debug, Clone)]
pub struct DeclaredName {
    pub ident: Ident,
    pub index: Option<DeclaredIndex>,
}

#[derive(Debug, Clone)]
pub enum DeclaredIndex {
    Range(Box<RangeSyntax>),
    Single(Box<Expr>),
}

/// `name: unit = default`.
#[derive(Debug, Clone)]
pub struct ParameterSyntax {
    pub documentation: Vec<String>,
    pub name: DeclaredName,
    pub unit: Unit,
    pub default: Option<Expr>,
}

/// `name: unit`, an input or a coordinate.
#[derive(Debug, Clone)]
pub struct DeclarationSyntax {
    pub documentation: Vec<String>,
    pub name: DeclaredName,
    pub unit: Unit,
}

/// `name: unit`, `name: planar` or `name: spatial`, a connection of a component.
#[derive(Debug, Clone)]
pub struct ConnectionSyntax {
    pub documentation: Vec<String>,
    pub name: DeclaredName,
    pub to: ConnectedSyntax,
}

/// The kind of what a connection is bound to.
#[derive(Debug, Clone)]
pub enum ConnectedSyntax {
    /// A coordinate in this unit.
    Coordinate(Unit),
    /// A body or a frame, with `true` if it is spatial.
    Body(bool),
}

/// `name(argument: unit, ...): unit = "file"`, or without a file.
#[derive(Debug, Clone)]
pub struct TableSyntax {
    pub documentation: Vec<String>,
    pub name: Ident,
    pub arguments: Vec<TableArgumentSyntax>,
    /// The parentheses around the arguments.
    pub place: Place,
    pub unit: Unit,
    pub file: Option<(String, Place)>,
}

/// `name: unit`, with or without words for the course between the knots (`monotone`) and beyond them (`periodic`) in
/// front.
#[derive(Debug, Clone)]
pub struct TableArgumentSyntax {
    pub name: Ident,
    pub interpolation: Option<(Interpolation, Place)>,
    pub extension: Option<(Extension, Place)>,
    pub unit: Unit,
}

/// `x: m` or `(x, y): m`.
#[derive(Debug, Clone)]
pub struct MassSyntax {
    pub row: NameSyntax,
    /// The second name of a symmetric pair.
    pub column: Option<NameSyntax>,
    pub value: Expr,
}

/// `x: force`.
#[derive(Debug, Clone)]
pub struct ForceSyntax {
    pub coordinate: NameSyntax,
    pub value: Expr,
}

/// `name: expression that is zero`.
#[derive(Debug, Clone)]
pub struct ConstraintSyntax {
    pub documentation: Vec<String>,
    pub name: DeclaredName,
    pub value: Expr,
}

/// `name: unit = value`.
#[derive(Debug, Clone)]
pub struct OutputSyntax {
    pub documentation: Vec<String>,
    pub name: DeclaredName,
    pub unit: Unit,
    pub value: Expr,
}

/// An entry of `initial`.
#[derive(Debug, Clone)]
pub enum InitialEntry {
    /// `equilibrium`: the run begins at rest, with all forces in balance.
    Equilibrium(Place),
    /// `held(x, y)`: coordinates that keep the values near which others are sought.
    Held(Vec<NameSyntax>),
    Value(Box<InitialSyntax>),
}

/// `x = value`, `dot(x) = value` or `x ~ value`.
#[derive(Debug, Clone)]
pub struct InitialSyntax {
    pub coordinate: NameSyntax,
    /// True for `dot(x)`, the velocity.
    pub velocity: bool,
    /// True for `~`: the value is where the search for a consistent one starts.
    pub near: bool,
    pub value: Expr,
}

/// A name in use: `x`, `x[i + 1]`, or the member of a component, `cylinder[i].x`.
#[derive(Debug, Clone)]
pub struct NameSyntax {
    /// `x`, or the outermost component of a member.
    pub ident: Ident,
    pub index: Option<Box<Expr>>,
    /// The members after points.
    pub members: Vec<MemberSyntax>,
    /// The place without members.
    pub head: Place,
    /// The place with all members.
    pub place: Place,
}

impl NameSyntax {
    /// Checks whether this is a single word, without index and members.
    pub fn is_word(&self) -> bool {
        self.index.is_none() && self.members.is_empty()
    }
}

/// `.x` or `.x[i]` after the name of a component.
#[derive(Debug, Clone)]
pub struct MemberSyntax {
    pub ident: Ident,
    pub index: Option<Box<Expr>>,
    pub place: Place,
}

/// An expression and its tokens.
#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    pub place: Place,
}

impl Expr {
    /// Creates a number in place of an expression that could not be read.
    pub fn unreadable(place: Place) -> Expr {
        Expr { kind: ExprKind::Number { value: 0.0, integer: None, unit: None }, place }
    }
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A literal. `value` is the number as written, not scaled by the unit of `0.5[mm]`; `integer` is set if the
    /// number is written without point and exponent (and fits).
    Number {
        value: f64,
        integer: Option<i64>,
        unit: Option<Unit>,
    },
    /// A name; `pi`, `t` and loop variables are names too.
    Name(NameSyntax),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `sin(x)`, `dot(x)`, `multiplier(c)` ...
    Call {
        function: Ident,
        arguments: Vec<Expr>,
    },
    /// `sum(i in 1..=3, x[i])`
    Sum(Box<SumSyntax>),
    /// `if condition { yes } else { no }`; `else if` nests in `no`.
    If {
        condition: Box<Expr>,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
    /// `[a, b, c]`, the defaults of an array.
    List(Vec<Expr>),
    /// `(a, b)` or `(a, b, c)`.
    Vector(Vec<Expr>),
    /// `rod.at(x, y)`, a point or frame of a body, or a quantity measured there.
    Attached(Box<AttachedSyntax>),
}

/// `sum(variable in range, term)`.
#[derive(Debug, Clone)]
pub struct SumSyntax {
    pub index: IndexSyntax,
    pub term: Expr,
}

/// `rod.at(x, y).rotated(angle).velocity.x`.
#[derive(Debug, Clone)]
pub struct AttachedSyntax {
    pub body: NameSyntax,
    pub transforms: Vec<TransformSyntax>,
    /// The measured quantity.
    pub members: Vec<MemberSyntax>,
}

/// `.at(x, y)` or `.rotated(angle)`.
#[derive(Debug, Clone)]
pub struct TransformSyntax {
    pub word: Ident,
    pub arguments: Vec<Expr>,
    pub place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
}
