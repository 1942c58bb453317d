/* Prints the passports of sample.c as JSON: what the schema's test reads. */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    struct passport_list list = {0};
    char *text = NULL;
    size_t length = 0;

    sample_full(&list, NULL);
    sample_full(&list, "efficient");
    sample_unmeasured(&list);
    sample_hostile(&list);
    if (sonde_passport_to_json(&list, true, &text, &length))
        return 1;
    fwrite(text, 1, length, stdout);
    free(text);
    sonde_passport_list_free(&list);
    return 0;
}
