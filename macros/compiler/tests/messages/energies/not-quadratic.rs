costate::model! {
    pub Mechanism {
        coordinates { x: m, y: m }
        kinetic { sqrt(1[m^2/s^2] + dot(x)^2)*1[m/s], dot(y)^4/2*1[s^2/m^2] }
    }
}
