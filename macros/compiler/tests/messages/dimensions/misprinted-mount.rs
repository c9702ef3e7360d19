costate::model! {
    /// The engine mount with the units of c_E2 and d_H2 as they are misprinted in DA table 1.
    pub EngineMount {
        parameters {
            m_l: kg = 20, c_e1: N/m = 73.8e3, c_e2: N^3/mm^3 = 4, d_e: N*s/m = 0.5, c_h: N/m = 375e3,
            m_h: kg = 0.0019, d_h1: N*s/m = 0.08, d_h2: N^3*s^3/mm^3 = 1.2e-9, g: m/s^2 = 9.81,
        }
        inputs { drive: N }
        coordinates { x1: m, x4: m }
        mass { x1: m_l, x4: m_h }
        let elastomer = c_e1*x1 + c_e2*x1^3 + d_e*dot(x1);
        let fluid = c_h*(x1 - x4);
        forces { x1: drive + m_l*g - elastomer - fluid, x4: fluid - (d_h1*dot(x4) + d_h2*dot(x4)^3) }
        outputs { acceleration: m/s^2 = ddot(x1) }
    }
}
