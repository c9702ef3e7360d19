/*
 * costate: symbolically compiled multibody models, simulated with exact derivatives.
 *
 * Models are loaded from their text; no compiler is needed. The README beside this folder has an example, and how
 * programs are linked.
 *
 * Handles. Objects are named by handles (costate_model * and others), which are numbers and no addresses: the library
 * looks them up. A handle that is NULL, freed or of another kind is an error and no crash. Each object is freed by the
 * function of its kind; NULL may be freed, and an object may be freed before those that were made of it. What a model
 * needs is kept until the program ends, and kept once for the same text.
 *
 * Errors. Functions return
 *   int            a status, COSTATE_OK or one of the others below,
 *   long           a count or a position, -1 after an error,
 *   double         a number, NaN after an error,
 *   const char *   a text, NULL after an error,
 *   a handle       NULL after an error.
 * costate_last_status and costate_last_error have status and text of the last call of the same thread that has failed.
 * A call without mistakes does not change them. Results are written only by calls that return no error.
 *
 * Arrays. Every array has its count beside it, which is checked against the model; a count of 0 may go with NULL. All
 * numbers are in the declared units of the model; times are in s. Matrices are by rows. The caller owns all arrays; the
 * library keeps no pointer beyond a call. Results may be written to the array of an argument.
 *
 * Texts given are UTF-8 and end with a zero, as all texts that are returned. Texts of models stay until the program
 * ends; the text of costate_last_error stays until the next call of the same thread that fails.
 *
 * Threads. "Any" at a function means: any thread may call it at any time; calls with one object wait for each other,
 * and calls with different objects go at the same time. An object may be made by one thread, used by another and freed
 * by a third. Not safe is only to write an array during a call that has it.
 */
#ifndef COSTATE_H
#define COSTATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library that this header belongs to. */
#define COSTATE_VERSION "0.1.0"

/* Number of the interface; programs give it to costate_check_abi. */
#define COSTATE_ABI 1

/* Statuses. */
#define COSTATE_OK 0
/* A null pointer, a wrong count, an index or a choice that does not exist, a text that is not UTF-8. */
#define COSTATE_ERROR_ARGUMENT 1
/* A handle that is NULL, freed or of another kind. */
#define COSTATE_ERROR_HANDLE 2
/* A model that cannot be loaded; the text has all mistakes with file, line and column. */
#define COSTATE_ERROR_MODEL 3
/* A name that the model does not have; the text has the names that exist. */
#define COSTATE_ERROR_NAME 4
/* Samples, tables or settings that cannot be used. */
#define COSTATE_ERROR_DATA 5
/* A run or a step that fails, or whose estimated error is above the limit. */
#define COSTATE_ERROR_SIMULATION 6
/* A header of another version than the library. */
#define COSTATE_ERROR_VERSION 7
/* A defect of costate: please report it. */
#define COSTATE_ERROR_DEFECT 8

/* Kinds of quantities, each numbered from 0 in the order of declaration. */
#define COSTATE_PARAMETER 0
#define COSTATE_INPUT 1
#define COSTATE_OUTPUT 2
#define COSTATE_COORDINATE 3
#define COSTATE_CONSTRAINT 4
#define COSTATE_TABLE 5

/* Course of an input between its samples: straight lines, the value of the last sample, a cubic spline. */
#define COSTATE_STRAIGHT 0
#define COSTATE_HELD 1
#define COSTATE_CUBIC 2

/* Schemes: generalized alpha with rho_inf, HHT with alpha, both without numerical damping. */
#define COSTATE_GENERALIZED_ALPHA 0
#define COSTATE_HHT 1
#define COSTATE_UNDAMPED 2

/* The time that a sample of a cost stands for: to the next one, half of that to both neighbours, or 1. */
#define COSTATE_RECTANGLE 0
#define COSTATE_TRAPEZOID 1
#define COSTATE_SUM 2

typedef struct costate_model costate_model;
typedef struct costate_simulation costate_simulation;
typedef struct costate_run costate_run;
typedef struct costate_cost costate_cost;
typedef struct costate_stepper costate_stepper;
typedef struct costate_state costate_state;

/* ---- Versions and errors ---- */

/* Version of the library, as COSTATE_VERSION. Threads: any. */
const char *costate_version(void);

/* COSTATE_OK if the library has the interface with this number: give COSTATE_ABI. Threads: any. */
int costate_check_abi(int abi);

/* Status of the last call of this thread that has failed, COSTATE_OK if there is none. Threads: any, each its own. */
int costate_last_status(void);

/* Text of that call, with its remedy; empty if there is none. Threads: any, each its own. */
const char *costate_last_error(void);

