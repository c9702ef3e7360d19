//! Models made of components, and one of them written out.

costate::model! {
    /// Slider-cranks on an elastic shaft; between the pistons a chain of masses and springs, each link with springs of
    /// its own.
    pub CrankTrain {
        /// Slider-crank of one cylinder.
        component Cylinder {
            connections {
                /// Angle of the throw.
                crank: rad,
            }
            parameters {
                /// Crank radius.
                r: mm = 45,
                l: m,
                m_p: kg = 0.45,
                friction: N*m*s = 0.05,
            }
            inputs { pressure: Pa, leak: N }
            coordinates {
                /// Position of the piston.
                z: m,
                /// Angle of the conrod.
                w: rad,
            }
            mass { z: m_p, w: 0.01[kg*m^2] }
            let area = pi*(r/1.5)^2;
            forces { z: leak - pressure*area, crank: -friction*dot(crank) }
            constraints {
                /// The piston's pin stays on the axis.
                axis: r*sin(crank) - l*sin(w),
                piston: z - r*cos(crank) - l*cos(w),
            }
            outputs {
                /// Position of the piston above the lower dead centre.
                position: mm = z - (l - r),
            }
        }
        /// Linear spring and damper.
        component Spring {
            connections { a: m, b: m }
            parameters { c: N/m, d: N*s/m = 2, rest: m = 0 }
            let force = c*(b - a - rest) + d*(dot(b) - dot(a));
            forces { a: force, b: -force }
        }
        /// A mass between two springs.
        component Link {
            connections { left: m, right: m }
            parameters { m: g = 150, c: N/m = 800, x_0: m }
            inputs { push: N }
            coordinates { x: m }
            mass { x: m }
            components {
                spring[1]: Spring { a = left, b = x, c = c },
                spring[2]: Spring { a = x, b = right, c = 2*c, rest = 0.2*x_0 },
            }
            forces { x: push + dot(push)*0.01[s] }
            initial { x = x_0 }
        }
        parameters {
            m_piston: kg = 0.4, j: kg*m^2 = 0.02, c: N*m = 2000, d: N*m*s = 0.3, p_0: Pa = 5e3, p_c: Pa = 2e5,
            p_v: Pa*s = 40, start: rad = 0.4, speed: rpm = 300, cubic: N/m^3 = 200,
        }
        inputs { torque: N*m }
        coordinates { phi[0..=2]: rad }
        mass { for i in 0..=2 { phi[i]: j } }
        forces {
            phi[0]: torque,
            for i in 1..=2 {
                let twist = c*(phi[i] - phi[i - 1]) + d*(dot(phi[i]) - dot(phi[i - 1]));
                phi[i]: -twist,
                phi[i - 1]: twist,
            },
        }
        components {
            for k in 1..=2 {
                let peak = exp(4*(cos(phi[k] - 0.15 - k*pi) - 1));
                /// Cylinder on a throw.
                cylinder[k]: Cylinder {
                    crank = phi[k], m_p = m_piston, l = 0.145[m],
                    pressure = p_0 + (p_c + p_v*dot(phi[k]))*peak,
                },
            },
            link[1]: Link {
                left = cylinder[1].z, right = link[2].x, x_0 = 0.13[m],
                push = -cubic*(cylinder[1].z - cylinder[2].z)^3,
            },
            link[2]: Link { left = link[1].x, right = cylinder[2].z, x_0 = 0.12[m],
            push = m_piston*1[m/s^2]*sin(9[rad/s]*t) },
            across: Spring { a = cylinder[1].z, b = link[2].x, c = link[1].c/3, d = 0 },
        }
        forces { link[2].x: -0.3[N*s/m]*dot(cylinder[1].z),
        cylinder[2].w: -0.01[m^2]*link[1].spring[1].d*dot(cylinder[2].w) }
        initial {
            for i in 0..=2 { phi[i] = start, dot(phi[i]) = speed },
            cylinder[1].w = asin(cylinder[1].r*sin(start)/cylinder[1].l),
            dot(link[1].x) = 0.1[1/s]*link[1].spring[2].rest,
        }
        outputs {
            piston: m = cylinder[2].z,
            velocity: m/s = dot(cylinder[1].z),
            guide: N = multiplier(cylinder[2].axis),
            stretch: m = link[1].x - link[2].x,
            acceleration: m/s^2 = ddot(link[1].x),
        }
    }
}

costate::model! {
    /// Two cylinders on a shaft, as components.
    pub TwoCylinders {
        component Cylinder {
            connections { crank: rad }
            parameters { r: m = 0.045, l: m = 0.145, m_p: kg }
            inputs { pressure: Pa }
            coordinates { z: m, w: rad }
            mass { z: m_p, w: 0.002[kg*m^2] }
            forces { z: -pressure*5e-3[m^2] }
            constraints { axis: r*sin(crank) - l*sin(w), piston: z - r*cos(crank) - l*cos(w) }
        }
        parameters { m_piston: kg = 0.4, j: kg*m^2 = 0.1, c: N*m = 5000, p: Pa = 1e5 }
        coordinates { phi[1..=2]: rad }
        mass { for k in 1..=2 { phi[k]: j } }
        let twist = c*(phi[2] - phi[1]);
        forces { phi[1]: twist, phi[2]: -twist }
        components {
            for k in 1..=2 {
                cylinder[k]: Cylinder {
                    crank = phi[k], m_p = m_piston, pressure = p*(1 + 0.01[s]*dot(phi[k]))*exp(cos(phi[k]) - 1),
                },
            },
        }
        initial { for k in 1..=2 { phi[k] = 0.3, dot(phi[k]) = 40[rad/s] } }
        outputs { load: N = multiplier(cylinder[2].axis) }
    }
}

costate::model! {
    /// The model `TwoCylinders`, written out.
    pub WrittenOut {
        parameters { m_piston: kg = 0.4, j: kg*m^2 = 0.1, c: N*m = 5000, p: Pa = 1e5, r: m = 0.045, l: m = 0.145 }
        coordinates {
            phi[1..=2]: rad,
            for k in 1..=2 { z[k]: m, w[k]: rad },
        }
        mass { for k in 1..=2 { phi[k]: j, z[k]: m_piston, w[k]: 0.002[kg*m^2] } }
        let twist = c*(phi[2] - phi[1]);
        forces {
            phi[1]: twist,
            phi[2]: -twist,
            for k in 1..=2 { z[k]: -(p*(1 + 0.01[s]*dot(phi[k]))*exp(cos(phi[k]) - 1))*5e-3[m^2] },
        }
        constraints {
            for k in 1..=2 {
                axis[k]: r*sin(phi[k]) - l*sin(w[k]),
                piston[k]: z[k] - r*cos(phi[k]) - l*cos(w[k]),
            },
        }
        initial { for k in 1..=2 { phi[k] = 0.3, dot(phi[k]) = 40[rad/s] } }
        outputs { load: N = multiplier(axis[2]) }
    }
}
