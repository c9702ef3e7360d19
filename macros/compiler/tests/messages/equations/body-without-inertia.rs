costate::model! {
    pub Planar {
        parameters { m: kg = 2 }
        bodies { ball: planar { mass: m } }
    }
}

costate::model! {
    pub Spatial {
        parameters { m: kg = 2 }
        bodies { ball: spatial { mass: m } }
    }
}
