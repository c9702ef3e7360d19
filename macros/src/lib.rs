//! The `model!` macro: forwards its tokens to `costate-compiler`. The language is described in the
//! documentation of [`macro@model`].

use proc_macro::TokenStream;

/// Declares a multibody model and generates its equations of motion with all their derivatives.
///
/// ```text
/// costate::model! {
///     /// Pendulum on a string, in redundant coordinates.
///     pub Pendulum {
///         parameters {
///             /// Mass of the bob.
///             m: kg = 2.0,
///             l: m = 0.5,
///             d: N*s/m = 0.1,
///             g: m/s^2 = 9.81,
///             start: deg = 30,
///         }
///         inputs { wind: N }
///         coordinates { x: m, y: m }
///         mass { x: m, y: m }
///         forces { x: wind - d*dot(x), y: -m*g - d*dot(y) }
///         constraints { string: x^2 + y^2 - l^2 }
///         initial { x = l*sin(start), y = -l*cos(start) }
///         outputs { tension: N = 2*l*multiplier(string), angle: deg = atan2(x, -y) }
///     }
/// }
///
/// let pendulum = Pendulum { l: 0.8, ..Pendulum::default() };
/// let run = Simulation::new(&pendulum).input(Pendulum::WIND, |t| t.sin()).step(1e-3).until(10.0).run()?;
/// let tension = run.output(Pendulum::TENSION);
/// ```
///
/// The model stands for the equations of motion
///
/// ```text
/// M(q,p) a + C_q(q,p,t)^T lambda = f(q,v,p,u,t),   C(q,p,t) = 0,   s = s(q,v,a,lambda,p,u,t)
/// ```
///
/// with coordinates q, velocities v, accelerations a, Lagrange multipliers lambda, parameters p, inputs u and
/// outputs s. Every mistake in a model is an error while the crate builds, at the token that is wrong.
///
/// # Blocks
///
/// A model is a name, `pub` or another visibility in front of it, its structural arguments if it has some, and blocks in
/// braces. The order of the blocks is free, and a block may be written more than once. A model is written by equations
/// (`coordinates`, `mass`, `forces`, `constraints`), by energies, by bodies with joints, or by all of them together: what
/// they say about the same coordinate adds up. `coordinates` or `bodies` have to be there, and something with mass.
///
/// | block | entry | meaning |
/// |---|---|---|
/// | `parameters` | `c: N/m = 50` | a parameter with its unit and, if it has one, its default |
/// | `inputs` | `drive: N` | a function of time that a simulation is given |
/// | `tables` | `stop(x: mm): N = "data/stop.csv"` | a table of one or two arguments |
/// | `coordinates` | `x: m` | a generalized coordinate, in SI units |
/// | `mass` | `x: m` | an entry of the diagonal of M |
/// | | `(x, y): m*l` | an entry beside the diagonal, for both (x, y) and (y, x) |
/// | `forces` | `x: -c*x` | a generalized force in the direction of a coordinate |
/// | `constraints` | `joint: x - y` | an expression that is zero, and its name |
/// | `initial` | `x = 0.1[m]`, `dot(x) = 2[m/s]` | a coordinate or a velocity at t = 0 |
/// | | `x ~ 0.1` | what an open coordinate is near to at t = 0 |
/// | `kinetic` | `m/2*dot(x)^2` | a kinetic energy, see [Energies](#energies) |
/// | `potential` | `c/2*x^2` | a potential energy |
/// | `dissipation` | `d/2*dot(x)^2` | Rayleigh's dissipation function |
/// | `bodies` | `rod: planar { mass: m }` | a rigid body, see [Bodies](#bodies) |
/// | `joints` | `pin: revolute(ground, rod)` | a joint between bodies, or a coupler between joints |
/// | `elements` | `strut: spring(ground, rod, stiffness = c)` | what forces act on bodies |
/// | `gravity` | `(0, -g)` | the acceleration that gives bodies their weight |
/// | `outputs` | `load: N = c*x` | what a simulation records, and its unit |
/// | `components` | `left: Spring { a = x }` | a component in use, see [Components](#components) |
///
/// - Entries are separated by commas. Entries of `mass` and `forces` for the same coordinate add up; without an
///   entry the mass or the force is 0.
/// - A coordinate without mass takes part all the same: with neither mass nor constraint, its velocity follows from
///   its force equation.
/// - M is symmetric: a pair is written once, or in both orders with the same value.
/// - Constraints are between positions; the generated code differentiates them with respect to time.
/// - `initial` may leave coordinates and velocities open; they are completed so that they satisfy the constraints, with
///   the smallest change: of coordinates from 0 or from the value behind `~`, which may be a formula of parameters and
///   also tells one way to assemble a mechanism from another; of velocities from 0.
/// - Doc comments (`///`) stand before the model, before structural arguments, components, parameters, inputs, tables,
///   coordinates, constraints, outputs, bodies, joints and elements; `//` is a remark. There are no other attributes.
///
/// What an expression may depend on follows from the equations:
///
/// | in | may stand |
/// |---|---|
/// | defaults, conditions of entries | numbers, `pi`, loop variables, structural arguments |
/// | `mass` | coordinates, parameters |
/// | `forces` | coordinates, velocities, parameters, inputs, `t` |
/// | `constraints` | coordinates, parameters, `t` |
/// | `kinetic` | coordinates, velocities, parameters, `t` |
/// | `potential` | coordinates, parameters, inputs, `t` |
/// | `dissipation` | as `forces` |
/// | `bodies`, points, lengths of joints | parameters |
/// | drives | as `constraints` |
/// | `elements`, `gravity` | as `forces` |
/// | `initial` | parameters |
/// | `outputs` | all of these, accelerations and multipliers |
///
/// # Names, `let`
///
/// A name consists of letters, digits and underscores, and is not a word of the Rust language. Names are global to
/// the model: the same name can't be a parameter and a coordinate. Every name is also a constant in capital letters
/// (see below), so that `m` and `M` exclude each other, and so do `x[1]` and `x_1`. `t` (time in s), `pi` and the
/// names of functions have their meaning already. Constraints and outputs can't be used as values.
///
/// `let spring = c*x;` names an expression. Between blocks, it is known in all blocks below; inside a block or a
/// `for`, to the end of it. A name is defined once and hides no other name. What a `let` may depend on is
/// decided where its name is used.
///
/// # Indices and loops
///
/// `x[1..=3]: m` declares the array `x[1]`, `x[2]`, `x[3]`; `1..4` is the same range without its end. Arrays of
/// constraints and outputs, which need a value each, are declared by a loop. `for` repeats entries wherever entries
/// stand, with a `let` where it helps, and may be nested:
///
/// ```text
/// constraints {
///     pin[1]: x[1] - l/2*sin(phi[1]),
///     for i in 2..=3 {
///         let left = x[i - 1] + l/2*sin(phi[i - 1]);
///         pin[i]: x[i] - l/2*sin(phi[i]) - left,
///     },
/// }
/// ```
///
/// Indices and the ends of ranges are made of whole numbers, loop variables and structural arguments (see below),
/// joined by `+ - * / ^`; a division must leave no remainder. Indices may be negative, and an array may have gaps. A
/// name has one index. In an expression a loop variable is a number: there, `i/2` is half of `i`. A loop over an empty
/// range repeats nothing; the range of a declaration is not empty.
///
/// # Structural arguments
///
/// The sizes and features of a model stand in parentheses behind its name, known at compile time: whole numbers, 0 or
/// more (`usize`), and what is on or off (`bool`), each with a default that may be made of earlier ones:
///
/// ```text
/// pub Crankshaft(
///     /// Number of cylinders.
///     cylinders: usize = 4,
///     nodes: usize = cylinders + 2,
///     /// Torsional damper at the free end.
///     damper: bool = cylinders >= 4,
/// ) {
///     parameters {
///         j[1..=nodes]: kg*m^2 = 0.0065,
///         throw[1..=cylinders]: deg = if cylinders == 4 { [0, 180, 180, 0] } else { [0, 240, 120] },
///         if damper { c_d: N*m = 1.5e4, j_d: kg*m^2 = 0.006 },
///     }
///     coordinates { phi[1..=nodes]: rad, if damper { ring: rad } }
///     mass { for i in 1..=nodes { phi[i]: j[i] }, if damper { ring: j_d } }
///     let torque = if damper { c_d*(ring - phi[nodes]) } else { 0 };
///     forces { phi[nodes]: torque, if damper { ring: -torque } }
/// }
///
/// /// Without a damper.
/// pub StiffCrankshaft = Crankshaft(damper = false);
/// pub SixCylinders = Crankshaft(cylinders = 6);
/// ```
///
/// Sizes stand wherever whole numbers do, in indices and ranges, and are numbers in expressions and defaults. Features
/// are conditions, as `true` and `false` are, alone or joined by `&&`, `||` and `!`. Another size or feature makes another
/// model: the arguments are no fields of the struct, but its constants, `Crankshaft::CYLINDERS`.
///
/// - `if condition { entries } else { entries }` stands wherever entries stand, except among energies, where `if` begins an
///   expression. The condition is made of structural arguments, loop variables and numbers, and may go on with `else if`.
///   Entries of the other branch are not read: they belong to another variant, with names of its own.
/// - In an expression the same holds where a feature stands in the condition. Every other `if` is checked in both
///   branches.
/// - Variants stand behind the model, in the same block: `pub Name = Model(argument = value, ...);`. Each is a model with
///   these values as defaults, and with documentation and visibility of its own.
/// - A build script and the command `costate expand` set arguments without a change of the source
///   (`costate_compiler::generate`, `--set cylinders=6`).
///
/// # Defaults
///
/// A default is a number, for all elements of an array, or a list with one value for each element, in order:
/// `rest[1..=3]: deg = [0, 240, 480]`. A list has as many values as the range has elements. With `if`, numbers,
/// loop variables and structural arguments choose between lists, between numbers, or between both; the length of a list
/// matters only in the branch that is taken.
///
/// # Components
///
/// `component Name { ... }`, between the blocks, defines a part that a model is made of several times over. It has all
/// the blocks of a model but `tables`, and `connections`: coordinates of its surroundings that it acts on and depends on. An entry
/// of `components` uses it.
///
/// ```text
/// pub Engine {
///     /// Slider-crank of one cylinder.
///     component Cylinder {
///         connections {
///             /// Angle of the throw.
///             crank: rad,
///         }
///         parameters { r: m = 0.045, l: m, m_p: kg }
///         inputs { pressure: Pa }
///         coordinates { z: m, w: rad }
///         mass { z: m_p }
///         let area = pi*r^2;
///         forces { z: -pressure*area, crank: -0.01[N*m*s]*dot(crank) }
///         constraints { axis: r*sin(crank) - l*sin(w), piston: z - r*cos(crank) - l*cos(w) }
///     }
///     parameters { m_piston: kg = 0.4, j: kg*m^2 = 0.1, p: Pa = 1e5 }
///     coordinates { phi[1..=2]: rad }
///     mass { for k in 1..=2 { phi[k]: j } }
///     components {
///         for k in 1..=2 {
///             cylinder[k]: Cylinder { crank = phi[k], m_p = m_piston, l = 145[mm], pressure = p*exp(cos(phi[k])) },
///         },
///     }
///     forces { cylinder[1].z: -10[N*s/m]*dot(cylinder[1].z) }
///     initial { dot(phi[1]) = 100[rad/s] }
///     outputs { piston: m = cylinder[2].z, load: N = multiplier(cylinder[2].axis) }
/// }
/// ```
///
/// - Inside a component only its own names are known, besides `t`, `pi`, the functions, and the tables and structural
///   arguments of the model. What else it needs of its surroundings is bound to its names where it is used, by
///   `name = expression` in braces; the expression is one of the surroundings.
/// - A connection has to be bound, to a coordinate: one of the surroundings, a member of another component, or a
///   connection of the component around. Inside, it is a coordinate like any other; its initial values are those of the
///   coordinate outside.
/// - A parameter may be bound to numbers and parameters, an input to anything that a force may depend on; what is bound
///   is in SI units. A parameter that is not bound is one of the model for every use of the component,
///   `cylinder[2].r`, with the default of the component; so is an input. Elements of arrays are bound one by one, and
///   `for` and `let` stand among bindings as among entries.
/// - From outside, a member is named by its path, wherever a name may stand: `cylinder[2].z`, `multiplier(gear.pin)`,
///   and with arrays and components inside `train[k].gear[2].x`. What is bound is known under its path below the
///   `components` block, everything else in the whole model.
/// - `name: Component { ... }` in a `for` uses a component for every repetition, with an index of its own;
///   `name[1..=4]: Component { ... }` is an array of like ones.
/// - Components are made of others by a `components` block of their own; a component can't contain itself. All of
///   them are defined in the model, in any order. A component that is not used is checked for its syntax only.
/// - The quantities of a component stand where the `components` block stands among the blocks, one use after the
///   other, in the order of the blocks of the component. Coordinates of blocks further above come before them, those of
///   blocks further below behind them.
///
/// # Energies
///
/// Lagrange's equations of the blocks `kinetic`, T(q, v, p, t), `potential`, V(q, p, u, t), and `dissipation`, Rayleigh's
/// function D(q, v, p, u, t), are derived with all gyroscopic terms (OB 2.14):
///
/// ```text
/// M = d2T/dv2,   f = dT/dq - (dT/dv)_q v - (dT/dv)_t - dV/dq - dD/dv
/// ```
///
/// Entries add up, also with those of `mass` and `forces`. T is quadratic in the velocities (terms that are linear in them
/// or without any are allowed, for frames that move), and its mass matrix does not depend on time. An entry may have a name,
/// `rotor: j/2*dot(phi)^2` or `rotor[i]: ...`, which stands for its value in the blocks below.
///
/// ```text
/// let x = s + l*sin(phi);
/// let y = -l*cos(phi);
/// kinetic { cart: m_c/2*dot(s)^2, bob: m/2*(dot(x)^2 + dot(y)^2) }
/// potential { m*g*y }
/// dissipation { d/2*dot(s)^2 }
/// ```
///
/// # Bodies
///
/// ```text
/// pub Crane(links: usize = 3) {
///     parameters { m_c: kg = 10, m: kg = 2, l: m = 0.5, g: m/s^2 = 9.81, d: N*m*s = 0.1, start: rad = 0.3 }
///     inputs { drive: N }
///     gravity { (0, -g) }
///     bodies {
///         cart: planar { mass: m_c },
///         for i in 1..=links { rod[i]: planar { mass: m, inertia: m*l^2/12 } },
///     }
///     joints {
///         rail: prismatic(ground, cart, axis = (1, 0)),
///         pin[1]: revolute(cart, rod[1].at(0, l/2)),
///         for i in 2..=links { pin[i]: revolute(rod[i - 1].at(0, -l/2), rod[i].at(0, l/2)) },
///     }
///     elements {
///         pull: force(cart, (drive, 0)),
///         for i in 2..=links { friction[i]: torsional(rod[i - 1], rod[i], damping = d) },
///     }
///     initial { for i in 1..=links { rod[i].angle = start } }
///     outputs { height: m = rod[links].at(0, -l/2).position.y, load: N = pin[1].reaction.y }
/// }
/// ```
///
/// A body has a frame of its own, whose origin its coordinates belong to; the origin is the centre of mass unless `center`
/// says where that is. Bodies, joints and elements become coordinates, masses, forces and constraints of the model, with
/// names behind a point, `rod[1].x`, which stand wherever a name may stand: `dot(rod[1].angle)`, `multiplier(pin[2].y)`,
/// `forces { cart.x: -c*cart.x }`, `connections` of components. `for`, arrays, structural arguments and components take
/// bodies as they take everything else; joints and elements may name bodies of components, `cylinder[2].rod`.
///
/// | body | properties | coordinates |
/// |---|---|---|
/// | `planar` | `mass`, `inertia` (about the centre of mass), `center: (x, y)` | `x`, `y`, `angle` |
/// | `spatial` | `mass`, `inertia: (i_xx, i_yy, i_zz)` or `(i_xx, i_yy, i_zz, i_xy, i_xz, i_yz)`, `center: (x, y, z)` | `x`, `y`, `z`, `e0`, `e1`, `e2`, `e3` |
///
/// `inertia` is the tensor about the centre of mass in the axes of the body's frame, with its entries as they stand in the
/// matrix (`i_xy` is minus the integral of x y dm); without it, it is 0. The Euler parameters have the constraint `norm`
/// (OB 2.20 to 2.41).
///
/// ## Points and frames
///
/// `rod` is the frame of the body itself, `ground` the inertial frame. `rod.at(x, y)` or `rod.at(x, y, z)` is a frame
/// beside it, `.rotated(angle)` or `.rotated((0, 0, 1), angle)` a frame that is turned, in space about an axis; they may
/// follow each other, each in the frame before it: `rod.at(0, l).rotated(30[deg]).at(b, 0)`. An axis is made of numbers.
///
/// ## Joints
///
/// Between two frames, of which one may be the ground's; both bodies are planar or both are spatial. Directions are those of
/// the first frame.
///
/// | joint | allows | constraints, planar | constraints, spatial |
/// |---|---|---|---|
/// | `fixed(a, b)` | nothing | `x` `y` `turn` | `x` `y` `z` `turn_x` `turn_y` `turn_z` |
/// | `revolute(a, b)`, in space `axis = (0, 0, 1)` | turning | `x` `y` | `x` `y` `z` `tilt_u` `tilt_w` |
/// | `prismatic(a, b, axis = (1, 0))` | sliding | `across` `turn` | `across_u` `across_w` `tilt_u` `tilt_w` `turn` |
/// | `cylindrical(a, b, axis = (0, 0, 1))` | turning and sliding | | `across_u` `across_w` `tilt_u` `tilt_w` |
/// | `spherical(a, b)` | turning about any axis | | `x` `y` `z` |
/// | `universal(a, b, axis = (1, 0, 0), second_axis = (0, 1, 0))` | turning about an axis of each frame, which stay perpendicular | | `x` `y` `z` `square` |
/// | `planar(a, b, normal = (0, 0, 1))` | moving in a plane | | `along` `tilt_u` `tilt_w` |
/// | `point_on_line(a, b, axis = (1, 0))` | sliding, and turning about any axis | `across` | `across_u` `across_w` |
/// | `distance(a, b, length = l)` | a constant distance that is not 0 | `distance` | `distance` |
///
/// Couplers act on joints that stand above them.
///
/// | coupler | constraint |
/// |---|---|
/// | `drive(pin, angle = w*t)`, `drive(rail, displacement = ...)` | the motion of a joint is a function of `t` and parameters |
/// | `gear(pin_1, pin_2, ratio = i, offset = b)` | angle 1 = i * angle 2 + b |
/// | `rack(pin, rail, radius = r, offset = b)` | displacement = r * angle + b |
///
/// Between spatial bodies, gears and racks count angles beyond one turn in coordinates without mass, `gear.angle_1` and
/// `gear.angle_2`; where one of them begins beyond 90 degrees, `initial { gear.angle_1 ~ ... }` tells where.
///
/// ## Elements
///
/// | element | options | force |
/// |---|---|---|
/// | `force(p, (fx, fy))` | `frame` | at p; in inertial axes, or in those of a frame |
/// | `torque(p, m)`, in space `(mx, my, mz)` | `frame` | on the body of p |
/// | `spring(p, q)` | `stiffness` `damping` `length` `force` | pulls p and q together: stiffness*(distance - length) + damping*rate + force |
/// | `torsional(p, q)` | `stiffness` `damping` `angle` `torque`, in space `axis` | turns q back to p: stiffness*(turn - angle) + damping*rate + torque |
/// | `bushing(p, q)` | `stiffness` `damping` `torsional_stiffness` `torsional_damping` | along and about the axes of p, with a value for each axis; in space the turn is the vector of sines of small angles |
///
/// Options may be expressions, of whatever forces depend on, and of the element itself: with
/// `strut: spring(p, q, force = stop(strut.length - l))`, a table gives the characteristic. A spring's ends must not meet.
///
/// ## What is measured
///
/// Quantities behind a point stand wherever expressions may stand. Vectors are in inertial axes, have the components `.x`,
/// `.y` and in space `.z`, and stand whole where a vector is expected, also in sums and multiples: `-d*rod.velocity`.
///
/// | of | quantities |
/// |---|---|
/// | bodies and points | `position`, `velocity`, `acceleration`, `angular_velocity`, `angular_acceleration` (numbers in the plane), `local_angular_velocity` (in the axes of the body) |
/// | joints | `reaction` and `torque`, what the joint exerts on the second body, at the second frame; `angle` of revolute and cylindrical ones, from first to second frame, in space between -pi and pi; `displacement` along the axis of prismatic, cylindrical and `point_on_line` ones |
/// | springs | `length`, `force` (a pull is positive) |
/// | torsional elements | `angle`, `torque` |
///
/// What is measured of joints and elements is known below their block. `reaction` and `torque` of a coupler are what it
/// adds to its first joint.
///
/// ## Initial values
///
/// Besides single coordinates, `rod.position = (x, y)`, `rod.velocity = (vx, vy)`; of spatial bodies
/// `rod.orientation = rotation((0, 0, 1), 30[deg])`, or a product of rotations, the one on the right first, and below it
/// `rod.angular_velocity = (wx, wy, wz)` or `rod.local_angular_velocity`. Positions and orientations may stand before a `~`.
/// An orientation that is open is near to none (`e0 ~ 1`), and the norm of Euler parameters is completed.
///
/// # Units
///
/// A unit follows the colon of a declaration, or stands in brackets behind a number, `0.5[mm]`. It is a product or
/// quotient of powers, with whole exponents: `N*s/m`, `N/(m*s)`, `kg*m^2`, `1/s`; `1` if there is none. Operators
/// of the same rank are read from the left: `N/m*s` is `(N/m)*s`.
///
/// | units | |
/// |---|---|
/// | base units | `kg` `m` `s` `A` `K` `mol` `cd` |
/// | derived units | `g` `N` `Pa` `J` `W` `Hz` `V` `C` `F` `ohm` `T` `H` `l` (litre) |
/// | with prefixes | all of these but `kg`: `p` `n` `u` (also µ) `m` `c` `d` `h` `k` `M` `G`; and `mbar` `mrad` `urad` |
/// | angles and ratios | `rad` `sr` (both 1), `deg` (pi/180), `rev` (2 pi), `percent` (1/100) |
/// | others | `min` (60 s), `h` (3600 s), `rpm` (2 pi/60 1/s), `bar` (1e5 Pa), `t` (1000 kg) |
///
/// Inside the equations everything is in SI units. Where a declared unit is another one, the numbers outside of the
/// equations are in the declared unit, and are converted on the way in or out: with `l: mm`, the field `l` holds
/// millimetres and `l` in an expression is metres; an output `angle: deg` is computed in radians and recorded in
/// degrees. A default is in the declared unit as well, unless it is written with units: `l: mm = 5`,
/// `l: mm = 0.5[cm]`; each value of a list and each branch by itself. Coordinates are always in SI units.
///
/// Units are checked: where one does not fit, the model does not compile.
///
/// | expression | rule |
/// |---|---|
/// | `2`, `pi`, loop variables, structural arguments | no unit; angles have none either |
/// | `0` | fits every unit |
/// | `0.5[mm]` | this unit |
/// | `a + b`, `a - b`, `a < b`, `min`, `max`, `atan2`, `smooth_step`, branches of `if` | all in the same unit |
/// | `a*b`, `a/b`, `sqrt(a)`, `abs(a)`, `dot(a)` | what follows from a and b; `dot` divides by s |
/// | `a^n` | with `n` a whole number or a fraction that is known at compile time, that power of the unit |
/// | `a^b` | otherwise both are numbers |
/// | `sin(a)`, `exp(a)`, `ln(a)` and their like | a number, with a number as its value |
/// | `value(a, mm)` | the number of a in this unit |
/// | arguments and values of tables, bindings of components, outputs, initial values | the declared unit, or one of the same dimension |
/// | `forces` | N on a coordinate in m, N*m on one in rad: energy over coordinate |
/// | `mass` | kg for a coordinate in m, kg*m^2 for one in rad, kg*m for a pair of both |
/// | `constraints` | any unit, the same in all terms |
/// | `multiplier(c)` | energy over constraint: N for a constraint in m |
///
/// A formula that was found by experiment, with numbers in units that it does not name, is written with `value` on the
/// way in and a number with a unit on the way out: `3[N]*value(x, mm)^1.3`.
///
/// The unit of energy is the joule if any mass or force fits it. In a model that is divided by its mass, or that has no
/// units at all, it follows from the masses: with `mass { x: 1 }` and `x: m`, a force is in m/s^2.
///
/// # Expressions
///
/// Numbers are decimal: `2`, `0.5`, `1e-3`, `1_000`. A division is one of real numbers: `1/2` is 0.5.
///
/// | operators, from tight to loose | |
/// |---|---|
/// | `a^b` | power; `2^3^2` is `2^(3^2)`, `-x^2` is `-(x^2)`, `x^-2` is `1/x^2` |
/// | `-a` `!a` | sign, "not" |
/// | `a*b` `a/b` | from left to right |
/// | `a + b` `a - b` | from left to right |
/// | `a < b` `<=` `>` `>=` `==` `!=` | comparisons, which do not chain |
/// | `a && b` | "and" |
/// | `a \|\| b` | "or" |
///
/// `if condition { a } else if other { b } else { c }` is an expression; it always has an `else`, and each branch
/// holds a single expression. Comparisons are conditions, not numbers: they stand behind `if`.
///
/// Powers with whole numbers up to 64 as exponents are products, for any base. Other powers need a base that is not
/// negative, and a positive one for the derivative with respect to the exponent.
///
/// Derivatives are exact. Where a function has no derivative, the documented value is used:
///
/// | function | derivative with respect to x |
/// |---|---|
/// | `sin(x)` `cos(x)` `tan(x)` | `cos(x)`, `-sin(x)`, `1 + tan(x)^2` |
/// | `asin(x)` `acos(x)` | `1/sqrt(1 - x^2)`, `-1/sqrt(1 - x^2)`; infinite at the ends -1 and 1 |
/// | `atan(x)` | `1/(1 + x^2)` |
/// | `atan2(y, x)` | `-y/(x^2 + y^2)`, and with respect to y `x/(x^2 + y^2)`; none at the origin |
/// | `sinh(x)` `cosh(x)` `tanh(x)` | `cosh(x)`, `sinh(x)`, `1 - tanh(x)^2` |
/// | `exp(x)` | `exp(x)` |
/// | `ln(x)` `log10(x)` | `1/x`, `1/(ln(10)*x)` |
/// | `sqrt(x)` | `1/(2*sqrt(x))`; infinite at 0 |
/// | `x^n` | `n*x^(n - 1)`, and with respect to n `x^n*ln(x)` |
/// | `abs(x)` | `sign(x)`: 0 at 0 |
/// | `sign(x)` (-1, 0 or 1) | 0 everywhere |
/// | `min(a, b, ...)` `max(a, b, ...)` | that of the argument that gives the value, the first one on ties |
/// | `smooth_step(x, from, to)` | that of the polynomial; 0 outside |
/// | `if` | that of the branch that gives the value; a jump between branches has no derivative |
///
/// `smooth_step` is 0 up to `from`, 1 from `to` on, and between them `s^3*(10 - 15*s + 6*s^2)` with
/// `s = (x - from)/(to - from)`: its first and second derivatives are continuous. `from` and `to` must differ; with
/// `from` above `to` the step falls.
///
/// Four functions look at names and units:
///
/// - `dot(x)`, `ddot(x)`: velocity and acceleration of a coordinate; of an expression, its first and second time
///   derivative by the chain rule, `dot(x*y)` is `dot(x)*y + x*dot(y)`. Time derivatives of inputs, accelerations
///   and multipliers are not known.
/// - `value(x, mm)`: the number of a quantity in a unit.
/// - `multiplier(joint)`: the Lagrange multiplier of a constraint, in outputs. Constraint forces enter the equations
///   of motion by themselves, as `-C_q^T lambda` on the side of the forces.
///
/// # Tables
///
/// A table is declared like a function, with a unit for each argument and for its values, and used like one. The
/// numbers of the table are in these units; in the equations, arguments and values are in SI units as everything is.
///
/// ```text
/// tables {
///     /// Force of the bump stop.
///     stop(compression: mm): N = "data/stop.csv",
///     /// Gas pressure in a cylinder.
///     pressure(linear speed: rpm, periodic angle: deg): bar = "data/pressure.csv",
///     /// Measured characteristic of a bearing.
///     bearing(deflection: m): N,
/// }
/// forces { x: -stop(x) - bearing(x) }
/// ```
///
/// - With a file, the data are read and checked while the crate is built, and become part of it; the path starts at
///   the folder of the crate's `Cargo.toml`. A change of the file builds the model anew. Without a file, the data are
///   given to each run: `Simulation::new(&model).table(Model::BEARING, curve)`, and the same for an
///   `Identification`. A run may replace the data of a file, too.
/// - A table of one argument is a `costate::Curve`, one of two a `costate::Surface`: cubic splines through all values,
///   whose value and first and second derivatives are continuous everywhere. Their derivatives are exact.
/// - Beyond the first and last knot a table goes on as the word before the argument says: `clamped`, the default, with
///   the value at the edge, where slope and curvature become zero; `linear`, in a straight line with the slope at the
///   edge, where the curvature becomes zero; `periodic`, from the beginning: the last knot is one period after the
///   first and has its value.
/// - The file of one argument has two columns, argument and value, with or without a line of headings. That of two
///   has the knots of the second argument in its first line, behind a cell that is not read, and then lines of a knot
///   of the first argument and the values there. Knots increase. Cells are separated by commas, semicolons or tabs;
///   lines that begin with `#` are remarks.
///
/// # Checks
///
/// What can be proved about a model is proved while it compiles. All mistakes are reported at once, each at its token,
/// except that those in names and units come before those in the equations as a whole.
///
/// | error | for example |
/// |---|---|
/// | a unit that does not fit | `c*x + d*x` |
/// | a coordinate with neither mass, stiffness, damping nor constraint | `coordinates { x: m, y: m } mass { x: m }` |
/// | coordinates and constraint forces of which more are unknown than there are equations with them | two massless coordinates that only a constraint between them holds |
/// | more constraints than coordinates, or several between too few of them | three constraints between `x` and `y` |
/// | a constraint that restricts what others restrict already | `x - y`, `y - z`, `x - z` |
/// | a constraint without coordinates, or that nothing can satisfy | `x^2 + y^2 + l^2` |
/// | a division by zero; a root, logarithm, arcsine or power without value, whatever the state is | `1/(2 - 2)`, `sqrt(-1)`, `ln(0)` |
/// | a mass that is never positive, with any parameters or with their defaults | `x: -m` |
///
/// The equations are judged by their patterns and at made-up states with made-up parameters, so that no special number
/// makes a model wrong: a mechanism in a singular position is none of the compiler's business.
///
/// | warning | switched off by |
/// |---|---|
/// | a parameter, an input, a table, a connection, a component or a `let` is not used | an underscore in front of the name: `_c` |
/// | some parameters have a default and others do not: the model has no `Default` | giving all of them one, or none |
///
/// Warnings are those of rustc for what is deprecated, and `#[allow(deprecated)]` around the model silences all of them.
/// Functions with a kink or a jump (`abs`, `sign`, `min`, `max`, `if`) are named in the documentation of the model, and
/// at their places in `costate_compiler::Compiled::notes`.
///
/// # What is generated
///
/// - `struct Pendulum` with a public `f64` field per parameter, in the parameter's unit, which is `Copy`, `Debug`,
///   `PartialEq`, and `Default` if every parameter has a default. An element `c[2]` of an array is the field `c_2`,
///   `c[-1]` is `c_m1`; `cylinder[2].r` is `cylinder_2_r`.
/// - A typed constant per name, in capital letters: `Pendulum::L`, `Pendulum::WIND`, `Pendulum::X`,
///   `Pendulum::STRING`, `Pendulum::TENSION`; `Pendulum::C_2` for `c[2]`, `Engine::CYLINDER_2_Z` for `cylinder[2].z`,
///   `Crane::ROD_1_ANGLE` and `Crane::PIN_2_X` for coordinates of bodies and constraints of joints. A
///   misspelt one, or one of another model, does not compile; tables have theirs too. `Parameter::named("c[2]")` and its
///   like serve names that come from a file.
/// - A `usize` or `bool` constant per structural argument, `Crankshaft::CYLINDERS`.
/// - `impl costate::Model for Pendulum`: the equations and their derivatives, as straight-line code in which every
///   shared expression is computed once. What depends on parameters alone is computed once per run, into a
///   `struct PendulumConstants`.
///
/// The generated items have documentation, yours where there is some, and the visibility of the model. The command
/// `costate` prints them (`costate expand FILE`), checks models without building the crate (`costate check FILE`), and
/// writes a model on a page (`costate report FILE`).
///
/// # Limits
///
/// Loops repeat at most 100 000 times in a model, which has at most as many components, at most 32 inside each other. An expression is at most 1000 operations high and 256 parentheses
/// deep; with `let`s and sums over several entries, at most 2000 operations build on each other. Exponents
/// of units are at most 12.
#[proc_macro]
pub fn model(tokens: TokenStream) -> TokenStream {
    costate_compiler::expand(tokens.into()).into()
}
