//! Mutated files of tables and meshes: read as what they are, or refused.
#![allow(clippy::unwrap_used)]

use costate_contract::stl;
use costate_contract::tables::{Extension, read_curve, read_surface};

#[test]
fn meshes() {
    let text = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2e0 0\nendloop\n\
        endfacet\nendsolid";
    let mut binary = vec![0_u8; 80];
    binary.extend(2_u32.to_le_bytes());
    binary.extend([0x3f; 100]);
    costate_fuzz::drive("meshes", &[text, &binary], &["vertex", "solid", "1 2 3", "endsolid"], |bytes| {
        match stl::triangles(bytes) {
            Err(error) => error.to_string(),
            Ok(triangles) => {
                assert!(!triangles.is_empty() && triangles.len() <= bytes.len());
                assert!(triangles.iter().flatten().flatten().all(|x| x.is_finite()));
                "read".to_owned()
            }
        }
    });
}

#[test]
fn tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    let seeds: [&[u8]; 3] = [
        b"travel [mm], force [kN]\n-1,-2\n0,0\n1,2.5\n2,-2\n",
        b"0;1\n1;3\n2;1\n",
        b"speed [rad/s] \\ angle [rad],0,1,2\n0,1,2,1\n5,3,4,3\n9,1,2,1\n",
    ];
    costate_fuzz::drive("tables", &seeds, &["[mm]", "[N]", "\\"], |bytes| {
        std::fs::write(&path, bytes).unwrap();
        let kinds = Extension::ALL.map(|extension| {
            let curve = read_curve(&*path, "table", extension);
            let surface = read_surface(&*path, "table", [extension; 2]);
            if let Ok(curve) = &curve {
                assert!(curve.grid.values.iter().chain(&curve.grid.x).all(|x| x.is_finite()));
            }
            if let Ok(surface) = &surface {
                let grid = &surface.grid;
                assert_eq!(grid.values.len(), grid.x.len() * grid.y.len());
            }
            let text = |error: Option<String>| error.unwrap_or_else(|| "read".to_owned());
            text(curve.err().map(|error| error.to_string())) + &text(surface.err().map(|error| error.to_string()))
        });
        kinds.concat()
    });
}
