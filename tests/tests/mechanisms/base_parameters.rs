//! Base parameters against closed forms.

use std::path::Path;

use costate::Simulation;
use costate::experiment::BaseParameters;
use costate::interpreted::load;
use costate::model::BodyInertia;
use nalgebra::DVector;

costate::model! {
    #[interpreted]
    /// Slider and crank whose crank turns freely, in a horizontal plane.
    Slider {
        parameters { j: kg*m^2 = 0.02, m_s: kg = 1.5, j_r: kg*m^2 = 0.01, m_r: kg = 0.8, unused: 1 = 1, l: m = 0.5 }
        bodies {
            crank: planar { mass: 1[kg], inertia: j },
            rod: planar { mass: m_r, inertia: j_r },
            slide: planar { mass: m_s, inertia: 1[kg*m^2] },
        }
        joints {
            bearing: revolute(ground, crank),
            pin: revolute(crank.at(0.2[m], 0), rod.at(-0.15[m], 0)),
            head: revolute(rod.at(l - 0.15[m], 0), slide),
            rail: prismatic(ground, slide, axis = (1, 0)),
        }
        initial { crank.angle = 0.5, slide.x ~ 0.6[m], rod.x ~ 0.3[m] }
        outputs { place: m = slide.x, nothing: 1 = unused }
    }
}

costate::model! {
    #[interpreted]
    /// Two rods on hinges, whose weight may be left out.
    Pendulum(heavy: bool = true) {
        parameters { j_1: kg*m^2 = 0.02, j_2: kg*m^2 = 0.01, m_1: kg = 1, m_2: kg = 0.7 }
        if heavy { gravity { (0, -9.81[m/s^2]) } }
        bodies { upper: planar { mass: m_1, inertia: j_1 }, lower: planar { mass: m_2, inertia: j_2 } }
        joints {
            hinge: revolute(ground, upper.at(0, 0.2[m])),
            knee: revolute(upper.at(0, -0.3[m]), lower.at(0, 0.1[m])),
        }
        outputs { angle: rad = upper.angle }
    }

    /// Without weight.
    Afloat = Pendulum(heavy = false);
}

/// A rod of length l with its centre s from the crank moves as masses m (1 - s/l) and m s/l at its ends and the inertia
/// j - m s (l - s).
#[test]
fn a_closed_chain() {
    let unknown = [Slider::J, Slider::M_S, Slider::J_R, Slider::M_R, Slider::UNUSED, Slider::L];
    let base = BaseParameters::find(&Simulation::new(&Slider::default()), unknown, []).unwrap();
    assert_eq!(base.rank(), 3, "{base}");
    let names = |places: &[usize]| places.iter().map(|&place| base.linear()[place].name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&base.fixed()), ["m_r"]);
    assert_eq!(names(base.without_influence()), ["unused"]);
    assert_eq!(base.geometric(), ["l"]);
    assert!(base.curved().is_empty());
    let (r, s, l) = (0.2, 0.15, 0.5);
    let wanted = [r * r * (1.0 - s / l), s / l, -s * (l - s)];
    for (found, wanted) in base.determined().iter().zip(wanted) {
        let [(other, coefficient)] = found.others[..] else { panic!("{base}") };
        assert_eq!(base.linear()[other].name, "m_r");
        assert!((coefficient - wanted).abs() < 1e-9, "{base}");
    }
    assert!((base.determined()[1].value - (1.5 + 0.8 * s / l)).abs() < 1e-9);
    assert!(base.to_string().contains("m_s + 0.3*m_r"), "{base}");
}

/// Weight tells the first moment of the upper rod, which its inertia hides otherwise.
#[test]
fn an_open_chain_with_and_without_weight() {
    let unknown = [Pendulum::J_1, Pendulum::J_2, Pendulum::M_1, Pendulum::M_2];
    let heavy = BaseParameters::find(&Simulation::new(&Pendulum::default()), unknown, []).unwrap();
    assert_eq!((heavy.rank(), heavy.fixed()), (4, vec![]), "{heavy}");
    let unknown = [Afloat::J_1, Afloat::J_2, Afloat::M_1, Afloat::M_2];
    let afloat = BaseParameters::find(&Simulation::new(&Afloat::default()), unknown, []).unwrap();
    assert_eq!((afloat.rank(), afloat.fixed()), (3, vec![2]), "{afloat}");
    assert_eq!(afloat.determined()[0].others.len(), 1);
    assert!((afloat.determined()[0].others[0].1 - 0.04).abs() < 1e-9, "{afloat}");
}

/// An arm of N = 7 hinges, the first one along the weight and the second one across, has 7 N - 4 - 2 base parameters
/// (Mayeda, Yoshida, Osuka, IEEE Transactions on Robotics and Automation 6, 1990). The drives are no constraints.
#[test]
fn an_arm_of_seven_joints() {
    let arm = load(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/robot_arm/arm.rs")).unwrap();
    let link = |i: usize| {
        let named = |name: &str| arm.parameter(&format!("{name}[{i}]")).unwrap();
        BodyInertia::new(named("m"), ["i_xx", "i_yy", "i_zz"].map(named))
            .products(["i_xy", "i_xz", "i_yz"].map(named))
            .center(["c_x", "c_y", "c_z"].map(named))
    };
    let simulation = arm.simulation().unwrap();
    let base = BaseParameters::find(&simulation, [], (1..=7).map(link)).unwrap();
    assert_eq!((base.linear().len(), base.rank(), base.drives().len()), (70, 43, 7), "{base}");
    assert!(base.curved().is_empty(), "{base}");
    // what turns about the vertical alone
    let mass = base.linear().iter().position(|linear| linear.name == "m[1]").unwrap();
    assert!(base.without_influence().contains(&mass), "{base}");
    // the values are those of the parameters, and their derivatives
    let all = &simulation.description().model.parameters;
    let values: Vec<f64> = base.parameters().iter().map(|parameter| all[parameter.index()]).collect();
    let found = base.values(&values);
    assert!(base.determined().iter().zip(&found).all(|(base, value)| (base.value - value).abs() < 1e-12));
    let moved = |by: f64| values.iter().enumerate().map(|(k, value)| value + by * (k as f64).sin()).collect::<Vec<_>>();
    let change = base.derivatives(&values) * DVector::from_fn(70, |k, _| (k as f64).sin());
    // central differences of fourth order, of polynomials of third order
    let [far_back, back, forth, far_forth] = [-2e-2, -1e-2, 1e-2, 2e-2].map(|by| base.values(&moved(by)));
    for (k, change) in change.iter().enumerate() {
        let found = (far_back[k] - far_forth[k] + 8.0 * (forth[k] - back[k])) / 12e-2;
        assert!((found - change).abs() < 1e-10, "{found} {change}");
    }
}

#[test]
fn mistakes() {
    let find = |unknown: Vec<_>| BaseParameters::find(&Simulation::new(&Slider::default()), unknown, []);
    assert!(find(vec![Slider::L]).unwrap_err().to_string().starts_with("no parameter of `Slider` is unknown"));
    assert!(find(vec![]).unwrap_err().to_string().starts_with("no parameter of `Slider` is unknown"));
    assert!(find(vec![Slider::J, Slider::J]).unwrap_err().to_string().contains("`j`"));
}
