costate::model! {
    pub Chain {
        component Spring {
            connections { a: m, b: m }
            parameters { c: N/m = 20 }
            forces { a: -c*(a - b), b: -stiff*(b - a) }
        }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: 1[kg] } }
        components {
            first: Spring { a = x[1] },
            for i in 1..=2 { second[i]: Spring { a = x[i], b = x[i + 2] } },
            third: Sprig { a = x[1], b = x[2] },
        }
    }
}

fn main() {
    println!("{:?}", Chain::default());
}
