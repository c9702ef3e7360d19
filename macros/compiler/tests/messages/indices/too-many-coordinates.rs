costate::model! {
    pub Row {
        coordinates { x[1..=20000]: m }
        mass { for i in 1..=20000 { x[i]: 1[kg] } }
    }
}

fn main() {}
