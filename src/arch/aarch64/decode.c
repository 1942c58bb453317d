/* Branches of aarch64, by the encodings of the Arm Architecture Reference Manual, C4.1.
 *
 * All instructions are four bytes long, little endian whatever the data are. Masks and
 * values are those of the group "Branches, Exception Generating and System instructions".
 * What can fool it: data between functions, which is never reached by following them. */
#include "arch/arch.h"

#include <errno.h>

static const struct {
    uint32_t mask, value;
    enum arch_flow flow;
    unsigned first_bit, bits; /* of the offset, in instructions */
} encodings[] = {
    {0xff000010, 0x54000000, FLOW_CONDITIONAL, 5, 19}, /* b.cond */
    {0xff000010, 0x54000010, FLOW_CONDITIONAL, 5, 19}, /* bc.cond */
    {0x7e000000, 0x34000000, FLOW_CONDITIONAL, 5, 19}, /* cbz, cbnz */
    {0x7e000000, 0x36000000, FLOW_CONDITIONAL, 5, 14}, /* tbz, tbnz */
    {0xfc000000, 0x14000000, FLOW_JUMP, 0, 26},        /* b */
    {0xfffffc1f, 0xd61f0000, FLOW_END, 0, 0},          /* br */
    {0xfffffc1f, 0xd65f0000, FLOW_END, 0, 0},          /* ret */
    {0xfffff800, 0xd71f0800, FLOW_END, 0, 0},          /* braa, brab */
    {0xfffffbff, 0xd65f0bff, FLOW_END, 0, 0},          /* retaa, retab */
    {0xffe0001f, 0xd4200000, FLOW_END, 0, 0},          /* brk */
};

static uint32_t word_at(const unsigned char *code)
{
    return (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
           (uint32_t)code[3] << 24;
}

static ptrdiff_t offset_of(uint32_t word, unsigned first_bit, unsigned bits)
{
    uint32_t field = word >> first_bit & ((UINT32_C(1) << bits) - 1);
    uint32_t sign = UINT32_C(1) << (bits - 1);

    return 4 * ((ptrdiff_t)(field ^ sign) - (ptrdiff_t)sign);
}

int sonde_arch_decode(const unsigned char *code, struct arch_instruction *instruction)
{
    uint32_t word = word_at(code);

    *instruction = (struct arch_instruction){.length = 4, .flow = FLOW_ON};
    if (word >> 16 == 0)
        return -EILSEQ; /* udf: no code */
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        if ((word & encodings[i].mask) != encodings[i].value)
            continue;
        instruction->flow = encodings[i].flow;
        if (encodings[i].bits)
            instruction->target =
                offset_of(word, encodings[i].first_bit, encodings[i].bits);
        return 0;
    }
    return 0;
}
