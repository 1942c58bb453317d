/* Lengths and branches of x86-64 instructions, by the opcode maps of Intel's manual,
 * volume 2, appendix A.
 *
 *   prefixes  REX, VEX or EVEX  opcode  ModRM (SIB, displacement)  immediate
 *
 * Only what a length depends on is read: whether a ModRM byte follows, and the size of
 * the immediate. Opcodes that are not there in 64-bit mode are refused. What can fool it:
 * data among code, which is never reached by following a function; instructions newer
 * than the maps, of which VEX and EVEX forms keep the rules of their map. */
#include "arch/arch.h"

#include <errno.h>
#include <string.h>

enum form {
    REFUSED,
    PLAIN,     /* nothing follows */
    BYTE,      /* an immediate of a byte */
    WORD,      /* of two */
    FULL,      /* of four, or two with an operand size of 16 bits */
    ADDRESS,   /* of eight */
    WIDE,      /* as FULL, or of eight with REX.W */
    ENTER,     /* of three */
    MODRM = 8, /* a ModRM byte, and possibly one of the above */
    MODRM_PLAIN = MODRM | PLAIN,
    MODRM_BYTE = MODRM | BYTE,
    MODRM_FULL = MODRM | FULL,
};

struct form_range {
    unsigned char first, last, form;
};

static const struct form_range one_byte[] = {
    {0x50, 0x5f, PLAIN},       {0x63, 0x63, MODRM_PLAIN}, {0x68, 0x68, FULL},
    {0x69, 0x69, MODRM_FULL},  {0x6a, 0x6a, BYTE},        {0x6b, 0x6b, MODRM_BYTE},
    {0x6c, 0x6f, PLAIN},       {0x70, 0x7f, BYTE},        {0x80, 0x80, MODRM_BYTE},
    {0x81, 0x81, MODRM_FULL},  {0x83, 0x83, MODRM_BYTE},  {0x84, 0x8f, MODRM_PLAIN},
    {0x90, 0x99, PLAIN},       {0x9b, 0x9f, PLAIN},       {0xa0, 0xa3, ADDRESS},
    {0xa4, 0xa7, PLAIN},       {0xa8, 0xa8, BYTE},        {0xa9, 0xa9, FULL},
    {0xaa, 0xaf, PLAIN},       {0xb0, 0xb7, BYTE},        {0xb8, 0xbf, WIDE},
    {0xc0, 0xc1, MODRM_BYTE},  {0xc2, 0xc2, WORD},        {0xc3, 0xc3, PLAIN},
    {0xc6, 0xc6, MODRM_BYTE},  {0xc7, 0xc7, MODRM_FULL},  {0xc8, 0xc8, ENTER},
    {0xc9, 0xc9, PLAIN},       {0xcc, 0xcc, PLAIN},       {0xcd, 0xcd, BYTE},
    {0xd0, 0xd3, MODRM_PLAIN}, {0xd8, 0xdf, MODRM_PLAIN}, {0xe0, 0xe7, BYTE},
    {0xe8, 0xe9, FULL},        {0xeb, 0xeb, BYTE},        {0xec, 0xef, PLAIN},
    {0xf1, 0xf1, PLAIN},       {0xf4, 0xf5, PLAIN},       {0xf6, 0xf7, MODRM_PLAIN},
    {0xf8, 0xfd, PLAIN},       {0xfe, 0xff, MODRM_PLAIN}};

static const struct form_range two_bytes[] = {
    {0x00, 0x03, MODRM_PLAIN}, {0x05, 0x0b, PLAIN},       {0x0d, 0x0d, MODRM_PLAIN},
    {0x10, 0x2f, MODRM_PLAIN}, {0x30, 0x33, PLAIN},       {0x40, 0x6f, MODRM_PLAIN},
    {0x70, 0x73, MODRM_BYTE},  {0x74, 0x76, MODRM_PLAIN}, {0x77, 0x77, PLAIN},
    {0x78, 0x7f, MODRM_PLAIN}, {0x80, 0x8f, FULL},        {0x90, 0x9f, MODRM_PLAIN},
    {0xa0, 0xa2, PLAIN},       {0xa3, 0xa3, MODRM_PLAIN}, {0xa4, 0xa4, MODRM_BYTE},
    {0xa5, 0xa5, MODRM_PLAIN}, {0xa8, 0xaa, PLAIN},       {0xab, 0xab, MODRM_PLAIN},
    {0xac, 0xac, MODRM_BYTE},  {0xad, 0xb9, MODRM_PLAIN}, {0xba, 0xba, MODRM_BYTE},
    {0xbb, 0xc1, MODRM_PLAIN}, {0xc2, 0xc2, MODRM_BYTE},  {0xc3, 0xc3, MODRM_PLAIN},
    {0xc4, 0xc6, MODRM_BYTE},  {0xc7, 0xc7, MODRM_PLAIN}, {0xc8, 0xcf, PLAIN},
    {0xd0, 0xff, MODRM_PLAIN}};

static unsigned look_up(const struct form_range *ranges, size_t count, unsigned opcode)
{
    for (size_t i = 0; i < count; i++)
        if (opcode >= ranges[i].first && opcode <= ranges[i].last)
            return ranges[i].form;
    return REFUSED;
}

