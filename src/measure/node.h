/* Memory of one node: asked for, and asked back. */
#ifndef SONDE_MEASURE_NODE_H
#define SONDE_MEASURE_NODE_H

#include <stdbool.h>
#include <stddef.h>

/* Pages that this thread touches first from now on come from node `number` alone; -1:
 * from whichever the kernel takes. 0 or a negative errno. */
int sonde_measure_node_bind(int number);
/* The node that holds the page at `address`; a negative errno when that cannot be told.
 */
int sonde_measure_node_of(const void *address);
/* Is all of it there, as far as pages evenly spread over it tell? */
bool sonde_measure_node_holds(int number, const char *start, size_t bytes);

#endif
