//! Slow motions beside stiff parts, against eigenvalues with 120 digits.

use costate_interpreter::LoadedModel;
use costate_vibration::{Complex, Equilibrium, EquilibriumError, EquilibriumSearch, ModeKind, VibrationError};

use crate::{assert_near, loaded, simulation};

/// Four masses in a row, the first one with a spring to the ground, and a gyroscopic term between the first two.
struct Chain {
    masses: [f64; 4],
    springs: [f64; 4],
    dampers: [f64; 4],
    gyro: f64,
    /// Number of eigenvalues that are 0.
    zeros: usize,
    /// The other eigenvalues in 1/s, of pairs that with a positive imaginary part, in the order of modes; by mpmath
    /// with 120 digits.
    poles: &'static [(f64, f64)],
}

const CHAINS: [Chain; 36] = [
    Chain {
        masses: [0.726, 1.48, 0.0247, 2.34e-06],
        springs: [1.26, 1370.0, 8690.0, 26200000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.7514041469657297),
            (0.0, 52.90163090813251),
            (0.0, 598.0597570706212),
            (0.0, 3346287.7828064137),
        ],
    },
    Chain {
        masses: [0.686, 0.835, 1.0, 0.000328],
        springs: [-1.96, 33000000.0, 34200000.0, 17000000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 6377.4865543471),
            (0.0, 11049.907123224457),
            (0.0, 227697756.450726),
            (-0.8816848351857152, 0.0),
            (0.8816848351857152, 0.0),
        ],
    },
    Chain {
        masses: [1.72, 0.771, 0.113, 0.00205],
        springs: [0.594, 360.0, 105000.0, 14700000.0],
        dampers: [0.0276, 0.19, 0.0, 0.174],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (-0.0052933616386534365, 0.4773464949144236),
            (-0.16516108351468517, 24.81238535700508),
            (-0.016017984691896137, 1024.1541486941135),
            (-43.208935880592755, 85444.92316763768),
        ],
    },
    Chain {
        masses: [0.95, 1.69, 0.00836, 0.00193],
        springs: [1.81, 7070.0, 223000.0, 928000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.491,
        zeros: 0,
        poles: &[
            (0.0, 0.8263554842841804),
            (0.0, 107.71061990266165),
            (0.0, 4669.402469834512),
            (0.0, 769310.6027689691),
        ],
    },
    Chain {
        masses: [1.23, 0.559, 0.295, 0.243],
        springs: [0.0, 942.0, 7010.0, 352000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 2,
        poles: &[(0.0, 39.626409187800064), (0.0, 162.31525773703402), (0.0, 1628.685814573517)],
    },
    Chain {
        masses: [1.5, 0.591, 0.136, 0.17],
        springs: [0.927, 76400.0, 820000.0, 1100000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.6218784065395935),
            (0.0, 366.8741830584717),
            (0.0, 2027.779796007447),
            (0.0, 120673.83369414769),
        ],
    },
    Chain {
        masses: [0.588, 1.65, 0.00384, 0.184],
        springs: [0.621, 382.0, 19600.0, 137000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.5057222888571004),
            (0.0, 29.293561421385366),
            (0.0, 319.66118038888305),
            (0.0, 6437.043933178071),
        ],
    },
    Chain {
        masses: [1.12, 1.04, 1.36, 8.29e-06],
        springs: [-0.848, 1580.0, 24600.0, 3330000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 44.99591896796319),
            (0.0, 206.51093759989),
            (0.0, 633791.1566077411),
            (-0.49088682921377497, 0.0),
            (0.49088682921377497, 0.0),
        ],
    },
    Chain {
        masses: [1.05, 1.35, 0.227, 0.00646],
        springs: [1.51, 81000.0, 12700000.0, 542000000.0],
        dampers: [0.0218, 2.85, 0.0, 1.87],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (-0.004138985683600465, 0.7572114267972478),
            (-2.2626852595881695, 358.1544169878905),
            (-0.15625709538525653, 7988.376864959208),
            (-148.85578286096305, 293751.8018232021),
        ],
    },
    Chain {
        masses: [0.655, 1.45, 0.000945, 7.66e-06],
        springs: [1.01, 251.0, 33300.0, 192000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.161,
        zeros: 0,
        poles: &[
            (0.0, 0.6918485149297934),
            (0.0, 23.606916417494052),
            (0.0, 5914.196775094594),
            (0.0, 5026773.223246501),
        ],
    },
    Chain {
        masses: [1.42, 0.723, 0.00968, 5.71e-06],
        springs: [0.0, 4700000.0, 51000000.0, 60800000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 2,
        poles: &[(0.0, 3118.4063533232174), (0.0, 73048.71365838777), (0.0, 3264087465.3156524)],
    },
    Chain {
        masses: [1.74, 0.742, 0.381, 9.8e-06],
        springs: [1.31, 1050.0, 551000.0, 6970000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.6763671867661022),
            (0.0, 39.222358955231456),
            (0.0, 1479.6030121353895),
            (0.0, 843352.1113961658),
        ],
    },
    Chain {
        masses: [1.05, 0.751, 0.0657, 0.000159],
        springs: [0.835, 30400.0, 348000.0, 7050000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.6687847110844374),
            (0.0, 257.15844377673704),
            (0.0, 2398.0612961184383),
            (0.0, 210824.43256661977),
        ],
    },
    Chain {
        masses: [0.84, 1.28, 0.00126, 2.57e-05],
        springs: [-0.889, 55800000.0, 13400000000.0, 4490000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 10487.067101363735),
            (0.0, 3229983.6498438674),
            (0.0, 422222543.05610937),
            (-0.6473681066893824, 0.0),
            (0.6473681066893824, 0.0),
        ],
    },
    Chain {
        masses: [1.05, 0.831, 0.00327, 0.00448],
        springs: [1.85, 12800000.0, 406000000000.0, 543000000000000.0],
        dampers: [0.0298, 35.8, 0.0, 1560.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (-0.007888814904469648, 0.9896572761625887),
            (-38.395202171365256, 5239.256385810645),
            (-0.2180059876779907, 7270657.109754921),
            (-412639.2339743119, 536033597.7137812),
        ],
    },
    Chain {
        masses: [1.67, 1.63, 0.00418, 0.000166],
        springs: [1.7, 3450000.0, 547000000000.0, 394000000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.227,
        zeros: 0,
        poles: &[
            (0.0, 0.7172683627364985),
            (0.0, 2043.7232941919428),
            (0.0, 11233796.758220876),
            (0.0, 1570909719.7950613),
        ],
    },
    Chain {
        masses: [0.727, 1.86, 0.00469, 1.33],
        springs: [0.0, 378.0, 425.0, 196000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 2,
        poles: &[(0.0, 20.040858034151988), (0.0, 29.449623559418285), (0.0, 6482.955674933307)],
    },
    Chain {
        masses: [1.9, 1.15, 0.544, 2.65e-05],
        springs: [0.939, 70100.0, 2540000.0, 4360000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.5111419324874844),
            (0.0, 279.3760203837359),
            (0.0, 2626.287568648202),
            (0.0, 12827171.028442018),
        ],
    },
    Chain {
        masses: [1.03, 1.19, 0.71, 0.363],
        springs: [1.25, 8560000.0, 1420000000.0, 193000000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.6161112318474555),
            (0.0, 3475.172516374779),
            (0.0, 50200.544651796044),
            (0.0, 28346289.05688722),
        ],
    },
    Chain {
        masses: [1.7, 0.759, 0.181, 0.000121],
        springs: [-1.28, 196.0, 333.0, 2920.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 17.762384495711313),
            (0.0, 48.32228896113032),
            (0.0, 4914.098618347574),
            (0.6965889950167125, 0.0),
            (-0.6965889950167125, 0.0),
        ],
    },
    Chain {
        masses: [1.66, 1.26, 0.256, 0.000853],
        springs: [1.42, 2640.0, 69600.0, 8200000.0],
        dampers: [0.0243, 0.514, 0.0, 0.0836],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (-0.0038236059624364295, 0.6685160738137812),
            (-0.32702961457001467, 57.68407886790581),
            (-0.03525358780823406, 571.4617908110406),
            (-49.1667982486721, 98209.77479100875),
        ],
    },
    Chain {
        masses: [1.55, 1.81, 0.0115, 0.612],
        springs: [1.76, 99100.0, 112000000.0, 513000000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.183,
        zeros: 0,
        poles: &[
            (0.0, 0.6646950819083978),
            (0.0, 323.50168953996723),
            (0.0, 15541.027994998123),
            (0.0, 213182880.4238064),
        ],
    },
    Chain {
        masses: [1.68, 1.85, 0.103, 1.07e-05],
        springs: [0.0, 49300.0, 54900000.0, 399000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 2,
        poles: &[(0.0, 233.64113288162105), (0.0, 23719.852970887285), (0.0, 193115492.4200318)],
    },
    Chain {
        masses: [0.742, 1.15, 0.0133, 6.47e-05],
        springs: [1.58, 1760000.0, 13700000.0, 29200000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.9106246733592548),
            (0.0, 1970.9784464733664),
            (0.0, 32202.78203075718),
            (0.0, 673430950.0778626),
        ],
    },
    Chain {
        masses: [1.27, 0.596, 0.458, 8.33e-06],
        springs: [0.898, 756000.0, 1400000.0, 104000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.6216118281098877),
            (0.0, 1077.8063156200733),
            (0.0, 2471.390718973063),
            (0.0, 111737285.95162362),
        ],
    },
    Chain {
        masses: [1.73, 0.888, 0.414, 0.0216],
        springs: [-0.634, 21500000.0, 70600000.0, 495000000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 5257.54724322973),
            (0.0, 15829.638563831046),
            (0.0, 155281418.2348803),
            (-0.45565753533074405, 0.0),
            (0.45565753533074405, 0.0),
        ],
    },
    Chain {
        masses: [1.7, 0.626, 0.00283, 0.000947],
        springs: [1.01, 6860000.0, 1630000.0, 159000000000.0],
        dampers: [0.0172, 26.2, 0.0, 12.3],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (-0.0036913403364194266, 0.6584104004259851),
            (-28.499169888907637, 3863.2741766577),
            (-0.13459752993388335, 20838.2110214942),
            (-8667.337062164319, 14969383.491540587),
        ],
    },
    Chain {
        masses: [0.742, 0.576, 0.00693, 0.0345],
        springs: [0.935, 94.3, 495.0, 54100.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.157,
        zeros: 0,
        poles: &[
            (0.0, 0.8284007022382932),
            (0.0, 16.73916318173589),
            (0.0, 112.86106123042345),
            (0.0, 3071.533055679035),
        ],
    },
    Chain {
        masses: [1.33, 0.784, 0.772, 0.054],
        springs: [0.0, 13700000.0, 240000000.0, 2880000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 2,
        poles: &[(0.0, 4303.8174222802045), (0.0, 24615.676599705217), (0.0, 7554066.6932229735)],
    },
    Chain {
        masses: [1.75, 1.56, 0.0238, 2.17e-06],
        springs: [0.695, 10500.0, 25100.0, 24400000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.45658248299217763),
            (0.0, 112.3770312452756),
            (0.0, 1034.7549493204187),
            (0.0, 3353396.016207538),
        ],
    },
    Chain {
        masses: [1.81, 1.51, 0.00492, 0.000537],
        springs: [0.736, 257000.0, 281000000000.0, 49300000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.47044960665456775),
            (0.0, 558.1889856391998),
            (0.0, 7188653.111829791),
            (0.0, 319111704.3523785),
        ],
    },
    Chain {
        masses: [1.95, 0.964, 0.00104, 0.000756],
        springs: [-1.25, 1080.0, 5270.0, 1630000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 40.88864475528028),
            (0.0, 1714.0836827002001),
            (0.0, 61037.095623095454),
            (-0.6547929685377848, 0.0),
            (0.6547929685377848, 0.0),
        ],
    },
    Chain {
        masses: [0.563, 0.534, 0.00478, 0.00206],
        springs: [1.63, 50000.0, 484000.0, 185000000.0],
        dampers: [0.0395, 2.24, 0.0, 0.617],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (-0.017891806135459137, 1.21504387622312),
            (-4.077248984931621, 425.72352681744394),
            (-0.026688595429643632, 8464.678129959588),
            (-214.29700213337614, 358523.66755606065),
        ],
    },
    Chain {
        masses: [1.59, 1.46, 0.181, 0.0107],
        springs: [1.6, 164.0, 7630.0, 327000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.512,
        zeros: 0,
        poles: &[
            (0.0, 0.7014807610858906),
            (0.0, 14.247504067990535),
            (0.0, 212.22071671949456),
            (0.0, 5689.440543490943),
        ],
    },
    Chain {
        masses: [1.38, 1.84, 0.183, 1.3e-06],
        springs: [0.0, 42700.0, 3420000000.0, 35700000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 2,
        poles: &[(0.0, 228.1431053964648), (0.0, 143342.56026227618), (0.0, 5240394407.247016)],
    },
    Chain {
        masses: [1.23, 0.505, 0.298, 0.00204],
        springs: [1.49, 1310000.0, 1990000.0, 397000000000.0],
        dampers: [0.0, 0.0, 0.0, 0.0],
        gyro: 0.0,
        zeros: 0,
        poles: &[
            (0.0, 0.8556706132351082),
            (0.0, 1551.5389543823758),
            (0.0, 3438.7309392195984),
            (0.0, 13997859.048717376),
        ],
    },
];

const MODEL: &str = "pub Graded {
    parameters { m[1..=4]: kg = 1, k[1..=4]: N/m = 1, d[1..=4]: N*s/m = 0, g: N*s/m = 0 }
    coordinates { x[1..=4]: m }
    mass { for i in 1..=4 { x[i]: m[i] } }
    forces {
        x[1]: -k[1]*x[1] - d[1]*dot(x[1]) - g*dot(x[2]),
        x[2]: g*dot(x[1]),
        for i in 2..=4 {
            x[i]: -k[i]*(x[i] - x[i - 1]) - d[i]*(dot(x[i]) - dot(x[i - 1])),
            x[i - 1]: k[i]*(x[i] - x[i - 1]) + d[i]*(dot(x[i]) - dot(x[i - 1])),
        }
    }
}";

