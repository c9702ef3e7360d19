//! The fork as a pendulum, with the sensor on it.

costate::model! {
    /// The fork of a bicycle that swings about the axle of its wheel, and a rate gyro on it.
    pub Fork {
        parameters {
            m: kg = 3.22,
            /// Distance of the centre of mass from the axis.
            l: m = 0.4778,
            g: m/s^2 = 9.81,
            /// Moment of inertia about the axis.
            inertia: kg*m^2 = 0.98,
            /// Moment of the air and of grease, per rate.
            viscous: N*m*s/rad = 0,
            /// Moment of the bearing, whatever the rate.
            dry: N*m = 0,
            /// Rate at which dry friction has three quarters of its moment.
            creeping: rad/s = 0.02,
            /// 1 for a pendulum, 0 for one whose moment is linear in the angle.
            finite: 1 = 1,
            /// Voltage of the gyro with its amplifier, per rate.
            gain: V*s/rad = 1,
            zero: V = 1.3,
            angle_0: rad = 0,
            rate_0: rad/s = -1,
        }
        coordinates { angle: rad }
        mass { angle: inertia }
        forces {
            angle: -m*g*l*(finite*sin(angle) + (1 - finite)*angle) - viscous*dot(angle) - dry*tanh(dot(angle)/creeping)
        }
        initial { angle = angle_0, dot(angle) = rate_0 }
        outputs {
            /// Voltage of the gyro.
            gyro: V = gain*dot(angle) + zero,
            swing: rad = angle,
        }
    }
}
