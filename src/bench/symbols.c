/* Reads the dynamic symbols of a shared object from its file, without loading it: the
 * constructors of somebody else's file run only in a child.
 *
 * What can fool it: a stripped or damaged file. Every offset is held against the size of
 * the file before it is followed. */
#include "bench/kernel_file.h"

#include "base/text.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

static const size_t largest_file = (size_t)1 << 30;

struct image {
    const char *bytes;
    size_t length;
    const ElfW(Shdr) * sections;
    size_t section_count;
};

static const void *span(const struct image *image, uint64_t offset, uint64_t bytes)
{
    if (offset > image->length || bytes > image->length - offset || offset % 8)
        return NULL;
    return image->bytes + offset;
}

static bool read_header(struct image *image)
{
    const ElfW(Ehdr) *header = span(image, 0, sizeof *header);

    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_type != ET_DYN || header->e_shentsize != sizeof *image->sections ||
        header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
        return false;
    image->section_count = header->e_shnum;
    image->sections =
        span(image, header->e_shoff, image->section_count * sizeof *image->sections);
    return image->sections != NULL;
}

static uint64_t hash_bytes(const unsigned char *bytes, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a, 64 bits */

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

static uint64_t hash_symbol(const struct image *image, const ElfW(Sym) * symbol)
{
    const ElfW(Shdr) *section = &image->sections[symbol->st_shndx];
    uint64_t into = symbol->st_value - section->sh_addr, start;

    if (section->sh_type == SHT_NOBITS || symbol->st_value < section->sh_addr ||
        into > section->sh_size || symbol->st_size > section->sh_size - into)
        return 0;
    start = section->sh_offset + into;
    if (start > image->length || symbol->st_size > image->length - start)
        return 0;
    return hash_bytes((const unsigned char *)image->bytes + start,
                      (size_t)symbol->st_size);
}

struct placed_symbol {
    struct bench_symbol symbol; /* first: what the caller gets */
    uint64_t address;
};

static int by_address(const void *left, const void *right)
{
    const struct placed_symbol *a = left, *b = right;

    return (a->address > b->address) - (a->address < b->address);
}

/* Does the entry name a function or object that this file defines for others? */
static bool wanted(const struct image *image, const ElfW(Sym) * symbol)
{
    unsigned type = symbol->st_info & 0xf, binding = symbol->st_info >> 4;

    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < image->section_count &&
           (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE) &&
           (binding == STB_GLOBAL || binding == STB_WEAK);
}

static bool in_code(const struct image *image, const ElfW(Sym) * symbol)
{
    return (image->sections[symbol->st_shndx].sh_flags & SHF_EXECINSTR) != 0;
}

static size_t take_symbols(const struct image *image, const ElfW(Shdr) * table,
                           const ElfW(Sym) * entries, const char *names,
                           size_t names_bytes, struct placed_symbol *to)
{
    size_t count = 0;

    for (size_t i = 0; i < table->sh_size / sizeof *entries; i++) {
        const ElfW(Sym) *entry = &entries[i];
        struct placed_symbol *row = &to[count];
        size_t room;

        if (!wanted(image, entry) || entry->st_name >= names_bytes)
            continue;
        room = names_bytes - entry->st_name;
        if (strnlen(names + entry->st_name, room) == room ||
            strlen(names + entry->st_name) >= sizeof row->symbol.name)
            continue;
        memset(row, 0, sizeof *row);
        strcpy(row->symbol.name, names + entry->st_name);
        row->symbol.function = in_code(image, entry);
        row->symbol.size = (size_t)entry->st_size;
        row->symbol.hash = hash_symbol(image, entry);
        row->address = entry->st_value;
        count++;
    }
    return count;
}

static int read_symbols(const struct image *image, struct bench_symbol **symbols,
                        size_t *count)
{
    const ElfW(Shdr) *table = NULL, *strings;
    const ElfW(Sym) * entries;
    struct placed_symbol *placed;
    const char *names;

    for (size_t i = 0; i < image->section_count; i++)
        if (image->sections[i].sh_type == SHT_DYNSYM)
            table = &image->sections[i];
    if (!table || table->sh_link >= image->section_count)
        return -ENOEXEC;
    strings = &image->sections[table->sh_link];
    entries = span(image, table->sh_offset, table->sh_size);
    if (!entries || strings->sh_offset > image->length ||
        strings->sh_size > image->length - strings->sh_offset)
        return -ENOEXEC;
    names = image->bytes + strings->sh_offset;
    placed = calloc(table->sh_size / sizeof *entries + 1, sizeof *placed);
    *symbols = calloc(table->sh_size / sizeof *entries + 1, sizeof **symbols);
    if (!placed || !*symbols) {
        free(placed);
        return -ENOMEM;
    }
    *count = take_symbols(image, table, entries, names, (size_t)strings->sh_size, placed);
    qsort(placed, *count, sizeof *placed, by_address);
    for (size_t i = 0; i < *count; i++)
        (*symbols)[i] = placed[i].symbol;
    free(placed);
    return 0;
}

int sonde_bench_symbols(const char *object, struct bench_symbol **symbols, size_t *count,
                        struct message *why)
{
    struct image image = {0};
    char *bytes = NULL;
    int error;

    *symbols = NULL;
    *count = 0;
    error = sonde_base_read_file(object, largest_file, &bytes, &image.length);
    if (error)
        return sonde_base_fail(why, error, "%s cannot be read: %s", object,
                               strerror(-error));
    image.bytes = bytes;
    error = read_header(&image) ? read_symbols(&image, symbols, count) : -ENOEXEC;
    if (error == -ENOEXEC)
        error = sonde_base_fail(
            why, error, "%s is no shared object of this machine with symbols", object);
    if (error) {
        free(*symbols);
        *symbols = NULL;
    }
    free(bytes);
    return error;
}
