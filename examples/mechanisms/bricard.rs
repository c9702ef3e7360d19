//! Bricard's mechanism by bodies in space.

costate::model! {
    /// Six rods in a closed loop, joined by hinges across both rods, with the data of problem A04 of the library of
    /// benchmarks of multibody dynamics (Gonzalez, Dopico, Lugris, Cuadrado 2006; IFToMM benchmark "Bricard's
    /// mechanism"). The ground is the sixth rod. The loop lies along edges of a cube at the start; y is up.
    ///
    /// By count of its constraints, the loop is rigid: one of them follows from the others. The last joint is therefore
    /// universal, which lets the rod turn about its own axis too; the other joints forbid that turn.
    pub Bricard {
        parameters {
            m: kg = 1,
            /// Length of rods.
            l: m = 1,
            /// Edge of their square cross section.
            side: m = 0.1,
            g: m/s^2 = 9.81,
        }
        gravity { (0, -g, 0) }
        let along = m*side^2/6;
        let across = m*(l^2 + side^2)/12;
        bodies {
            // every frame is parallel to the ground's at the start
            rod[1]: spatial { mass: m, inertia: (along, across, across), shape: box(l, side, side) },
            rod[2]: spatial { mass: m, inertia: (across, along, across), shape: box(side, l, side) },
            rod[3]: spatial { mass: m, inertia: (across, across, along), shape: box(side, side, l) },
            rod[4]: spatial { mass: m, inertia: (along, across, across), shape: box(l, side, side) },
            rod[5]: spatial { mass: m, inertia: (across, along, across), shape: box(side, l, side) },
        }
        joints {
            hinge[1]: revolute(ground, rod[1].at(-l/2, 0, 0), axis = (0, 1, 0)),
            hinge[2]: revolute(rod[1].at(l/2, 0, 0), rod[2].at(0, l/2, 0), axis = (0, 0, 1)),
            hinge[3]: revolute(rod[2].at(0, -l/2, 0), rod[3].at(0, 0, -l/2), axis = (1, 0, 0)),
            hinge[4]: revolute(rod[3].at(0, 0, l/2), rod[4].at(l/2, 0, 0), axis = (0, 1, 0)),
            hinge[5]: revolute(rod[4].at(-l/2, 0, 0), rod[5].at(0, -l/2, 0), axis = (0, 0, 1)),
            last: universal(ground.at(0, 0, l), rod[5].at(0, l/2, 0), axis = (1, 0, 0), second_axis = (0, 0, 1)),
        }
        initial {
            rod[1].position ~ (l/2, 0, 0),
            rod[2].position ~ (l, -l/2, 0),
            rod[3].position ~ (l, -l, l/2),
            rod[4].position ~ (l/2, -l, l),
            rod[5].position ~ (0, -l/2, l),
            rod[1].orientation = rotation((0, 1, 0), 0[deg]),
        }
        outputs {
            /// Displacement of the joint opposite the ground's first one.
            x: m = rod[3].at(0, 0, l/2).position.x - l,
            y: m = rod[3].at(0, 0, l/2).position.y + l,
            z: m = rod[3].at(0, 0, l/2).position.z - l,
            energy: J = kinetic_energy + potential_energy,
        }
    }
}
