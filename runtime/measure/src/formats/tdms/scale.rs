//! Scales from raw values to quantities, which stand among the properties of a channel, its group or the file.

use super::metadata::Object;
use super::value::Property;

/// Polynomials, one applied to the result of the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Scale {
    /// Coefficients of powers from 0 on; the first polynomial is applied first.
    polynomials: Vec<Vec<f64>>,
    /// Unit of the last scale.
    pub unit: Option<String>,
    /// Scaler of DAQmx whose values are scaled.
    pub scaler: Option<u32>,
}

impl Scale {
    /// Scale of a channel, or the reason why it cannot be applied.
    pub fn of(object: &Object, objects: &[Object]) -> Result<Self, String> {
        let path = object.path.as_slice();
        if path.len() < 2 {
            return Ok(Self::default());
        }
        let with_path = |path: &[String]| objects.iter().find(|other| other.path == path);
        let owners = [Some(object), path.get(..1).and_then(with_path), with_path(&[])];
        for owner in owners.into_iter().flatten() {
            if let Some(scale) = Self::among(owner, object.is_raw)? {
                return Ok(scale);
            }
        }
        Ok(Self::default())
    }

    /// Scale among the properties of an object; `None` if it has none.
    fn among(owner: &Object, is_raw: bool) -> Result<Option<Self>, String> {
        /// Source of a scale that takes raw values.
        const RAW_VALUES: f64 = 4_294_967_295.0;
        /// Largest number of coefficients of a polynomial, of which the format has a few.
        const MAX_COEFFICIENTS: usize = 64;
        let types = owner
            .properties
            .iter()
            .filter_map(|(name, _)| name.strip_prefix("NI_Scale[")?.strip_suffix("]_Scale_Type")?.parse::<u32>().ok());
        let count = match owner.number("NI_Number_Of_Scales") {
            Some(count) => count as u32,
            None => types.max().map_or(0, |last| last.saturating_add(1)),
        };
        if count == 0 || owner.text("NI_Scaling_Status") == Some("scaled") {
            return Ok(None);
        }
        let mut scale = Self::default();
        let mut index = count - 1;
        loop {
            let property = |name: &str| format!("NI_Scale[{index}]_{name}");
            let number =
                |name: &str| owner.number(&property(name)).ok_or_else(|| format!("its scale {index} has no `{name}`"));
            let Some(kind) = owner.text(&property("Scale_Type")) else {
                // raw values of DAQmx with this number
                if !is_raw {
                    return Err(format!("its scale {index} has no type"));
                }
                scale.scaler = Some(index);
                break;
            };
            if scale.unit.is_none() {
                scale.unit = match owner.property(&property("Scaled_Units")) {
                    Some(Property::Text(unit)) if !unit.is_empty() => Some(unit.clone()),
                    _ => None,
                };
            }
            match kind {
                "Linear" => scale.polynomials.push(vec![number("Linear_Y_Intercept")?, number("Linear_Slope")?]),
                "Polynomial" => {
                    let count =
                        owner.number(&property("Polynomial_Coefficients_Size")).map_or(4, |count| count as usize);
                    let coefficients = (0..count.min(MAX_COEFFICIENTS))
                        .map(|power| number(&format!("Polynomial_Coefficients[{power}]")));
                    scale.polynomials.push(coefficients.collect::<Result<_, _>>()?);
                }
                "AdvancedAPI" => {}
                other => {
                    return Err(format!("its raw values have a scale of the type `{other}`; write scaled values"));
                }
            }
            let source = owner.number(&property(&format!("{kind}_Input_Source"))).unwrap_or(RAW_VALUES);
            if source >= RAW_VALUES {
                break;
            }
            // every scale takes an earlier one, so that this ends
            match (source as u32) < index {
                true => index = source as u32,
                false => {
                    return Err(format!(
                        "its scale {index} takes the values of scale {source}, which does not come before it"
                    ));
                }
            }
        }
        scale.polynomials.reverse();
        Ok(Some(scale))
    }

    pub fn apply(&self, value: f64) -> f64 {
        self.polynomials.iter().fold(value, |x, coefficients| match coefficients.as_slice() {
            [intercept, slope] => x * slope + intercept,
            all => all.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient),
        })
    }
}
