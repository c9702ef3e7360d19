/*
 * Holds a mount by a controller, step by step, and goes back through the whole simulation: the exact gradient of
 * J = h sum_i x_i^2 / 2 by the gain of the controller and by all parameters of the model.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "costate.h"

#define STEPS 400
#define PARAMETERS 4
/* q, v, a and s of one coordinate. */
#define NUMBERS 4

static const double h = 5e-4;

/* Ends the program after a call that has failed. */
static void fail(void) {
    fprintf(stderr, "%s\n", costate_last_error());
    exit(1);
}

static void check(int status) {
    if (status != COSTATE_OK) fail();
}

/* The controller: a force against the position at the last step, towards 1 mm. */
static double controlled(double gain, double position) { return gain * (1e-3 - position); }

/* Returns J; with a gradient, that by the gain and all parameters. */
static double simulate(costate_simulation *simulation, double gain, double *gradient) {
    static costate_state *saved[STEPS];
    static double position[STEPS + 1];
    costate_stepper *stepper = costate_stepper_new(simulation);
    double J = 0.0, by_end[NUMBERS] = {0.0}, by_begin[NUMBERS], by_input, by_parameters[PARAMETERS], by_position = 0.0;
    double input, outputs[2];
    int i, k;

    if (stepper == NULL) fail();
    position[0] = costate_stepper_output(stepper, 0);
    for (i = 0; i < STEPS; i++) {
        if (gradient != NULL && (saved[i] = costate_stepper_save(stepper)) == NULL) fail();
        input = controlled(gain, position[i]);
        check(costate_stepper_advance(stepper, &input, 1, outputs, 2));
        position[i + 1] = outputs[0];
        J += h * position[i + 1] * position[i + 1] / 2.0;
    }
    for (i = STEPS; gradient != NULL && i > 0; i--) {
        double by_state[NUMBERS], weights[2] = {0.0, 0.0};
        input = controlled(gain, position[i - 1]);
        check(costate_stepper_restore(stepper, saved[i - 1]));
        check(costate_stepper_set_input(stepper, 0, input));
        check(costate_stepper_step(stepper));
        /* What is known of the position at this step: its part of J, and the controller of the step after. */
        weights[0] = h * position[i] + by_position;
        check(costate_stepper_output_vjp(stepper, weights, 2, by_state, NUMBERS, NULL, 0, NULL, 0));
        for (k = 0; k < NUMBERS; k++) by_end[k] += by_state[k];
        check(costate_stepper_vjp(stepper, by_end, NUMBERS, by_begin, NUMBERS, &by_input, 1, NULL, 0, by_parameters,
                                  PARAMETERS));
        for (k = 0; k < NUMBERS; k++) by_end[k] = by_begin[k];
        gradient[0] += by_input * (1e-3 - position[i - 1]);
        for (k = 0; k < PARAMETERS; k++) gradient[1 + k] += by_parameters[k];
        by_position = -gain * by_input;
        check(costate_state_free(saved[i - 1]));
    }
    if (gradient != NULL) {
        /* The state at the start: q, v and a, and s = 0. The controller acts there on a position that is fixed. */
        double by_start[3 * PARAMETERS];
        check(costate_simulation_start_derivatives(simulation, by_start, 3, PARAMETERS));
        for (k = 0; k < 3 * PARAMETERS; k++) gradient[1 + k % PARAMETERS] += by_end[k / PARAMETERS] * by_start[k];
    }
    check(costate_stepper_free(stepper));
    return J;
}

int main(int count, char **arguments) {
    const double gain = 20e3;
    double gradient[1 + PARAMETERS] = {0.0}, values[PARAMETERS], worst = 0.0, J;
    costate_model *model = costate_model_from_file(count > 1 ? arguments[1] : "mount.model", NULL);
    costate_simulation *simulation;
    int k;

    if (model == NULL) fail();
    simulation = costate_simulation_new(model);
    if (simulation == NULL) fail();
    check(costate_simulation_parameters(simulation, values, PARAMETERS));
    check(costate_simulation_set_time(simulation, h, 1.0));
    check(costate_simulation_set_input(simulation, 0, controlled(gain, 0.0)));
    J = simulate(simulation, gain, gradient);
    printf("J = %.9e m^2 s\n", J);
    for (k = 0; k <= PARAMETERS; k++) {
        /* Central differences; the input at the start is that of the simulation, and stays. */
        double size = 1e-4 * (k == 0 ? gain : values[k - 1]), plus, minus, difference, error;
        if (k > 0) check(costate_simulation_set_parameter(simulation, (size_t)k - 1, values[k - 1] + size));
        plus = simulate(simulation, k == 0 ? gain + size : gain, NULL);
        if (k > 0) check(costate_simulation_set_parameter(simulation, (size_t)k - 1, values[k - 1] - size));
        minus = simulate(simulation, k == 0 ? gain - size : gain, NULL);
        if (k > 0) check(costate_simulation_set_parameter(simulation, (size_t)k - 1, values[k - 1]));
        difference = (plus - minus) / (2.0 * size);
        error = fabs(gradient[k] / difference - 1.0);
        if (error > worst) worst = error;
        printf("%-5s %16.9e, by differences %16.9e\n",
               k == 0 ? "gain" : costate_model_quantity_name(model, COSTATE_PARAMETER, (size_t)k - 1), gradient[k],
               difference);
    }
    printf("%s\n", worst < 1e-6 ? "they agree" : "THEY DIFFER");
    check(costate_simulation_free(simulation));
    check(costate_model_free(model));
    return worst < 1e-6 ? 0 : 1;
}
