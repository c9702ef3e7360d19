/* Identifies stiffness and damping of a mount from its acceleration, by Gauss-Newton steps with exact derivatives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "costate.h"

#define SAMPLES 1001

/* Ends the program after a call that has failed. */
static void fail(void) {
    fprintf(stderr, "%s\n", costate_last_error());
    exit(1);
}

static void check(int status) {
    if (status != COSTATE_OK) fail();
}

static size_t position(costate_model *model, int kind, const char *name) {
    long index = costate_model_index(model, kind, name);
    if (index < 0) fail();
    return (size_t)index;
}

int main(int count, char **arguments) {
    static double times[SAMPLES], force[SAMPLES], measured[SAMPLES], residuals[SAMPLES], jacobian[2 * SAMPLES];
    double x[2] = {80e3, 60.0}, value, gradient[2];
    size_t unknown[2];
    costate_model *model = costate_model_from_file(count > 1 ? arguments[1] : "mount.model", NULL);
    costate_simulation *simulation;
    costate_run *run;
    costate_cost *cost;
    int k, iteration;

    if (model == NULL) fail();
    for (k = 0; k < SAMPLES; k++) {
        times[k] = 5e-4 * k;
        force[k] = 500.0 * sin(60.0 * times[k] * times[k]);
    }
    simulation = costate_simulation_new(model);
    if (simulation == NULL) fail();
    check(costate_simulation_set_input_samples(simulation, position(model, COSTATE_INPUT, "drive"), times, force,
                                               SAMPLES, COSTATE_STRAIGHT));
    check(costate_simulation_set_time(simulation, 5e-4, 0.5));

    /* The simulation stands in for a measurement. */
    run = costate_simulation_run(simulation);
    if (run == NULL) fail();
    check(costate_run_output(run, position(model, COSTATE_OUTPUT, "acceleration"), measured, SAMPLES));

    cost = costate_cost_new(simulation, COSTATE_RECTANGLE);
    if (cost == NULL) fail();
    check(costate_cost_measure(cost, position(model, COSTATE_OUTPUT, "acceleration"), times, measured, SAMPLES, 1.0));
    unknown[0] = position(model, COSTATE_PARAMETER, "c");
    unknown[1] = position(model, COSTATE_PARAMETER, "d");
    check(costate_cost_set_unknowns(cost, unknown, 2));

    for (iteration = 0; iteration < 12; iteration++) {
        double a = 0.0, b = 0.0, c = 0.0, det, factor = 1.0, found, change[2];
        check(costate_cost_evaluate(cost, x, 2, &value, gradient, 2));
        printf("c = %.3f N/m, d = %.6f N*s/m, J = %.6e\n", x[0], x[1], value);
        check(costate_cost_residuals(cost, x, 2, residuals, SAMPLES));
        check(costate_cost_jacobian(cost, x, 2, jacobian, SAMPLES, 2));
        for (k = 0; k < SAMPLES; k++) {
            a += jacobian[2 * k] * jacobian[2 * k];
            b += jacobian[2 * k] * jacobian[2 * k + 1];
            c += jacobian[2 * k + 1] * jacobian[2 * k + 1];
        }
        det = a * c - b * b;
        change[0] = -(c * gradient[0] - b * gradient[1]) / det;
        change[1] = -(a * gradient[1] - b * gradient[0]) / det;
        /* A step that does not descend is halved. */
        do {
            double next[2];
            next[0] = x[0] + factor * change[0];
            next[1] = x[1] + factor * change[1];
            check(costate_cost_evaluate(cost, next, 2, &found, NULL, 0));
            if (found < value) {
                x[0] = next[0];
                x[1] = next[1];
            }
            factor *= 0.5;
        } while (found >= value && factor > 1e-3);
        if (fabs(change[0]) < 1e-8 * x[0]) break;
    }
    printf("found: c = %.3f N/m, d = %.6f N*s/m\n", x[0], x[1]);
    check(costate_cost_free(cost));
    check(costate_run_free(run));
    check(costate_simulation_free(simulation));
    check(costate_model_free(model));
    return 0;
}
