/* Runs a mount, and prints what the model has, outputs at some times, and the accuracy of the run. */
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

int main(int count, char **arguments) {
    static double times[SAMPLES], force[SAMPLES];
    double at[5] = {0.0, 0.05, 0.1, 0.25, 0.5}, position[5], acceleration[5], relative, order, step;
    costate_model *model;
    costate_simulation *simulation;
    costate_run *run;
    long k, inputs;

    check(costate_check_abi(COSTATE_ABI));
    model = costate_model_from_file(count > 1 ? arguments[1] : "mount.model", NULL);
    if (model == NULL) fail();
    printf("%s: %s\n", costate_model_name(model), costate_model_description(model));
    for (k = 0; k < costate_model_count(model, COSTATE_PARAMETER); k++)
        printf("%s [%s] %s\n", costate_model_quantity_name(model, COSTATE_PARAMETER, (size_t)k),
               costate_model_quantity_unit(model, COSTATE_PARAMETER, (size_t)k),
               costate_model_quantity_description(model, COSTATE_PARAMETER, (size_t)k));

    for (k = 0; k < SAMPLES; k++) {
        times[k] = 5e-4 * (double)k;
        force[k] = 500.0 * sin(60.0 * times[k] * times[k]);
    }
    inputs = costate_model_index(model, COSTATE_INPUT, "drive");
    simulation = costate_simulation_new(model);
    if (inputs < 0 || simulation == NULL) fail();
    check(costate_simulation_set_input_samples(simulation, (size_t)inputs, times, force, SAMPLES, COSTATE_CUBIC));
    check(costate_simulation_set_time(simulation, 5e-4, 0.5));
    run = costate_simulation_run(simulation);
    if (run == NULL) fail();

    check(costate_run_output_at(run, 0, at, position, 5));
    check(costate_run_output_at(run, 1, at, acceleration, 5));
    printf("t in s, position in m, acceleration in m/s^2\n");
    for (k = 0; k < 5; k++) printf("%.2f %13.6e %13.6e\n", at[k], position[k], acceleration[k]);
    check(costate_run_accuracy(run, 1e-3, &relative, &order, &step));
    printf("%ld steps, error %.1e, order %.0f\n", costate_run_steps(run), relative, order);

    check(costate_run_free(run));
    check(costate_simulation_free(simulation));
    check(costate_model_free(model));
    return 0;
}
