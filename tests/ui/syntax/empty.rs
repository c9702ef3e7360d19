costate::model! {

}

fn main() {}