fn search(model: LoadedModel, chain: &Chain) -> EquilibriumSearch {
    let mut search = EquilibriumSearch::new(&simulation(model));
    let lists = [("m", &chain.masses), ("k", &chain.springs), ("d", &chain.dampers)];
    for (name, values) in lists {
        for (index, value) in values.iter().enumerate() {
            search = search.parameter(model.parameter(&format!("{name}[{}]", index + 1)).unwrap(), *value);
        }
    }
    search.parameter(model.parameter("g").unwrap(), chain.gyro)
}

#[test]
fn slow_motions_beside_stiff_parts() {
    let model = loaded(MODEL);
    let first = model.system().coordinate("x[1]").unwrap();
    let mut clear = 0;
    for (number, chain) in CHAINS.iter().enumerate() {
        let mut search = search(model, chain).unstable();
        if chain.zeros > 0 {
            search = search.held([first]);
        }
        let rest = match search.find() {
            Ok(rest) => rest,
            Err(VibrationError::Hidden { rate, .. }) => {
                // the spring to the ground is lost in the stiffest one
                let stiffest = chain.springs.into_iter().fold(0.0, f64::max);
                assert!(chain.springs[0].abs() <= 1e-14 * stiffest && rate > 0.1, "{number}: {rate}");
                continue;
            }
            Err(error) => panic!("{number}: {error}"),
        };
        let linear = rest.linearized();
        let modes = linear.modes().unwrap();
        let rigid: Vec<f64> =
            (modes.all().iter()).filter(|mode| mode.kind() == ModeKind::Rigid).map(|mode| mode.rounding()).collect();
        let oscillations = chain.poles.iter().filter(|(_, im)| *im > 0.0).count();
        let coordinates = oscillations + (chain.poles.len() - oscillations + chain.zeros) / 2;
        assert_eq!(coordinates, 4);
        let found = modes.oscillations().count();
        let aperiodic = modes.len() - found - rigid.len();
        assert_eq!(found + rigid.len() + aperiodic / 2, 4, "{number}: {modes}");
        assert!(rigid.len() >= chain.zeros / 2, "{number}: {modes}");
        let mut is_clear = true;
        for &(re, im) in chain.poles {
            let wanted = Complex::new(re, im);
            let others = modes.all().iter().filter(|mode| mode.kind() != ModeKind::Rigid);
            let near = others.min_by(|one, other| {
                let away = |mode: &costate_vibration::Mode| (mode.eigenvalue - wanted).norm();
                away(one).total_cmp(&away(other))
            });
            let near = near.unwrap();
            let error = (near.eigenvalue - wanted).norm();
            // what is told to be rigid may have a rate that is said
            let is_hidden = rigid.len() > chain.zeros / 2 && rigid.iter().any(|hidden| wanted.norm() <= *hidden);
            assert!(
                is_hidden || error <= 1e-9 * wanted.norm() + near.rounding(),
                "{number}: {} in place of {wanted} +- {}",
                near.eigenvalue,
                near.rounding()
            );
            is_clear &= !is_hidden && near.rounding() <= 1e-4 * wanted.norm();
        }
        clear += usize::from(is_clear);
        // stability is told right, or not at all
        let grows = chain.poles.iter().any(|(re, _)| *re > 0.0);
        if chain.zeros == 0 && rest.stability_is_known() {
            assert_eq!(rest.is_stable(), !grows, "{number}");
        }
    }
    assert!(clear >= 22, "{clear} of {} are known to 1e-4", CHAINS.len());
}

