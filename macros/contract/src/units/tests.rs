use std::f64::consts::{PI, TAU};

use super::text::read;
use super::*;

/// A number in the unit `data`, in the unit `wanted`.
fn converted(value: f64, data: &str, wanted: &str) -> f64 {
    conversion(data, wanted).unwrap_or_else(|fault| panic!("{data} for {wanted}: {fault}")).apply(value)
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs()
}

#[test]
fn prefixes_and_products_are_converted() {
    for (value, data, wanted, expected) in [
        (1500.0, "mm", "m", 1.5),
        (1.5, "m", "mm", 1500.0),
        (0.7, "kN", "N", 700.0),
        (3.0, "bar", "Pa", 3e5),
        (36.0, "km/h", "m/s", 10.0),
        (2.0, "N/mm", "N/m", 2000.0),
        (0.3, "m", "m", 0.3),
        (12.0, "percent", "1", 0.12),
        (0.5, "1", "percent", 50.0),
        (2.0, "in", "mm", 50.8),
        (3.0, "ft", "in", 36.0),
        (1.0, "lbf", "N", 4.448_221_615_260_5),
        (1.0, "lb", "g", 453.592_37),
        (5.0, "kgf", "N", 49.033_25),
        (1.0, "mph", "km/h", 1.609_344),
        (1.0, "kip/in^2", "ksi", 1.0),
        (1.0, "kip", "lbf", 1000.0),
    ] {
        assert_eq!(converted(value, data, wanted), expected, "{data} for {wanted}");
    }
}

#[test]
fn spellings_of_data() {
    for (data, wanted) in [
        ("N·m", "N*m"),
        ("N m", "N*m"),
        ("Nm", "N*m"),
        ("N.m", "N*m"),
        ("Nms", "N*m*s"),
        ("Nm/rad", "N*m/rad"),
        ("Ns/m", "N*s/m"),
        ("kWh", "kW*h"),
        ("Nmm", "N*mm"),
        ("m/s²", "m/s^2"),
        ("m/s2", "m/s^2"),
        ("m/s**2", "m/s^2"),
        ("m s^-2", "m/s^2"),
        ("m s-2", "m/s^2"),
        ("m·s⁻²", "m/s^2"),
        ("m*s^(-2)", "m/s^2"),
        ("(m/s)^2/m", "m/s^2"),
        (" mm / s^2 ", "mm/s^2"),
        ("kg/m³", "kg/m^3"),
        ("µm", "um"),
        ("\u{3bc}m", "um"),
        ("°", "deg"),
        ("°/s", "deg/s"),
        ("%", "percent"),
        ("kΩ", "kohm"),
        ("-", "1"),
        ("", "1"),
        ("sec", "s"),
        ("Kg", "kg"),
        ("kph", "km/h"),
        ("lbf ft", "lbf*ft"),
        ("lbf/in^2", "psi"),
        ("inch", "in"),
        ("kp", "kgf"),
        ("U/min", "rpm"),
        ("rev/min", "rpm"),
        ("min^-1", "rpm"),
        ("min⁻¹", "rpm"),
        ("1/min", "rpm"),
    ] {
        assert!(near(converted(0.7, data, wanted), 0.7), "{data} for {wanted}");
    }
}

#[test]
fn g_is_gravity_beside_an_acceleration_and_gram_beside_a_mass() {
    assert_eq!(converted(1.0, "g", "m/s^2"), 9.80665);
    assert_eq!(converted(1.0, "g", "mm/s^2"), 9806.65);
    assert_eq!(converted(1.0, "mg", "m/s^2"), 9.80665e-3);
    assert!(near(converted(1.0, "g/s", "m/s^3"), 9.80665));
    assert!(near(converted(1.0, "g^2/Hz", "m^2/s^3"), 9.80665 * 9.80665));
    assert_eq!(converted(250.0, "g", "kg"), 0.25);
    assert_eq!(converted(2.0, "g/s", "kg/s"), 0.002);
    assert!(matches!(conversion("g", "m"), Err(UnitFault::Different { .. })));
    assert!(matches!(conversion("kg", "m/s^2"), Err(UnitFault::Different { .. })));
}

