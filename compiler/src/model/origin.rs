//! Where a quantity stands among its like: the arrays that it is an element of, and the loop that has declared it.

/// The arrays and indices of a quantity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Its name behind those of the components or bodies that it is a member of, all without indices: `rod.x`.
    pub family: String,
    /// The indices, that of the outermost array first; none where there is one quantity of the name.
    pub indices: Vec<i64>,
    /// The variable of the innermost loop that has declared an element of these arrays.
    pub variable: Option<String>,
}

impl Origin {
    /// The member `name` or `name[index]` of what has this origin, declared in a loop with this variable.
    pub fn member(&self, name: &str, index: Option<i64>, variable: Option<&str>) -> Origin {
        let family = if self.family.is_empty() { name.to_owned() } else { format!("{}.{name}", self.family) };
        let indices = self.indices.iter().copied().chain(index).collect();
        let variable = variable.filter(|_| index.is_some()).map(str::to_owned);
        Origin { family, indices, variable: variable.or_else(|| self.variable.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_indices_of_what_they_are_in() {
        let rod = Origin::default().member("rod", Some(-2), Some("link"));
        let angle = rod.member("angle", None, Some("i"));
        let expected =
            Origin { family: "rod.angle".into(), indices: vec![-2], variable: Some("link".into()) };
        assert_eq!(angle, expected);
        let inner = angle.member("c", Some(7), Some("j"));
        assert_eq!((inner.family.as_str(), inner.indices), ("rod.angle.c", vec![-2, 7]));
        assert_eq!(inner.variable.as_deref(), Some("j"));
        let alone = Origin::default().member("x", None, Some("i"));
        assert!(alone.indices.is_empty() && alone.variable.is_none());
    }
}
