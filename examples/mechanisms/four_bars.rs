//! Four-bar loops, by bodies in the plane: every program that includes this file chooses how many.

macro_rules! four_bars {
    ($name:ident, $loops:literal) => {
        costate::model! {
            /// N four-bar loops of like rods, with the data of problem A02 of the library of benchmarks of multibody
            /// dynamics (Gonzalez, Dopico, Lugris, Cuadrado 2006; IFToMM benchmark "N-four-bar mechanism").
            pub $name(loops: usize = $loops) {
                parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, start: deg = 90, spin: rad/s = -1 }
                gravity { (0, -g) }
                bodies {
                    for i in 0..=loops { rocker[i]: planar { mass: m, inertia: m*l^2/12 } },
                    for i in 1..=loops { coupler[i]: planar { mass: m, inertia: m*l^2/12 } },
                }
                joints {
                    for i in 0..=loops { base[i]: revolute(ground.at(i*l, 0), rocker[i].at(-l/2, 0)) },
                    for i in 1..=loops {
                        left[i]: revolute(rocker[i - 1].at(l/2, 0), coupler[i].at(-l/2, 0)),
                        right[i]: revolute(rocker[i].at(l/2, 0), coupler[i].at(l/2, 0)),
                    },
                }
                initial {
                    for i in 0..=loops {
                        rocker[i].angle = start,
                        rocker[i].position ~ (i*l + l/2*cos(start), l/2*sin(start)),
                    },
                    for i in 1..=loops {
                        coupler[i].angle = 0,
                        coupler[i].position ~ ((i - 1/2)*l + l*cos(start), l*sin(start)),
                    },
                    dot(rocker[0].angle) = spin,
                }
                outputs {
                    /// Position of the first joint that moves.
                    position: m = rocker[0].at(l/2, 0).position.x,
                }
            }
        }
    };
}

pub(crate) use four_bars;
