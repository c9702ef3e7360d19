costate::model! {
    /// A knife edge on ice, a wheel that is driven by its acceleration, and friction from a reaction.
    pub Skate {
        parameters { m: kg = 1, j: kg*m^2 = 0.1, mu: 1 = 0.3, a: m/s^2 = 1 }
        bodies { skate: planar { mass: m, inertia: j }, rod: planar { mass: m, inertia: j } }
        joints { pin: revolute(ground, rod) }
        constraints {
            edge: skate.velocity.y*cos(skate.angle) - skate.velocity.x*sin(skate.angle),
            driven: skate.acceleration.x - a,
            loaded: pin.reaction.x - 1[N],
        }
        elements { friction: torque(rod, -mu*0.1[m]*abs(pin.reaction.y)) }
        forces { skate.x: -mu*abs(multiplier(edge))*1[1/m] }
    }
}
