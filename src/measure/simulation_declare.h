/* What a planted machine says of itself, which may differ from what it is. */
#ifndef SONDE_MEASURE_SIMULATION_DECLARE_H
#define SONDE_MEASURE_SIMULATION_DECLARE_H

#include "measure/simulation_json.h"
#include "measure/simulation_model.h"

/* Fills machine and facts from the file that `reader` stands in. 0, -EINVAL with a line,
 * -ENOMEM; on failure nothing is left to free. */
int sonde_measure_simulation_declare(struct sim_reader *reader,
                                     const struct sim_model *model,
                                     struct machine *machine, struct facts *facts);

#endif
