costate::model! {
    Mass {
        parameters { m: kg = 1, c: N/m = 3, l: m = 1 }
        coordinates { x: m }
        mass { x: m }
        forces {
            x: -c*l*(sqrt(-1) + ln(0) + log10(-2) + asin(2) + acos(-1.5) + (-8)^(1/3) + atan2(0, 0)),
            x: -c*l*(sqrt(-(x/l)^2 - 1) + smooth_step(x/l, 1, 1) + ln(-exp(x/l)) + asin(2 + cosh(x/l))),
        }
    }
}
