costate::model! {
    Mass {
        parameters { m: kg = 1, c: N/m = 3 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x/0 + c*x/(2 - 2) + c*x*0^-1 }
    }
}
