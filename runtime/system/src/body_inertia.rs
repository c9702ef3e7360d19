//! The parameters that are mass, centre and inertia of one spatial body.

use crate::identifiers::{Dynamic, Parameter};

/// The parameters of a model that are mass, moments of inertia and, where they are parameters, products of inertia and
/// centre of mass of one `spatial` body, as its properties `mass`, `inertia` and `center` have them: the inertia is
/// about the centre of mass, in the axes of the body, and a product is the entry of the matrix.
///
/// ```text
/// BodyInertia::new(Arm::M, [Arm::I_XX, Arm::I_YY, Arm::I_ZZ]).center([Arm::C_X, Arm::C_Y, Arm::C_Z])
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BodyInertia<M = Dynamic> {
    mass: Parameter<M>,
    moments: [Parameter<M>; 3],
    products: Option<[Parameter<M>; 3]>,
    center: Option<[Parameter<M>; 3]>,
}

impl<M> BodyInertia<M> {
    /// Creates the inertia of a body whose axes are principal axes, with the moments i_xx, i_yy and i_zz.
    pub const fn new(mass: Parameter<M>, moments: [Parameter<M>; 3]) -> Self {
        Self { mass, moments, products: None, center: None }
    }

    /// Adds the products i_xy, i_xz and i_yz.
    #[must_use]
    pub fn products(mut self, products: [Parameter<M>; 3]) -> Self {
        self.products = Some(products);
        self
    }

    /// Adds the coordinates of the centre of mass in the body.
    #[must_use]
    pub fn center(mut self, center: [Parameter<M>; 3]) -> Self {
        self.center = Some(center);
        self
    }

    /// Returns the mass.
    pub fn mass(&self) -> Parameter<M> {
        self.mass
    }

    /// Returns i_xx, i_yy and i_zz, and i_xy, i_xz and i_yz where they are parameters.
    pub fn entries(&self) -> Vec<Parameter<M>> {
        self.moments.iter().chain(self.products.iter().flatten()).copied().collect()
    }

    /// Returns x, y and z of the centre of mass; nothing where they are no parameters.
    pub fn center_parameters(&self) -> Vec<Parameter<M>> {
        self.center.iter().flatten().copied().collect()
    }

    /// Returns all parameters: the mass, the entries of the inertia, the centre.
    pub fn parameters(&self) -> Vec<Parameter<M>> {
        [vec![self.mass], self.entries(), self.center_parameters()].concat()
    }

    /// Returns the inertia without the type of its model.
    pub fn erased(&self) -> BodyInertia {
        let each = |of: [Parameter<M>; 3]| of.map(Parameter::erased);
        BodyInertia {
            mass: self.mass.erased(),
            moments: each(self.moments),
            products: self.products.map(each),
            center: self.center.map(each),
        }
    }
}