static unsigned form_of_one(unsigned opcode)
{
    static const unsigned char arithmetic[] = {
        MODRM_PLAIN, MODRM_PLAIN, MODRM_PLAIN, MODRM_PLAIN, BYTE, FULL, REFUSED, REFUSED};

    if (opcode < 0x40)
        return arithmetic[opcode % 8];
    return look_up(one_byte, sizeof one_byte / sizeof one_byte[0], opcode);
}

/* Maps: 0 of one byte, 1 behind 0f, 2 behind 0f 38, 3 behind 0f 3a; others have ModRM. */
static unsigned form_of(unsigned map, unsigned opcode)
{
    switch (map) {
    case 0:
        return form_of_one(opcode);
    case 1:
        return look_up(two_bytes, sizeof two_bytes / sizeof two_bytes[0], opcode);
    case 3:
        return MODRM_BYTE;
    default:
        return MODRM_PLAIN;
    }
}

struct state {
    const unsigned char *code, *at;
    bool narrow, wide; /* operand size of 16 bits; of 64 */
    unsigned map, opcode;
};

static void read_prefixes(struct state *state)
{
    while (*state->at &&
           memchr("\x66\x67\xf2\xf3\x2e\x36\x3e\x26\x64\x65\xf0", *state->at, 11))
        state->narrow |= *state->at++ == 0x66;
    if ((*state->at & 0xf0) == 0x40)
        state->wide = (*state->at++ & 8) != 0;
}

/* A two- or three-byte VEX or an EVEX prefix names the map itself. */
static bool read_vector_prefix(struct state *state)
{
    if (*state->at == 0xc5) {
        state->map = 1;
        state->at += 2;
    } else if (*state->at == 0xc4) {
        state->map = state->at[1] & 31;
        state->at += 3;
    } else if (*state->at == 0x62) {
        state->map = state->at[1] & 7;
        state->at += 4;
    } else {
        return false;
    }
    return true;
}

static void read_opcode(struct state *state)
{
    read_prefixes(state);
    if (!read_vector_prefix(state) && *state->at == 0x0f) {
        state->map = 1;
        state->at++;
        if (*state->at == 0x38 || *state->at == 0x3a)
            state->map = *state->at++ == 0x38 ? 2 : 3;
    }
    state->opcode = *state->at++;
}

/* The ModRM byte with what it brings along. */
static size_t modrm_bytes(const unsigned char *at)
{
    unsigned mode = at[0] >> 6, base = at[0] & 7;
    size_t bytes = 1;

    if (mode == 3)
        return bytes;
    if (base == 4)
        base = at[bytes++] & 7;
    if (mode == 1)
        bytes += 1;
    else if (mode == 2 || base == 5)
        bytes += 4;
    return bytes;
}

static size_t immediate_bytes(const struct state *state, unsigned form)
{
    size_t full = state->narrow ? 2 : 4;

    switch (form & ~(unsigned)MODRM) {
    case BYTE:
        return 1;
    case WORD:
        return 2;
    case ENTER:
        return 3;
    case FULL: /* near branches keep four bytes */
        return state->map == 1 || (state->opcode | 1) == 0xe9 ? 4 : full;
    case WIDE:
        return state->wide ? 8 : full;
    case ADDRESS:
        return 8;
    default:
        return 0;
    }
}

/* test of an immediate shares its opcode with operations that have none. */
static unsigned settle_form(const struct state *state, unsigned form)
{
    bool test = (state->opcode | 1) == 0xf7 && (*state->at >> 3 & 7) < 2;

    if (state->map == 0 && test)
        return state->opcode == 0xf6 ? MODRM_BYTE : MODRM_FULL;
    return form;
}

static ptrdiff_t signed_at(const unsigned char *at, size_t bytes)
{
    int32_t value;

    if (bytes == 1)
        return (signed char)*at;
    memcpy(&value, at, sizeof value);
    return value;
}

static enum arch_flow flow_of(const struct state *state)
{
    unsigned opcode = state->opcode;

    if (state->map == 1)
        return (opcode & 0xf0) == 0x80 ? FLOW_CONDITIONAL
                                       : (opcode == 0x0b ? FLOW_END : FLOW_ON);
    if (state->map != 0)
        return FLOW_ON;
    if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3))
        return FLOW_CONDITIONAL;
    if (opcode == 0xe9 || opcode == 0xeb)
        return FLOW_JUMP;
    if (opcode == 0xc2 || opcode == 0xc3 || opcode == 0xcc)
        return FLOW_END;
    if (opcode == 0xff && (*state->at >> 4 & 3) == 2)
        return FLOW_END;
    return FLOW_ON;
}

int sonde_arch_decode(const unsigned char *code, struct arch_instruction *instruction)
{
    struct state state = {.code = code, .at = code};
    const unsigned char *immediate;
    unsigned form;
    size_t bytes;

    *instruction = (struct arch_instruction){.flow = FLOW_ON};
    read_opcode(&state);
    form = settle_form(&state, form_of(state.map, state.opcode));
    if (form == REFUSED)
        return -EILSEQ;
    immediate = state.at + (form & MODRM ? modrm_bytes(state.at) : 0);
    bytes = immediate_bytes(&state, form);
    instruction->length = (size_t)(immediate - code) + bytes;
    instruction->flow = flow_of(&state);
    if (instruction->flow == FLOW_CONDITIONAL || instruction->flow == FLOW_JUMP)
        instruction->target =
            (ptrdiff_t)instruction->length + signed_at(immediate, bytes);
    return 0;
}