/* Meaning of a status, in a few words. Threads: any. */
const char *costate_status_text(int status);

/* ---- Models ---- */

/*
 * Loads the model with this name of a file, or its only one if the name is NULL. A file has model! blocks, or the text
 * of one alone if its name does not end with .rs. Tables and meshes are looked for beside the file. Threads: any.
 */
costate_model *costate_model_from_file(const char *path, const char *name);

/*
 * Loads a model of a text. Tables and meshes are looked for beside the path, which need not exist and appears in
 * errors; NULL is a path in the working folder. Threads: any.
 */
costate_model *costate_model_from_text(const char *text, const char *path, const char *name);

/* Frees a model; simulations that were made of it go on. Threads: any. */
int costate_model_free(costate_model *model);

/* Name of the model. Threads: any. */
const char *costate_model_name(costate_model *model);

/* Documentation of the model. Threads: any. */
const char *costate_model_description(costate_model *model);

/* Number of quantities of a kind, COSTATE_PARAMETER and so on. Threads: any. */
long costate_model_count(costate_model *model, int kind);

/* Position of the quantity with this name, from 0; "x[2]" for an element of an array. Threads: any. */
long costate_model_index(costate_model *model, int kind, const char *name);

/* Name of a quantity. Threads: any. */
const char *costate_model_quantity_name(costate_model *model, int kind, size_t index);

/* Unit of a quantity as declared, "1" without dimension. Threads: any. */
const char *costate_model_quantity_unit(costate_model *model, int kind, size_t index);

/* Documentation of a quantity, empty if there is none. Threads: any. */
const char *costate_model_quantity_description(costate_model *model, int kind, size_t index);

/* Defaults of all parameters, NaN for a parameter without one. Threads: any. */
int costate_model_defaults(costate_model *model, double *values, size_t count);

/* ---- Simulations: the description of a run ---- */

/* Makes a simulation with the defaults of the parameters and generalized alpha. Threads: any. */
costate_simulation *costate_simulation_new(costate_model *model);

/* Copies a simulation with all its settings. Threads: any. */
costate_simulation *costate_simulation_copy(costate_simulation *simulation);

/* Frees a simulation; runs, costs and steppers that were made of it go on. Threads: any. */
int costate_simulation_free(costate_simulation *simulation);

/* Sets one parameter. Threads: any. */
int costate_simulation_set_parameter(costate_simulation *simulation, size_t index, double value);

/* Sets all parameters. Threads: any. */
int costate_simulation_set_parameters(costate_simulation *simulation, const double *values, size_t count);

/* Returns all parameters. Threads: any. */
int costate_simulation_parameters(costate_simulation *simulation, double *values, size_t count);

/* Sets an input to one value at all times. Inputs have no default. Threads: any. */
int costate_simulation_set_input(costate_simulation *simulation, size_t index, double value);

/*
 * Sets an input to samples at increasing times that cover the run; interpolation is COSTATE_STRAIGHT, COSTATE_HELD or
 * COSTATE_CUBIC. The samples are copied. Threads: any.
 */
int costate_simulation_set_input_samples(costate_simulation *simulation, size_t index, const double *times,
                                         const double *values, size_t count, int interpolation);

/*
 * Gives a table of one argument knots and values in place of those of the model; it continues and interpolates as the
 * model says. Threads: any.
 */
int costate_simulation_set_curve(costate_simulation *simulation, size_t table, const double *x, const double *values,
                                 size_t count);

/*
 * Gives a table of two arguments knots and values; count is x_count times y_count, and values[i * y_count + j] is at
 * x[i] and y[j]. Threads: any.
 */
int costate_simulation_set_surface(costate_simulation *simulation, size_t table, const double *x, size_t x_count,
                                   const double *y, size_t y_count, const double *values, size_t count);

/* Gives a table the data of a CSV file. Threads: any. */
int costate_simulation_set_table_file(costate_simulation *simulation, size_t table, const char *path);

/*
 * Sets the step and the end of runs in s; with adaptive steps the step is the distance of samples. A stepper has the
 * step, and no end. Threads: any.
 */
int costate_simulation_set_time(costate_simulation *simulation, double step, double end);

/*
 * Chooses COSTATE_GENERALIZED_ALPHA with rho_inf, COSTATE_HHT with alpha, or COSTATE_UNDAMPED (the number does not
 * count), and the order of runs, 2 to 6; a stepper needs 2. Threads: any.
 */
int costate_simulation_set_scheme(costate_simulation *simulation, int scheme, double number, int order);

/* Chooses adaptive steps with this tolerance, constant ones with 0. Threads: any. */
int costate_simulation_set_adaptive(costate_simulation *simulation, double tolerance);

