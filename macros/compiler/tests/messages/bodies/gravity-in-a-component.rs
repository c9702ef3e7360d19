costate::model! {
    pub Mechanism {
        component Part {
            bodies { rod: planar { mass: 1 } }
            gravity { (0, -1) }
        }
        components { part: Part {} }
    }
}
