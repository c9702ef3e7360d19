costate::model! {
    /// Robot arm of seven links on hinges, whose motion is driven.
    pub Arm {
        parameters {
            m[1..=7]: kg = [4, 4, 3, 2.7, 1.7, 1.6, 0.5],
            i_xx[1..=7]: kg*m^2 = [0.1, 0.05, 0.045, 0.03, 0.025, 0.005, 0.002],
            i_yy[1..=7]: kg*m^2 = [0.09, 0.018, 0.04, 0.028, 0.023, 0.0036, 0.0012],
            i_zz[1..=7]: kg*m^2 = [0.02, 0.044, 0.012, 0.01, 0.006, 0.0047, 0.0015],
            i_xy[1..=7]: kg*m^2 = [0.002, -0.003, 0.001, 0.001, -0.001, 0.0003, -0.0001],
            i_xz[1..=7]: kg*m^2 = [-0.001, 0.002, -0.002, 0.001, 0.0015, -0.0002, 0.0002],
            i_yz[1..=7]: kg*m^2 = [0.003, -0.001, 0.002, -0.0005, 0.001, 0.0004, 0.0001],
            c_x[1..=7]: m = [0.01, 0.02, -0.015, 0.01, 0.02, 0.01, 0.015],
            c_y[1..=7]: m = [-0.03, 0.04, 0.03, 0.067, -0.02, 0.02, -0.01],
            c_z[1..=7]: m = [0.12, 0.06, 0.13, 0.034, 0.076, 0.01, 0.02],
            g: m/s^2 = 9.81,
        }
        let turn = 1[rad/s]*t;
        gravity { (0, 0, -g) }
        bodies {
            for i in 1..=7 {
                link[i]: spatial {
                    mass: m[i],
                    inertia: (i_xx[i], i_yy[i], i_zz[i], i_xy[i], i_xz[i], i_yz[i]),
                    center: (c_x[i], c_y[i], c_z[i]),
                },
            }
        }
        joints {
            hinge[1]: revolute(ground, link[1], axis = (0, 0, 1)),
            hinge[2]: revolute(link[1].at(0, 0, 0.16[m]), link[2], axis = (0, 1, 0)),
            hinge[3]: revolute(link[2].at(0, 0, 0.18[m]), link[3], axis = (0, 0, 1)),
            hinge[4]: revolute(link[3].at(0, 0, 0.22[m]), link[4], axis = (0, 1, 0)),
            hinge[5]: revolute(link[4].at(0, 0, 0.18[m]), link[5], axis = (0, 0, 1)),
            hinge[6]: revolute(link[5].at(0, 0, 0.22[m]), link[6], axis = (0, 1, 0)),
            hinge[7]: revolute(link[6].at(0, 0.08[m], 0), link[7], axis = (0, 0, 1)),
            motor[1]: drive(hinge[1], angle = 0.9*sin(2.1*turn) + 0.4*sin(5.3*turn)),
            motor[2]: drive(hinge[2], angle = 0.8*sin(1.7*turn + 1) + 0.3*sin(4.7*turn)),
            motor[3]: drive(hinge[3], angle = 0.9*sin(2.5*turn + 2) + 0.4*sin(6.1*turn)),
            motor[4]: drive(hinge[4], angle = 0.8*sin(2.9*turn + 3) + 0.3*sin(5.9*turn)),
            motor[5]: drive(hinge[5], angle = 0.9*sin(3.1*turn + 4) + 0.5*sin(7.3*turn)),
            motor[6]: drive(hinge[6], angle = 0.8*sin(2.3*turn + 5) + 0.5*sin(6.7*turn)),
            motor[7]: drive(hinge[7], angle = 0.9*sin(3.7*turn + 6) + 0.6*sin(8.3*turn)),
        }
        let across[i in 1..=7] = link[i].at(0, 1[m], 0);
        let along[i in 1..=7] = link[i].at(0, 0, 1[m]);
        outputs {
            torque[1]: N*m = motor[1].torque.z,
            for i in 1..=3 {
                torque[2*i]: N*m = inner(motor[2*i].torque, across[2*i].position - link[2*i].position)/1[m],
                torque[2*i + 1]: N*m =
                    inner(motor[2*i + 1].torque, along[2*i + 1].position - link[2*i + 1].position)/1[m],
            }
        }
    }
}
