# Runs a mount by `ccall`, and prints its position at the end and the gradient of a cost:
# julia mount.jl libcostate_c.so mount.model
using Libdl

const library = dlopen(ARGS[1])
symbol(name) = dlsym(library, name)
failed() = error(unsafe_string(ccall(symbol(:costate_last_error), Cstring, ())))
check(status) = status == 0 || failed()
handle(pointer) = pointer == C_NULL ? failed() : pointer

check(ccall(symbol(:costate_check_abi), Cint, (Cint,), 1))
model = handle(ccall(symbol(:costate_model_from_file), Ptr{Cvoid}, (Cstring, Ptr{UInt8}), ARGS[2], C_NULL))
simulation = handle(ccall(symbol(:costate_simulation_new), Ptr{Cvoid}, (Ptr{Cvoid},), model))

times = collect(0:1000) .* 5e-4
force = 500 .* sin.(60 .* times .^ 2)
check(ccall(symbol(:costate_simulation_set_input_samples), Cint,
    (Ptr{Cvoid}, Csize_t, Ptr{Cdouble}, Ptr{Cdouble}, Csize_t, Cint), simulation, 0, times, force, length(times), 0))
check(ccall(symbol(:costate_simulation_set_time), Cint, (Ptr{Cvoid}, Cdouble, Cdouble), simulation, 5e-4, 0.5))
run = handle(ccall(symbol(:costate_simulation_run), Ptr{Cvoid}, (Ptr{Cvoid},), simulation))

position = zeros(ccall(symbol(:costate_run_samples), Clong, (Ptr{Cvoid},), run))
check(ccall(symbol(:costate_run_output), Cint, (Ptr{Cvoid}, Csize_t, Ptr{Cdouble}, Csize_t), run, 0, position,
    length(position)))
println("position at the end: ", position[end], " m")

cost = handle(ccall(symbol(:costate_cost_new), Ptr{Cvoid}, (Ptr{Cvoid}, Cint), simulation, 0))
check(ccall(symbol(:costate_cost_measure), Cint,
    (Ptr{Cvoid}, Csize_t, Ptr{Cdouble}, Ptr{Cdouble}, Csize_t, Cdouble), cost, 0, times, zero(times), length(times), 1))
x = zeros(ccall(symbol(:costate_model_count), Clong, (Ptr{Cvoid}, Cint), model, 0))
check(ccall(symbol(:costate_simulation_parameters), Cint, (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t), simulation, x,
    length(x)))
value, gradient = Ref(0.0), zero(x)
check(ccall(symbol(:costate_cost_evaluate), Cint,
    (Ptr{Cvoid}, Ptr{Cdouble}, Csize_t, Ptr{Cdouble}, Ptr{Cdouble}, Csize_t), cost, x, length(x), value, gradient,
    length(gradient)))
println("J = ", value[], ", gradient ", gradient)

for (free, object) in ((:costate_cost_free, cost), (:costate_run_free, run), (:costate_simulation_free, simulation),
    (:costate_model_free, model))
    check(ccall(symbol(free), Cint, (Ptr{Cvoid},), object))
end