#[test]
fn speeds_and_frequencies() {
    for (data, wanted, factor) in [
        ("1/min", "rad/s", TAU / 60.0),
        ("rpm", "rad/s", TAU / 60.0),
        ("1/min", "deg/s", 6.0),
        ("1/min", "rev/s", 1.0 / 60.0),
        ("1/min", "Hz", 1.0 / 60.0),
        ("1/s", "Hz", 1.0),
        ("kHz", "Hz", 1e3),
        ("Hz", "1/s", 1.0),
        ("rad/s", "1/s", 1.0),
        ("°/s", "rad/s", PI / 180.0),
        ("rev/s", "rad/s", TAU),
        ("rpm/s", "rad/s^2", TAU / 60.0),
        ("1/s^2", "rad/s^2", 1.0),
        ("1/ms", "1/s", 1e3),
        ("deg", "1", PI / 180.0),
        ("N*m", "N*m/rad", 1.0),
    ] {
        assert!(near(converted(1.0, data, wanted), factor), "{data} for {wanted}");
    }
    for (data, wanted) in [
        ("1/s", "rad/s"),
        ("Hz", "rad/s"),
        ("Hz", "rpm"),
        ("1/s", "rpm"),
        ("rpm", "Hz"),
        ("rad/s", "Hz"),
        ("1/min", "1/s"),
        ("rpm", "1/s"),
        ("rev", "1"),
        ("1", "rev"),
        ("mm/rev", "m"),
        ("Hz/s", "rad/s^2"),
    ] {
        let fault = conversion(data, wanted).expect_err(data);
        assert!(matches!(fault, UnitFault::Unclear { .. }), "{data} for {wanted}: {fault}");
    }
    let said = conversion("Hz", "rad/s").expect_err("two meanings").to_string();
    assert_eq!(
        said,
        "`Hz` has two meanings beside `rad/s`: write `rev/s` or `rpm` if it counts revolutions, and `rad/s` if it is \
         an angular velocity"
    );
}

#[test]
fn units_that_do_not_fit_name_both() {
    let said = conversion("N", "mm/s^2").expect_err("a force is no acceleration").to_string();
    assert_eq!(said, "`N` is in SI units `N`, which does not fit `m/s^2`; correct the unit, or choose other data");
}

#[test]
fn what_is_no_unit_says_what_to_write() {
    for (text, remedy) in [
        ("dB", "write the reference's unit"),
        ("dB(A)", "write the reference's unit"),
        ("°C", "add 273.15 to the values and write `K`"),
        ("degC", "write `K`"),
        ("deg C", "write `K`"),
        ("°F", "write `K`"),
        ("degF", "write `K`"),
        ("W/°C", "write `K`"),
        ("10 N", "no factors but 1"),
        ("furlong", "write SI units"),
        ("kgg", "did you mean `kg`?"),
        ("N/m s", "parentheses"),
        ("m^x", "whole number"),
        ("m^1.5", "units are joined by"),
        ("(m", "a `)` is missing"),
        ("m)", "units are joined by"),
        ("m^", "whole number"),
        ("m^99", "exceed 12"),
        ("g0", "whole number"),
        ("m/", "missing at its end"),
        ("§", "write SI units"),
    ] {
        let said = read(text).map(|_| ()).expect_err(text);
        assert!(said.contains(remedy), "{text}: {said}");
    }
}

#[test]
fn no_text_is_too_much() {
    for text in ["(".repeat(99_999), "m".repeat(100), "mm".repeat(3), "^".repeat(50), "°".repeat(90), "1".repeat(99)] {
        assert!(read(&text).is_err(), "{text}");
        assert!(matches!(conversion(&text, "m"), Err(UnitFault::Unreadable { .. })));
        assert!(matches!(conversion("m", &text), Err(UnitFault::Unreadable { .. })));
    }
}

/// The text of the language means the same here.
#[test]
fn every_name_of_the_language_is_read() {
    for name in ["kg", "g", "mm", "rad", "Hz", "kN", "GPa", "deg", "rpm", "rev", "bar", "l", "t", "percent", "ohm"] {
        let (dimension, scale) = find(name).expect(name);
        let reading = read(name).expect(name);
        assert_eq!((reading.dimension, reading.scale), (dimension, scale), "{name}");
    }
    assert_eq!(read("N*s/(m*rad)").map(|reading| reading.dimension), read("kg/s").map(|reading| reading.dimension));
}
