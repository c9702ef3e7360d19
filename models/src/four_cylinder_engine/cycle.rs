//! The thermodynamic cycle from which the map of the gas pressure is made.

use std::fmt::Write;

/// The working cycle of a four-stroke spark ignition engine in one zone of ideal gas. Angles are those of the crank in
/// degrees, 0 at firing dead centre; between 360 and 720 the charge is changed.
///
/// While the valves are closed, the first law with a constant ratio of specific heats kappa,
///
/// ```text
/// dp/dtheta = -kappa p/V dV/dtheta + (kappa - 1)/V dQ/dtheta,
/// ```
///
/// describes compression, combustion and expansion. The heat is released as Wiebe's function says,
/// `Q(theta) = Q (1 - exp(-6.908 s^(m + 1)))` with `s` from 0 to 1 over the combustion, at the end of which 99.9 % are
/// burnt. When the exhaust opens, the pressure falls to that in the exhaust as a bell curve; around the end of the
/// exhaust stroke it changes smoothly to that of the intake.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cycle {
    /// Area of the piston in m^2.
    pub area: f64,
    /// Crank radius in m.
    pub crank_radius: f64,
    /// Length of the conrod in m.
    pub rod_length: f64,
    /// Largest over smallest volume.
    pub compression_ratio: f64,
    /// Ratio of specific heats kappa, lower than that of the gas by the losses to the walls.
    pub kappa: f64,
    /// Pressure of the surroundings in Pa.
    pub ambient: f64,
    /// Pressure in the exhaust in Pa.
    pub exhaust: f64,
    /// Heat of a cycle over the swept volume, at a volumetric efficiency of 1, in J/m^3.
    pub heat: f64,
    /// Wiebe's form factor m.
    pub form: f64,
    /// The angle after firing dead centre at which the intake closes, in degrees; negative before it.
    pub intake_closes: f64,
    /// The angle after firing dead centre at which the exhaust opens, in degrees.
    pub exhaust_opens: f64,
    /// Width of the bell curve of the blow-down in degrees.
    pub blow_down: f64,
}

impl Default for Cycle {
    fn default() -> Self {
        Self {
            area: 5.41e-3,
            crank_radius: 0.045,
            rod_length: 0.145,
            compression_ratio: 10.5,
            kappa: 1.3,
            ambient: 1.013e5,
            exhaust: 1.1e5,
            heat: 2.5e6,
            form: 2.0,
            intake_closes: -140.0,
            exhaust_opens: 132.0,
            blow_down: 28.0,
        }
    }
}

/// Wiebe's factor: 1 - exp(-6.908) = 0.999.
const BURNT: f64 = 6.908;
/// Half the angle over which the pressure changes from exhaust to intake, in degrees.
const OVERLAP: f64 = 24.0;
/// Steps of the integration per degree.
const STEPS: usize = 4;
/// Distance of the map's angles in degrees.
const ANGLE_STEP: usize = 4;
/// Speeds of the map in rpm, from the first to the last with this distance.
const SPEEDS: (usize, usize, usize) = (1000, 6500, 500);

impl Cycle {
    /// Swept volume in m^3.
    pub fn displacement(&self) -> f64 {
        2.0 * self.area * self.crank_radius
    }

    /// Volume in m^3 and its derivative in m^3 per degree.
    pub fn volume(&self, angle: f64) -> (f64, f64) {
        let (r, l) = (self.crank_radius, self.rod_length);
        let (sin, cos) = angle.to_radians().sin_cos();
        let rod = (l * l - r * r * sin * sin).sqrt();
        let stroke = r + l - r * cos - rod;
        let slope = r * sin + r * r * sin * cos / rod;
        let smallest = self.displacement() / (self.compression_ratio - 1.0);
        (smallest + self.area * stroke, self.area * slope * 1f64.to_radians())
    }

    /// Part of the swept volume's charge that gets into the cylinder at this speed in rpm: most in the middle.
    pub fn volumetric_efficiency(&self, speed: f64) -> f64 {
        0.95 - 0.2 * (speed / 4200.0 - 1.0).powi(2)
    }

    /// First and last angle of the combustion at this speed in rpm: it takes longer at higher speeds, and the ignition
    /// is earlier by half of that.
    pub fn combustion(&self, speed: f64) -> (f64, f64) {
        let duration = 45.0 + speed / 400.0;
        (15.0 - 0.6 * duration, 15.0 + 0.4 * duration)
    }

    /// Heat released per degree in J.
    fn heat_release(&self, speed: f64, angle: f64) -> f64 {
        let (begin, end) = self.combustion(speed);
        let s = (angle - begin) / (end - begin);
        if s <= 0.0 {
            return 0.0;
        }
        let heat = self.heat * self.displacement() * self.volumetric_efficiency(speed);
        let exponent = self.form + 1.0;
        heat * BURNT * exponent * s.powf(self.form) / (end - begin) * (-BURNT * s.powf(exponent)).exp()
    }

    /// Absolute pressure in Pa at a speed in rpm at whole degrees 0..=720.
    pub fn pressure(&self, speed: f64) -> Vec<f64> {
        let intake = self.ambient * self.volumetric_efficiency(speed);
        let slope = |angle: f64, pressure: f64| {
            let (volume, change) = self.volume(angle);
            let heat = (self.kappa - 1.0) * self.heat_release(speed, angle);
            (heat - self.kappa * pressure * change) / volume
        };
        let (mut angle, mut pressure) = (self.intake_closes, intake);
        let mut closed = vec![pressure];
        while angle < self.exhaust_opens {
            for _ in 0..STEPS {
                let h = 1.0 / STEPS as f64;
                let k1 = slope(angle, pressure);
                let k2 = slope(angle + h / 2.0, pressure + h / 2.0 * k1);
                let k3 = slope(angle + h / 2.0, pressure + h / 2.0 * k2);
                let k4 = slope(angle + h, pressure + h * k3);
                pressure += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
                angle += h;
            }
            closed.push(pressure);
        }
        let at = |angle: f64| {
            let angle = if angle >= 720.0 + self.intake_closes { angle - 720.0 } else { angle };
            if let Some(pressure) = closed.get((angle - self.intake_closes).round() as usize) {
                return *pressure;
            }
            let bell = (-((angle - self.exhaust_opens) / self.blow_down).powi(2)).exp();
            let s = ((angle - 360.0) / OVERLAP / 2.0 + 0.5).clamp(0.0, 1.0);
            let base = self.exhaust + (intake - self.exhaust) * s * s * (3.0 - 2.0 * s);
            base + (pressure - self.exhaust) * bell
        };
        (0..=720).map(|angle| at(f64::from(angle))).collect()
    }

    /// The map of the pressure in bar over speed in rpm (down) and crank angle in degrees (across), as the CSV file
    /// that [`MappedEngine`](super::MappedEngine) reads.
    pub fn map(&self) -> String {
        let mut text = String::from(
            "# Absolute cylinder pressure in bar of costate_models::four_cylinder_engine::Cycle,\n\
             # over speed in rpm (down) and crank angle in deg (across), 0 at firing dead centre.\nrpm\\deg",
        );
        // Writing into a string does not fail.
        for angle in (0..=720).step_by(ANGLE_STEP) {
            let _ = write!(text, ",{angle}");
        }
        text.push('\n');
        let (first, last, step) = SPEEDS;
        for speed in (first..=last).step_by(step) {
            let _ = write!(text, "{speed}");
            for pressure in self.pressure(speed as f64).iter().step_by(ANGLE_STEP) {
                let _ = write!(text, ",{:.4}", pressure / 1e5);
            }
            text.push('\n');
        }
        text
    }
}