/* Sets the estimated error, relative to its scale, above which a run is refused; 0 for none. Threads: any. */
int costate_simulation_set_error_limit(costate_simulation *simulation, double limit);

/*
 * Gives positions and velocities of all coordinates at the start, in place of the model's; a count of 0 gives them back
 * to the model. With constraints, the nearest state that satisfies them is taken. Accelerations and multipliers follow.
 * Needs constant steps, and the error of such a run is not estimated. Threads: any.
 */
int costate_simulation_set_start(costate_simulation *simulation, const double *positions, const double *velocities,
                                 size_t count);

/*
 * Derivatives of the state at the start, q, v, a and lambda (rows: 3n + m), by all parameters (columns). Threads: any.
 */
int costate_simulation_start_derivatives(costate_simulation *simulation, double *values, size_t rows, size_t columns);

/* ---- Runs ---- */

/* Runs a simulation. Threads: any; the simulation may be changed and run by others meanwhile. */
costate_run *costate_simulation_run(costate_simulation *simulation);

/* Frees a run. Threads: any. */
int costate_run_free(costate_run *run);

/* Number of samples, the start included. Threads: any. */
long costate_run_samples(costate_run *run);

/* Number of steps; that of samples less one but for adaptive steps. Threads: any. */
long costate_run_steps(costate_run *run);

/* Times of all samples in s. Threads: any. */
int costate_run_times(costate_run *run, double *times, size_t count);

/* An output at all samples. Threads: any. */
int costate_run_output(costate_run *run, size_t index, double *values, size_t count);

/* An output at increasing times within the run, interpolated between samples. Threads: any. */
int costate_run_output_at(costate_run *run, size_t index, const double *times, double *values, size_t count);

/* q, v, a (n each) and lambda (m) at a sample; count is 3n + m. Threads: any. */
int costate_run_state(costate_run *run, size_t sample, double *state, size_t count);

/*
 * Estimates the errors that the steps of the run leave: the largest one relative to its scale, the power of the step
 * with which it falls, and the step in s with which it is expected to be the wanted one. Each result may be NULL. Runs
 * the simulation again with shorter steps. Threads: any.
 */
int costate_run_accuracy(costate_run *run, double wanted, double *relative, double *order, double *step);

/* ---- Costs: J(x) = 1/2 sum r_j(x)^2 of outputs against samples, as a function of parameters x ---- */

/*
 * Makes a cost without samples, of runs with the settings that the simulation has now; x are all parameters.
 * Quadrature is COSTATE_RECTANGLE, COSTATE_TRAPEZOID or COSTATE_SUM. Threads: any.
 */
costate_cost *costate_cost_new(costate_simulation *simulation, int quadrature);

/* Frees a cost. Threads: any. */
int costate_cost_free(costate_cost *cost);

/* Compares an output with samples at increasing times within the run. Threads: any. */
int costate_cost_measure(costate_cost *cost, size_t output, const double *times, const double *values, size_t count,
                         double weight);

/* Chooses the parameters that are x, by their positions; the others keep their values. Threads: any. */
int costate_cost_set_unknowns(costate_cost *cost, const size_t *parameters, size_t count);

/* Number of residuals r_j, in the order of the calls of costate_cost_measure. Threads: any. */
long costate_cost_residual_count(costate_cost *cost);

/*
 * J(x), and dJ/dx by one backward sweep of the discrete adjoint; the gradient may be NULL, and then the value is a
 * result that must not be NULL. Threads: any.
 */
int costate_cost_evaluate(costate_cost *cost, const double *x, size_t count, double *value, double *gradient,
                          size_t gradient_count);

/* The residuals r(x), weighted, so that J is half of the sum of their squares. Threads: any. */
int costate_cost_residuals(costate_cost *cost, const double *x, size_t count, double *residuals,
                           size_t residual_count);

/* dr/dx, a row for each residual and a column for each entry of x. Threads: any. */
int costate_cost_jacobian(costate_cost *cost, const double *x, size_t count, double *jacobian, size_t rows,
                          size_t columns);

/* ---- Steppers: one step after the other, driven by the caller ---- */

/* Makes a stepper at the initial state of a simulation. Threads: any. */
costate_stepper *costate_stepper_new(costate_simulation *simulation);

/* Frees a stepper. Threads: any. */
int costate_stepper_free(costate_stepper *stepper);

/* Sets an input at the end of the next step and of those after it. Threads: any. */
int costate_stepper_set_input(costate_stepper *stepper, size_t index, double value);

/* Sets all inputs at the end of the next step and of those after it. Threads: any. */
int costate_stepper_set_inputs(costate_stepper *stepper, const double *values, size_t count);