/// -40 N/m beside a stiffness over mass that is 1e12 times as large, and more.
#[test]
fn instability_beside_a_stiff_part_is_told_or_left_open() {
    for stiffness in [1e6, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e16, 1e18] {
        let model = loaded(&format!(
            "pub Sinking {{
                parameters {{ k: N/m = 40, c: N/m = {stiffness:e} }}
                coordinates {{ q: m, s: m }}
                mass {{ q: 1[kg], s: 1e-3[kg] }}
                forces {{ q: k*q - c*(q - s), s: -c*(s - q) }}
            }}"
        ));
        match Equilibrium::of(&simulation(model)) {
            Err(VibrationError::Equilibrium(EquilibriumError::Unstable { growth, .. })) => {
                // s^2 = 40/(1 + 1e-3)
                let error = 4.0 * f64::EPSILON * stiffness / 40.0;
                assert!((growth / (40.0f64 / 1.001).sqrt() - 1.0).abs() < 1e-9 + error, "{stiffness:e}: {growth}");
                assert!(stiffness <= 1e16);
            }
            Err(VibrationError::Hidden { .. }) => assert!(stiffness > 1e14),
            Ok(rest) => assert!(!rest.stability_is_known() && stiffness > 1e14, "{stiffness:e}"),
            other => panic!("{stiffness:e}: {other:?}"),
        }
    }
}

