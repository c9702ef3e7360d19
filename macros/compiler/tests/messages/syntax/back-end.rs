model! {
    #[interpreted]
    #[compiled]
    pub Twice { parameters { c: N/m = 1 } coordinates { x: m } mass { x: 1[kg] } forces { x: -c*x } }
}

model! {
    pub Inside {
        #[interpreted]
        parameters { #[compiled] c: N/m = 1 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*x }
    }
}

model! {
    #![interpreted]
    pub Inner { parameters { c: N/m = 1 } coordinates { x: m } mass { x: 1[kg] } forces { x: -c*x } }
}

model! {
    pub Row(masses: usize = 2) {
        parameters { c: N/m = 1 }
        coordinates { x[1..=masses]: m }
        mass { for i in 1..=masses { x[i]: 1[kg] } }
        forces { for i in 1..=masses { x[i]: -c*x[i] } }
    }

    #[interpreted]
    pub Long = Row(masses = 5);
}
