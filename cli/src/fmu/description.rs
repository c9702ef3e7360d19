//! `modelDescription.xml`.

use std::fmt::Write;

use nalgebra::DMatrix;

use super::library::VERSION;
use super::variables::{Kind, Unit, Variables};

/// The contents of the file besides the variables.
#[derive(Debug)]
pub struct Head<'a> {
    /// Name of the model.
    pub name: &'a str,
    /// Name of the library without its ending.
    pub identifier: &'a str,
    /// Documentation of the model.
    pub documentation: &'a str,
    /// Token.
    pub token: &'a str,
    /// Length of a step in s.
    pub step: f64,
    /// The allowed error of adaptive steps; `None` for steps of one length.
    pub tolerance: Option<f64>,
    /// Time in s at which an experiment ends.
    pub end: f64,
    /// The dependence of derivatives and outputs on states, inputs and parameters; `None` without Model Exchange.
    pub structure: Option<DMatrix<bool>>,
    /// True if equations or outputs depend on the time itself.
    pub of_time: bool,
}

/// Writes the file.
// Writing to a string does not fail.
pub fn write(head: &Head<'_>, variables: &Variables) -> String {
    let mut to = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let [name, documentation, token] = [head.name, head.documentation.trim(), head.token].map(escaped);
    let _ = writeln!(
        to,
        "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{name}\" description=\"{documentation}\" \
         instantiationToken=\"{token}\" generationTool=\"costate {VERSION}\" variableNamingConvention=\"flat\">"
    );
    let derivatives = head.structure.is_some();
    let interface = format!(
        "modelIdentifier=\"{}\" needsExecutionTool=\"false\" canGetAndSetFMUState=\"true\" \
         canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"{derivatives}\" \
         providesAdjointDerivatives=\"{derivatives}\"",
        head.identifier
    );
    if derivatives {
        let _ = writeln!(to, "  <ModelExchange {interface}/>");
    }
    let internal = match head.tolerance {
        None => format!(" fixedInternalStepSize=\"{:?}\"", head.step),
        Some(_) => String::new(),
    };
    let _ = writeln!(to, "  <CoSimulation {interface} canHandleVariableCommunicationStepSize=\"true\"{internal}/>");
    write_units(variables, &mut to);
    to += "  <LogCategories>\n    <Category name=\"logStatusError\" description=\"Refused calls, with the \
           reason\"/>\n  </LogCategories>\n";
    let _ = writeln!(
        to,
        "  <DefaultExperiment startTime=\"0\" stopTime=\"{:?}\" tolerance=\"{:?}\" stepSize=\"{:?}\"/>",
        head.end,
        head.tolerance.unwrap_or(1e-6),
        head.step
    );
    write_variables(variables, &mut to);
    write_structure(head, variables, &mut to);
    to + "</fmiModelDescription>\n"
}

fn write_units(variables: &Variables, to: &mut String) {
    *to += "  <UnitDefinitions>\n";
    let mut written: Vec<&str> = Vec::new();
    for Unit { name, dimension, scale, angles } in variables.all.iter().map(|variable| &variable.unit) {
        if written.contains(&name.as_str()) {
            continue;
        }
        written.push(name);
        let _ = write!(to, "    <Unit name=\"{}\">", escaped(name));
        if let Some(dimension) = dimension {
            *to += "<BaseUnit";
            for (base, exponent) in ["kg", "m", "s", "A", "K", "mol", "cd"].iter().zip(dimension.exponents()) {
                // units have whole exponents
                if exponent.signum() != 0 {
                    let _ = write!(to, " {base}=\"{}\"", exponent.value() as i32);
                }
            }
            if *angles != 0 {
                let _ = write!(to, " rad=\"{angles}\"");
            }
            if !scale.is_one() {
                let _ = write!(to, " factor=\"{:?}\"", scale.apply(1.0));
            }
            *to += "/>";
        }
        *to += "</Unit>\n";
    }
    *to += "  </UnitDefinitions>\n";
}

fn write_variables(variables: &Variables, to: &mut String) {
    *to += "  <ModelVariables>\n";
    let state = variables.all.iter().position(|variable| variable.kind == Kind::State).unwrap_or(0);
    for (reference, variable) in variables.all.iter().enumerate() {
        let kind = match variable.kind {
            Kind::Time => "causality=\"independent\" variability=\"continuous\"".to_owned(),
            Kind::Parameter => "causality=\"parameter\" variability=\"tunable\" initial=\"exact\"".to_owned(),
            Kind::Input => "causality=\"input\" variability=\"continuous\"".to_owned(),
            Kind::Output => "causality=\"output\" variability=\"continuous\" initial=\"calculated\"".to_owned(),
            Kind::State => "causality=\"local\" variability=\"continuous\" initial=\"exact\"".to_owned(),
            Kind::Derivative(number) => format!(
                "causality=\"local\" variability=\"continuous\" initial=\"calculated\" derivative=\"{}\"",
                state + number
            ),
        };
        let [name, unit] = [&variable.name, &variable.unit.name].map(|text| escaped(text));
        let _ = write!(to, "    <Float64 name=\"{name}\" valueReference=\"{reference}\" {kind} unit=\"{unit}\"");
        if !variable.description.is_empty() {
            let _ = write!(to, " description=\"{}\"", escaped(&variable.description));
        }
        if let Some(start) = variable.start {
            let _ = write!(to, " start=\"{start:?}\"");
        }
        *to += "/>\n";
    }
    *to += "  </ModelVariables>\n";
}

fn write_structure(head: &Head<'_>, variables: &Variables, to: &mut String) {
    *to += "  <ModelStructure>\n";
    let outputs = |kind: Kind| kind == Kind::Output;
    let derivatives = |kind: Kind| matches!(kind, Kind::Derivative(_));
    let knowns: Vec<Kind> = variables.all.iter().map(|variable| variable.kind).collect();
    let mut write = |element: &str, wanted: &dyn Fn(Kind) -> bool, with_parameters: bool| {
        for (reference, _) in variables.all.iter().enumerate().filter(|(_, variable)| wanted(variable.kind)) {
            let _ = write!(to, "    <{element} valueReference=\"{reference}\"");
            if let Some(structure) = &head.structure {
                let row = structure.row(variables.row(reference));
                let of_row = row.iter().enumerate().filter(|(_, depends)| **depends);
                let known = of_row.map(|(column, _)| variables.known(column));
                let known = known.filter(|&known| with_parameters || knowns[known] != Kind::Parameter);
                let time = head.of_time.then_some(0);
                let known: Vec<String> = time.into_iter().chain(known).map(|known| known.to_string()).collect();
                let kinds = vec!["dependent"; known.len()].join(" ");
                let _ = write!(to, " dependencies=\"{}\" dependenciesKind=\"{kinds}\"", known.join(" "));
            }
            *to += "/>\n";
        }
    };
    write("Output", &outputs, false);
    write("ContinuousStateDerivative", &derivatives, false);
    write("InitialUnknown", &|kind| outputs(kind) || derivatives(kind), true);
    *to += "  </ModelStructure>\n";
}

/// Escapes a text for an attribute; characters that XML does not have become blanks.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' => escaped += "&#10;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
