/* loom_sim.h: what a program under loom host-sim can ask of the simulation, beyond the
 * driver. The clock of the device runs during register accesses and in loom_sim_pass.
 */
#ifndef LOOM_SIM_H
#define LOOM_SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets so many clock cycles pass. */
void loom_sim_pass(uint64_t cycles);

/* Clock cycles since the reset. */
uint64_t loom_sim_cycles(void);

/* The level of the interrupt output, 0 or 1. */
int loom_sim_interrupt(void);

#ifdef __cplusplus
}
#endif

#endif /* LOOM_SIM_H */
