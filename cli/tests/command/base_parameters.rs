//! `costate base-parameters`, and bodies of `costate fit`.

use super::support::{costate, folder_with, refused};

const PLATE: &str = "costate::model! {
    /// A plate on a ball.
    pub Plate {
        parameters { m: kg = 1.2, x: kg*m^2 = 0.01, y: kg*m^2 = 0.012, z: kg*m^2 = 0.02, k: N*m/rad = 3, l: m = 0.1 }
        gravity { (0, 0, -9.81[m/s^2]) }
        bodies { plate: spatial { mass: m, inertia: (x, y, z), center: (0, 0, -0.1[m]) } }
        joints { ball: spherical(ground.at(0, 0, l), plate) }
        initial { plate.orientation = rotation((1, 0, 0), 20[deg]) }
        outputs { rate: rad/s = plate.local_angular_velocity.x, stiffness: N*m/rad = k }
    }
}
";

#[test]
fn combinations() {
    let folder = folder_with(PLATE);
    let said = costate(folder.path(), "base-parameters model.rs");
    said.prints(
        0,
        &["Plate: 4 of 5 combinations are determined", "without influence: k", "constraints depend on them: l"],
    );
    // without weight, the mass hides behind the moments about the ball
    let afloat = folder_with(&PLATE.replace("-9.81[m/s^2]", "0[m/s^2]"));
    let said = costate(afloat.path(), "base-parameters model.rs --unknown x,y,z,m --json");
    let answer = said.json();
    assert_eq!((&answer["rank"], &answer["fixed"]), (&3.into(), &serde_json::json!(["m"])));
    assert_eq!(answer["determined"][0]["formula"], "x + 0.01*m");
    let said = costate(afloat.path(), "base-parameters model.rs --body m,x,y,z");
    said.prints(0, &["3 of 4 combinations", "hold fixed, the combinations have their part: m"]);
}

#[test]
fn mistakes() {
    let folder = folder_with(PLATE);
    refused(
        folder.path(),
        "base-parameters model.rs",
        &[
            ("--body m,x,y", 1, "error: `--body m,x,y`: the names of 4, 7 or 10 parameters belong here"),
            ("--body m,x,y,q", 1, "error: `--body m,x,y,q`: the model has no parameter `q`"),
            ("--unknown q", 1, "error: model `Plate` has no parameter `q`"),
            ("--unknown l", 1, "error: no parameter of `Plate` is unknown"),
        ],
    );
}

/// A record of the model itself: the fit finds the start that it was made with.
#[test]
fn fits_of_bodies() {
    let folder = folder_with(PLATE);
    let said = costate(folder.path(), "run model.rs --until 2 --step 0.01 -o bench.csv");
    assert!(said.success, "{}", said.stderr);
    let fit = "fit model.rs --record bench.csv --measured rate --body m,x,y,z --body-deviation 0.1 --parameter m=1.3";
    let said = costate(folder.path(), &format!("{fit} --json"));
    assert!(said.code == Some(0) || said.code == Some(3), "{}", said.stderr);
    let answer = said.json();
    let names: Vec<&str> =
        answer["fit"]["parameters"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["m", "x", "y", "z"]);
    let campaign = "model = { file = 'model.rs' }\n[parameters]\nm = 1.3\n[[experiment]]\nrecord = 'bench.csv'\n\
        measured = { rate = {} }\n[[inertia]]\nmass = 'm'\nmoments = ['x', 'y', 'z']\ndeviation = 0.1\n";
    std::fs::write(folder.path().join("campaign.toml"), campaign).unwrap();
    let of_campaign = costate(folder.path(), "fit campaign.toml --json").json();
    assert_eq!(of_campaign["fit"]["parameters"][0]["found"], answer["fit"]["parameters"][0]["found"]);
    std::fs::write(folder.path().join("campaign.toml"), campaign.replace(", 'z'", "")).unwrap();
    let said = costate(folder.path(), "fit campaign.toml");
    said.refuses(1, "`moments` has 2 names; write three");
}
