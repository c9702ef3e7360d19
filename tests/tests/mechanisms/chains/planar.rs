//! Chain of rods in the plane, in redundant coordinates.

costate::model! {
    /// Chain of rods that hangs from a moving point. Every rod has parameters of its own; springs in the joints are
    /// stiffer on one side, and a rod that turns fast is braked. With `stops`, a table takes part.
    pub PlanarChain(links: usize = 16, stops: bool = false) {
        parameters {
            m[1..=links]: kg = 0.5, l[1..=links]: m = 1, c: N*m = 0.7, d: N*m*s = 0.02, g: m/s^2 = 9.81,
            limit: rad/s = 0.5,
        }
        tables { if stops { stop(spline compression: mm): N = "data/bump_stop.csv" } }
        inputs { wind[1..=links]: N }
        coordinates { for i in 1..=links { x[i]: m, y[i]: m, phi[i]: rad } }
        mass { for i in 1..=links { x[i]: m[i], y[i]: m[i], phi[i]: m[i]*l[i]^2/12 } }
        forces {
            for i in 1..=links {
                x[i]: wind[i]*cos(phi[i])^2,
                y[i]: -m[i]*g,
                phi[i]: if dot(phi[i]) > limit && phi[i] > 0 { d*(limit - dot(phi[i]))*exp(0.1*i*phi[i]) } else { 0 },
            },
            for i in 1..links {
                let bend = phi[i + 1] - phi[i];
                let torque = c*(if bend > 0 { 2*sin(bend) } else { bend }) + d*(dot(phi[i + 1]) - dot(phi[i]))
                    + if stops { l[i]*stop(l[i]*bend/10) } else { 0 };
                phi[i]: torque,
                phi[i + 1]: -torque,
            },
        }
        constraints {
            pin_x[1]: x[1] - l[1]/2*sin(phi[1]) - 0.1[m]*sin(2[rad/s]*t),
            pin_y[1]: y[1] + l[1]/2*cos(phi[1]),
            for i in 2..=links {
                pin_x[i]: x[i] - l[i]/2*sin(phi[i]) - x[i - 1] - l[i - 1]/2*sin(phi[i - 1]),
                pin_y[i]: y[i] + l[i]/2*cos(phi[i]) - y[i - 1] + l[i - 1]/2*cos(phi[i - 1]),
            },
        }
        initial { for i in 1..=links { phi[i] = 0.4/links*i } }
        outputs {
            for i in 1..=links { height[i]: m = y[i] - l[i]/2*cos(phi[i]), load[i]: N = multiplier(pin_x[i]) },
        }
    }

    /// With a table.
    pub PlanarChainWithStops = PlanarChain(stops = true);

    /// Too long for emitted factors.
    pub LongChain = PlanarChain(links = 80);
}
