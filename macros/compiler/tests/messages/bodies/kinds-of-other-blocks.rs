costate::model! {
    pub Mechanism {
        component Gears { connections { a: rad } forces { a: -1[N*m] } }
        bodies {
            rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] },
            crank: Gears { mass: 2[kg], inertia: 0.1[kg*m^2] },
            arm: rigid { mass: 2[kg], inertia: 0.1[kg*m^2] },
            plate: solid { mass: 2[kg], inertia: 0.1[kg*m^2] },
        }
        joints {
            strut: spring(ground, rod[1]),
            turn: torsinal(ground, rod[1]),
            pin: hinge(ground, rod[1]),
        }
        elements {
            rail: prismatic(ground, rod[1]),
            damper: damper(ground, rod[1]),
            ball: sphericl(ground, rod[2]),
            rope: rope(ground, rod[2]),
        }
        outputs { x: m = rodd[1].x, y: m = elsewhere.y }
    }
}

costate::model! {
    pub OtherBrackets {
        bodies { pin: revolute(ground, rod) }
        joints { rod: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
    }
}
