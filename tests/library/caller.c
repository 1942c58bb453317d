/* Compiled as C99, pedantic. */
#include "caller.h"
