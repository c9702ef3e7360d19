costate::model! {
    pub Mechanism {
        coordinates { x: m, y: m }
        kinetic { sqrt(1 + dot(x)^2), dot(y)^4/2 }
    }
}

fn main() {}
