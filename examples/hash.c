/* Looking keys up in a hash table of 64-bit words: open addressing, linear probing, half
 * full; all keys are there.
 *   sonde bench hash.c --param slots=2^8..2^22
 * The table is 8 * slots bytes. While it fits a level, a lookup costs that level's
 * latency at most; lookups do not wait for each other, so the core overlaps them. */
#include <sonde.h>

static const unsigned long golden = 0x9e3779b97f4a7c15;

static unsigned long slot_of(unsigned long key, unsigned long slots)
{
    return (key * golden >> 32) & (slots - 1);
}

static unsigned long key_of(unsigned long i)
{
    return (i + 1) * 0xd1342543de82ef95;
}

void hash_setup(void *data, long bytes, const long *p)
{
    unsigned long *table = data, slots = (unsigned long)p[0];

    for (long i = 0; i < bytes / 8; i++)
        table[i] = 0;
    for (unsigned long i = 0; i < slots / 2; i++) {
        unsigned long at = slot_of(key_of(i), slots);

        while (table[at])
            at = (at + 1) & (slots - 1);
        table[at] = key_of(i);
    }
}

/* Looks up every key once and counts those found. */
long hash(const void *data, long slots)
{
    const unsigned long *table = data, mask = (unsigned long)slots - 1;
    long found = 0;

    for (long i = 0; i < slots / 2; i++) {
        unsigned long key = key_of((unsigned long)i);
        unsigned long at = slot_of(key, (unsigned long)slots);

        while (table[at] && table[at] != key)
            at = (at + 1) & mask;
        found += table[at] == key;
    }
    return found;
}

int hash_check(const void *data, long bytes, const long *p, long value)
{
    (void)data, (void)bytes;
    return value == p[0] / 2;
}

SONDE_KERNEL(hash, "slots=16..2^24:2^10,2^16", "8*slots", "slots/2", "4*slots",
             "slots/2");
