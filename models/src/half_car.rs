//! Half a car on a rough road.

costate::model! {
    #[interpreted]
    /// Body and wheels of half a car, with dampers of an unknown curve, the same in front and at the back, and bump
    /// stops.
    ///
    /// All coordinates are heights above the rest position, in which springs and tyres carry the weight.
    pub HalfCar {
        parameters {
            /// Body.
            m: kg = 640,
            inertia: kg*m^2 = 980,
            /// Distances of the axles from the body's centre of mass.
            to_front: m = 1.25,
            to_rear: m = 1.45,
            /// Wheels.
            m_w: kg = 42,
            /// Springs of front and rear axle.
            c_front: N/m = 21e3,
            c_rear: N/m = 19e3,
            /// Tyres.
            c_t: N/m = 210e3,
            d_t: N*s/m = 120,
            /// Bump stops: they touch when the springs are shorter by this.
            free: m = 0.02,
            c_stop: N/m^2 = 4e6,
        }
        inputs { road_front: m, road_rear: m }
        tables {
            /// Force of a damper, positive where it gets longer.
            damper(speed: m/s): N,
        }
        coordinates { z: m, pitch: rad, z_front: m, z_rear: m }
        mass { z: m, pitch: inertia, z_front: m_w, z_rear: m_w }
        let stroke_front = z - to_front*pitch - z_front;
        let stroke_rear = z + to_rear*pitch - z_rear;
        let front = c_front*stroke_front + damper(dot(stroke_front)) - c_stop*max(-stroke_front - free, 0)^2;
        let rear = c_rear*stroke_rear + damper(dot(stroke_rear)) - c_stop*max(-stroke_rear - free, 0)^2;
        forces {
            z: -front - rear,
            pitch: to_front*front - to_rear*rear,
            z_front: front - c_t*(z_front - road_front) - d_t*dot(z_front),
            z_rear: rear - c_t*(z_rear - road_rear) - d_t*dot(z_rear),
        }
        initial {
            z = 0[m], pitch = 0, z_front = 0[m], z_rear = 0[m],
            dot(z) = 0[m/s], dot(pitch) = 0[rad/s], dot(z_front) = 0[m/s], dot(z_rear) = 0[m/s],
        }
        outputs {
            /// Accelerations of the body above the axles.
            above_front: m/s^2 = ddot(z) - to_front*ddot(pitch),
            above_rear: m/s^2 = ddot(z) + to_rear*ddot(pitch),
            travel_front: m = stroke_front,
            travel_rear: m = stroke_rear,
            speed_front: m/s = dot(stroke_front),
            speed_rear: m/s = dot(stroke_rear),
        }
    }
}
