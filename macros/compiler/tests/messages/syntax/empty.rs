costate::model! {

}
