//! Units as an engineer writes them: `N*s/m` instead of `kg/s`.

use super::Dimension;
use super::dimension::{factor, quotient};
use super::exponent::Exponent;

/// Products of units that have a name of their own, and how they are written.
const NAMED: [(&str, [i8; 7]); 9] = [
    ("Pa", [1, -1, -2, 0, 0, 0, 0]),
    ("Pa*s", [1, -1, -1, 0, 0, 0, 0]),
    ("W", [1, 2, -3, 0, 0, 0, 0]),
    ("V", [1, 2, -3, -1, 0, 0, 0]),
    ("F", [-1, -2, 4, 2, 0, 0, 0]),
    ("ohm", [1, 2, -3, -2, 0, 0, 0]),
    ("T", [1, 0, -2, -1, 0, 0, 0]),
    ("H", [1, 2, -2, -2, 0, 0, 0]),
    ("C", [0, 0, 1, 1, 0, 0, 0]),
];

impl Dimension {
    /// The unit in SI, for messages: where masses and times meet, in newtons.
    pub fn readable(self) -> String {
        if let Some((name, _)) = NAMED.iter().find(|(_, exponents)| Dimension::new(*exponents) == self) {
            return (*name).to_owned();
        }
        let [kg, m, s, rest @ ..] = self.exponents();
        if kg.signum() == 0 || s.signum() == 0 || rest.iter().any(|exponent| exponent.signum() != 0) {
            return self.to_string();
        }
        // N = kg m/s^2
        let (Some(m), Some(s)) = (m.plus(kg, Exponent::whole(-1)), s.plus(kg, Exponent::whole(2))) else {
            return self.to_string();
        };
        let factors = |sign: i16| -> Vec<String> {
            let units = [("N", kg), ("m", m), ("s", s)];
            let of_sign = units.into_iter().filter(|(_, exponent)| exponent.signum() == sign);
            of_sign.map(|(unit, exponent)| factor(unit, exponent.abs())).collect()
        };
        quotient(&factors(1), &factors(-1))
    }
}
