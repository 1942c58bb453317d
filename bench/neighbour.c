/* A memory-hungry neighbour: writes and reads 256 MiB over and over on one CPU until it
 * is told to stop. For the scripts of this folder; it measures nothing itself. neighbour
 * CPU */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

enum { BYTES = 256 << 20 };

int main(int argc, char **argv)
{
    cpu_set_t set;
    char *memory = malloc(BYTES);
    volatile uint64_t sink = 0;

    if (argc != 2 || !memory)
        return 2;
    CPU_ZERO(&set);
    CPU_SET((unsigned)atoi(argv[1]), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        perror("neighbour: sched_setaffinity");
        return 1;
    }
    /* It must not outlive the script that started it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (unsigned round = 0;; round++) {
        memset(memory, (int)round, BYTES);
        for (size_t i = 0; i < BYTES; i += 64)
            sink += (uint64_t)memory[i];
    }
}