/// 1e-6 N/m beside 1e8 N/m is no motion without stiffness.
#[test]
fn a_soft_support_beside_a_stiff_spring() {
    for (soft, mass) in [(1.0_f64, 1e-4), (1e-3, 1e-4), (1e-6, 1e-9)] {
        let model = loaded(&format!(
            "pub Near {{
                parameters {{ m: kg = {mass:e}, k: N/m = 1e8, s: N/m = {soft:e} }}
                coordinates {{ x: m, y: m }}
                mass {{ x: 1[kg], y: m }}
                forces {{ x: -s*x - k*(x - y), y: -k*(y - x) }}
            }}"
        ));
        let rest = Equilibrium::of(&simulation(model)).unwrap();
        assert!(rest.is_stable() && rest.stability_is_known());
        let modes = rest.linearized().modes().unwrap();
        assert_eq!(modes.len(), 2, "{modes}");
        let wanted = (soft / (1.0 + mass)).sqrt();
        let slow = &modes.all()[0];
        assert!((slow.eigenvalue.im - wanted).abs() <= slow.rounding() + 1e-12 * wanted, "{modes}");
        assert!(slow.rounding() < 0.2 * wanted, "{modes}");
    }
}

/// A mass of any size ends in a result or an error.
#[test]
fn masses_of_any_size_come_to_an_end() {
    for mass in [1e-300_f64, 1e-200, 1e-160, 1e-100, 1e100, 1e200] {
        let model = loaded(&format!(
            "pub Tiny {{
                parameters {{ m: kg = {mass:e}, k: N/m = 1 }}
                coordinates {{ q: m, r: m }}
                mass {{ q: m, r: 1[kg] }}
                forces {{ q: -k*(q - r), r: -1[N/m]*r - k*(r - q) }}
            }}"
        ));
        let Ok(rest) = Equilibrium::of(&simulation(model)) else { continue };
        let modes = rest.linearized().modes().unwrap();
        assert_eq!(modes.len(), 2);
        if mass < 1.0 {
            // the tiny mass follows the other one, and swings on its spring
            assert_near(modes.all()[0].eigenvalue.im, 1.0, 1e-9);
            assert_near(modes.all()[1].eigenvalue.im, 1.0 / mass.sqrt(), 1e-9);
        }
    }
}
