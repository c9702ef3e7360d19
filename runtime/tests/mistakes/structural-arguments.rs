//! One mistake in the arguments of each model.

costate::model! {
    pub MissingType(n = 3) {
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: 1[kg] } }
    }
}

costate::model! {
    pub WrongType(n: i32 = 3) {
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: 1[kg] } }
    }
}

costate::model! {
    pub MissingDefault(n: usize) {
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: 1[kg] } }
    }
}

costate::model! {
    pub MissingValue(n: usize = ) {
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: 1[kg] } }
    }
}

costate::model! {
    pub NoWholeNumber(n: usize = 5/2) {
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: 1[kg] } }
    }
}

costate::model! {
    pub LaterArgument(k: usize = n + 1, n: usize = 3) {
        coordinates { x[k..=n]: m }
        mass { for i in k..=n { x[i]: 1[kg] } }
    }
}

costate::model! {
    pub Reserved(n: usize = 3, sin: usize = 1) {
        coordinates { x[sin..=n]: m }
        mass { for i in sin..=n { x[i]: 1[kg] } }
    }
}

costate::model! {
    pub Twice(n: usize = 3, n: usize = 4) {
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: 1[kg] } }
    }
}

fn main() {
    println!("{} {:?}", MissingDefault::N, Twice::X_3);
}
