/* Symbols that the library of an FMU of costate has beside those of FMI 3.0: the exact derivatives of the last step
 * that fmi3DoStep has made, by which a caller goes back through a whole simulation.
 *
 * A step begins and ends with 4n + m numbers: positions q, velocities v and accelerations a of all n coordinates, the m
 * multipliers lambda of the constraints, and the auxiliary accelerations s of the scheme. fmi3DoStep has to make one
 * step: its communication step is the fixedInternalStepSize of modelDescription.xml. Derivatives belong to the last call
 * of fmi3DoStep, and are refused after changes of parameters and after fmi3SetFMUState: save the state before each step;
 * on the way back restore it, set the inputs, make the step once more, and ask for its derivatives.
 *
 * All arrays have the lengths that their counts say, which are checked: numbers from costate_step_numbers, inputs,
 * parameters and outputs as in modelDescription.xml, in its order. Statuses and messages are those of FMI 3.0, and so
 * are the rules for threads: calls of one instance wait for one another. */
#ifndef ORG_COSTATE_H
#define ORG_COSTATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number 4n + m. */
int costate_step_numbers(void *instance, size_t *numbers);

/* Adjoint: from dJ/d(end of the step) to dJ/d(begin of the step), dJ/d(inputs of the step), dJ/d(inputs of the step
 * before) and dJ/d(parameters). */
int costate_step_vjp(void *instance,
                     const double end[], size_t nEnd,
                     double begin[], size_t nBegin,
                     double inputs[], size_t nInputs,
                     double inputsBefore[], size_t nInputsBefore,
                     double parameters[], size_t nParameters);

/* Tangent: from changes of begin, inputs and parameters to the change of the end. */
int costate_step_jvp(void *instance,
                     const double begin[], size_t nBegin,
                     const double inputs[], size_t nInputs,
                     const double inputsBefore[], size_t nInputsBefore,
                     const double parameters[], size_t nParameters,
                     double end[], size_t nEnd);

/* Adjoint of the outputs at the end of the step: from dJ/d(outputs) to dJ/d(end), dJ/d(inputs) and dJ/d(parameters). */
int costate_outputs_vjp(void *instance,
                        const double outputs[], size_t nOutputs,
                        double end[], size_t nEnd,
                        double inputs[], size_t nInputs,
                        double parameters[], size_t nParameters);

/* Adjoint of the start: from dJ/d(begin of the first step) to dJ/d(parameters). For instances whose states were not
 * set. */
int costate_start_vjp(void *instance,
                      const double begin[], size_t nBegin,
                      double parameters[], size_t nParameters);

#ifdef __cplusplus
}
#endif

#endif
