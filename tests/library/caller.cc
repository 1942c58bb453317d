/* Compiled as C++. */
#include "caller.h"