/*
 * Makes one step, those of a run with the same inputs to the bit. Where it fails, the stepper stays at the state
 * before. Keeps no memory. Threads: any.
 */
int costate_stepper_step(costate_stepper *stepper);

/* costate_stepper_set_inputs, costate_stepper_step and costate_stepper_outputs in one call. Threads: any. */
int costate_stepper_advance(costate_stepper *stepper, const double *inputs, size_t input_count, double *outputs,
                            size_t output_count);

/* Time in s. Threads: any. */
double costate_stepper_time(costate_stepper *stepper);

/* One output at the current time. Threads: any. */
double costate_stepper_output(costate_stepper *stepper, size_t index);

/* All outputs at the current time. Threads: any. */
int costate_stepper_outputs(costate_stepper *stepper, double *values, size_t count);

/* q, v, a and lambda at the current time; count is 3n + m. Threads: any. */
int costate_stepper_state(costate_stepper *stepper, double *state, size_t count);

/*
 * Replaces q, v, a and lambda at the current time; they have to satisfy the constraints, and a and lambda are those of
 * the motion. Threads: any.
 */
int costate_stepper_set_state(costate_stepper *stepper, const double *state, size_t count);

/* Changes a parameter for the steps to come. Threads: any. */
int costate_stepper_set_parameter(costate_stepper *stepper, size_t index, double value);

/* Changes the length of the steps to come, in s. Threads: any. */
int costate_stepper_set_step(costate_stepper *stepper, double step);

/* Saves all that the steps to come depend on: time, state, inputs, parameters, length. Threads: any. */
costate_state *costate_stepper_save(costate_stepper *stepper);

/* Returns to a saved state: the same steps give the same bits. Threads: any. */
int costate_stepper_restore(costate_stepper *stepper, costate_state *state);

/* Frees a saved state. Threads: any. */
int costate_state_free(costate_state *state);

/*
 * ---- Exact derivatives of the last step ----
 *
 * A step goes from what it begins with to its end. Both are q, v, a (n each), lambda (m) and the auxiliary acceleration
 * s of the scheme (n), 4n + m numbers in this order; s at the start does not depend on parameters, and its derivatives
 * are left out there. In a model with constraints, the first step and one after another length or state was set have in
 * the place of s an acceleration by which velocities along the constraints are displaced. A step also depends on the
 * inputs at its end, on those at its beginning (COSTATE_HHT alone), and on all parameters.
 *
 * There is no last step after costate_stepper_restore, _set_state, _set_parameter and _set_step. To go backward through
 * many steps, save the state before each, and for each from the last to the first restore it, set the inputs, make the
 * step again and multiply; examples/control.c does so.
 */

/* The number 4n + m. Threads: any. */
long costate_stepper_numbers(costate_stepper *stepper);

/*
 * Vector-Jacobian product: from the derivatives of a number by the end of the last step to those by its beginning, by
 * the inputs at its end and its beginning, and by all parameters. A result that is NULL is left out. Costs one solution
 * for any number of parameters. Threads: any.
 */
int costate_stepper_vjp(costate_stepper *stepper, const double *by_end, size_t count, double *by_state,
                        size_t state_count, double *by_inputs, size_t input_count, double *by_inputs_before,
                        size_t input_before_count, double *by_parameters, size_t parameter_count);

/*
 * Jacobian-vector product: the change of the end of the last step that follows from changes of its beginning, of the
 * inputs at its end and its beginning, and of the parameters. A change with a count of 0 is zero. Threads: any.
 */
int costate_stepper_jvp(costate_stepper *stepper, const double *of_state, size_t state_count, const double *of_inputs,
                        size_t input_count, const double *of_inputs_before, size_t input_before_count,
                        const double *of_parameters, size_t parameter_count, double *of_end, size_t count);

/*
 * Derivatives of a sum of the outputs at the current time, each with its weight, by the state there (4n + m, those by s
 * are zero), the inputs there and the parameters. A result that is NULL is left out. Threads: any.
 */
int costate_stepper_output_vjp(costate_stepper *stepper, const double *weights, size_t count, double *by_state,
                               size_t state_count, double *by_inputs, size_t input_count, double *by_parameters,
                               size_t parameter_count);

/* Change of the outputs at the current time that follows from changes of these. Threads: any. */
int costate_stepper_output_jvp(costate_stepper *stepper, const double *of_state, size_t state_count,
                               const double *of_inputs, size_t input_count, const double *of_parameters,
                               size_t parameter_count, double *of_outputs, size_t count);

#ifdef __cplusplus
}
#endif

#endif
