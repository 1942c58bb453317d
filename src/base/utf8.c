/* UTF-8 decoding and the width of characters, without the C locale.
 *
 * wcwidth() answers by the locale of the process, so the same passport would be laid out
 * differently on two machines; this answers the same everywhere. The table of wide ranges
 * is coarse (blocks of the Unicode standard, not its East Asian Width file): a rare sign
 * may be laid out one column off, which costs alignment and nothing else. */
#include "base/utf8.h"

#include <stdbool.h>

static bool continues(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

size_t sonde_base_utf8_decode(const char *bytes, uint32_t *code)
{
    const unsigned char *b = (const unsigned char *)bytes;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *code = b[0];
    if (b[0] < 0x80)
        return b[0] ? 1 : 0;
    size_t length = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
    uint32_t value = b[0] & (0x7fu >> length);
    bool good = b[0] >= 0xc2 && b[0] <= 0xf4;
    for (size_t i = 1; good && i < length; i++) {
        good = continues(b[i]);
        value = value << 6 | (b[i] & 0x3f);
    }
    if (!good || value < least[length] || value > 0x10ffff ||
        (value >= 0xd800 && value < 0xe000)) {
        *code = SONDE_NO_CODE_POINT;
        return 1;
    }
    *code = value;
    return length;
}

struct range {
    uint32_t first, last;
};

static bool within(const struct range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

#define WITHIN(ranges, code) within(ranges, sizeof(ranges) / sizeof(ranges)[0], code)

int sonde_base_utf8_columns(uint32_t code)
{
    /* Controls, soft hyphen, zero-width and directional signs, separators of lines. */
    static const struct range unprintable[] = {
        {0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},
        {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
        {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0x110000, 0xffffffff},
    };
    static const struct range combining[] = {
        {0x300, 0x36f},
        {0x1ab0, 0x1aff},
        {0x20d0, 0x20ff},
        {0xfe00, 0xfe0f},
    };
    static const struct range wide[] = {
        {0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
        {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
        {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
    };
    if (WITHIN(unprintable, code))
        return -1;
    if (WITHIN(combining, code))
        return 0;
    return WITHIN(wide, code) ? 2 : 1;
}
