/* Published matrices of ways between CPUs, read and analysed as `sonde analyze` does it:
 * the groups of the parts whose build is public must come out, siblings apart from them.
 *
 *   matrices FOLDER      skipped where the folder is not there
 *
 * A matrix that cannot be told from one of unbound threads must be labelled: it has no
 * groups, and c2c.bound is not measurable. A file that is none of the parts fails, so
 * that nothing passes unseen, unless it is refused by its line. */
#include "base/text.h"
#include "passport/passport.h"
#include "probes/verdicts.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_TOLD = -1 }; /* must abstain */

/* What is public of each part: how many CPUs share a core by twos, and in how many
 * clusters (of cores that share a last level, or sockets) all CPUs lie; 1: in one. */
static const struct part {
    const char *name;
    int siblings, clusters;
} parts[] = {
    {"kcores-AMD_Custom_APU_0405", 4, 1},
    {"kcores-AMD_EPYC_74F3", 24, 8},
    {"kcores-AMD_Ryzen_5800X3D", 8, 1},
    {"kcores-AMD_Ryzen_5_3500X", NOT_TOLD, 2},
    {"kcores-AMD_Ryzen_5_5500", NOT_TOLD, 1}, /* has siblings: was not bound */
    {"kcores-AMD_Ryzen_5_5600X", 6, 1},
    {"kcores-AMD_Ryzen_7_5800X3D", 8, 1},
    {"kcores-AMD_Ryzen_9_5900X", 12, 2},
    {"kcores-AMD_Ryzen_9_9950X", NOT_TOLD, 2}, /* siblings are no nearer there */
    {"kcores-AMD_Ryzen_Threadripper_1950X", 16, 4},
    {"kcores-AWS_Graviton3", NOT_TOLD, 1},
    {"kcores-Apple_M2_Max", NOT_TOLD, 2},
    {"kcores-Broadcom_BCM2711", NOT_TOLD, 1},
    {"kcores-Broadcom_BCM2837", NOT_TOLD, 1},
    {"kcores-Dual_Ampere_Altra", NOT_TOLD,
     1}, /* stops of two, a seventh nearer: no jump */
    {"kcores-Dual_AMD_EPYC_7302", 32, 16},
    {"kcores-Dual_Intel(R)_Xeon(R)_CPU_E5-2630_v4", 20, 2},
    {"kcores-Dual_Intel(R)_Xeon(R)_CPU_X5650", 12, 2},
    {"kcores-Dual_Intel_Xeon_E5_2620V2", 12, 2},
    {"kcores-Dual_Intel_Xeon_Platinum_8358", NOT_TOLD, 2},
    {"kcores-Dual_Sun-Oracle_SPARC_T4", NOT_TOLD, 2},
    {"kcores-Intel(R)_Core(TM)_i5-4590", NOT_TOLD, 1},
    {"kcores-Intel(R)_Core(TM)_i7-1165G7", 4, 1},
    {"kcores-Intel(R)_Xeon_Phi", NOT_TOLD, 32}, /* tiles of two cores, not siblings */
    {"kcores-Intel_Celeron_1005M", NOT_TOLD, 1},
    {"kcores-Intel_Core_2_Duo", NOT_TOLD, 1},
    {"kcores-Intel_Core_i5-10310U", 4, 1},
    {"kcores-Intel_Core_i5-1135G7", 4, 1},
    {"kcores-Intel_Core_i7-12700H", 6, 1},
    {"kcores-Intel_Core_i7-12700K", 8, 1},
    {"kcores-Intel_Core_i7-13700KF", 8, 1},
    {"kcores-Intel_Core_i7-14700K", 8, 1},
    {"kcores-Intel_Core_i7-9700K", NOT_TOLD, 1},
    {"kcores-Intel_Core_i9-9900K", 8, 1},
    {"kcores-Intel_Core_i9-9980HK", NOT_TOLD, 1}, /* has siblings: was not bound */
    {"kcores-Intel_Xeon_E-2176M", 6, 1},
    {"kcores-Loongson_3A6000HV", NOT_TOLD, 1}, /* siblings are a fifth nearer: no jump */
    {"kcores-MCST_Elbrus-8C2", NOT_TOLD, 1},   /* a ring */
    {"kcores-MCST_Elbrus-8C_8Cores", NOT_TOLD, 4},
    {"kcores-Qualcomm_Snapdragon_855+", NOT_TOLD, 1}, /* was not bound */
    {"kcores-ZHAOXIN_KaiXian", NOT_TOLD, 1},
    {"nviennot-AMD_Ryzen_7_5800U", 8, 1},
    {"nviennot-AMD_Ryzen_9_5900X", 12, 2},
    {"nviennot-AMD_Ryzen_9_7950X", NOT_TOLD, 2}, /* the clock has too few ticks */
    {"nviennot-Dual_Intel(R)_Xeon(R)_CPU_E5-2630_v4", 20, 2},
    {"nviennot-Dual_Intel(R)_Xeon(R)_CPU_X5650", 12, 2},
    {"nviennot-Dual_Sun-Oracle_SPARC_T4", NOT_TOLD, 2},
    {"nviennot-Intel(R)_Atom(TM)_CPU_D510", 2, 1},
    {"nviennot-Intel(R)_Xeon_Gold_6242", 16, 1},
    {"nviennot-Intel_Core_i7-6700K", 4, 1},
};

static const struct part *part_of(const char *name)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(name, parts[i].name, strlen(parts[i].name)) == 0)
            return &parts[i];
    return NULL;
}

static double value_of(const struct findings *findings, const char *name)
{
    const struct finding *finding = sonde_infer_finding_get(findings, name);

    return finding ? finding->value : NAN;
}

/* The level beyond the siblings; 1 where there is none. */
static double clusters_of(const struct findings *findings)
{
    double siblings = value_of(findings, "c2c.sibling_pairs");
    double first = value_of(findings, "c2c.groups1");
    double second = value_of(findings, "c2c.groups2");

    if (isfinite(siblings) || isnan(first))
        first = second;
    return isnan(first) ? 1 : first;
}

static bool agrees(const struct part *part, const struct findings *findings)
{
    double siblings = value_of(findings, "c2c.sibling_pairs");
    double clusters = clusters_of(findings);
    bool told = part->siblings == NOT_TOLD ? isnan(siblings) : siblings == part->siblings;

    if (told && clusters == part->clusters)
        return true;
    printf("%s: %g sibling pairs, not %d; %g clusters, not %d\n", part->name, siblings,
           part->siblings, clusters, part->clusters);
    return false;
}

/* Where threads are not shown to have been bound, nothing is told; and the other way. */
static bool labelled(const struct part *part, const struct findings *findings)
{
    const struct finding *bound = sonde_infer_finding_get(findings, "c2c.bound");
    bool grouped = part->siblings != NOT_TOLD || part->clusters > 1;

    if (bound && (bound->verdict == VERDICT_NOT_MEASURABLE) != grouped && bound->reason)
        return true;
    printf("%s: %s whether threads were bound\n", part->name,
           grouped ? "is not told" : "tells");
    return false;
}

static bool check(const char *folder, const char *name)
{
    const struct part *part = part_of(name);
    struct passport_list list = {0};
    struct message why = {{0}};
    char path[1024];
    bool good;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (sonde_passport_read(&list, path, NULL, &why) != 0) {
        /* Refused is right for what is no matrix, with the file's name and a line. */
        good = !part && strncmp(why.text, path, strlen(path)) == 0;
        printf("%s\n", why.text);
    } else {
        good = part && list.count == 1 && sonde_probe_reconsider(&list.rows[0]) == 0 &&
               sonde_passport_probe(&list.rows[0], "c2c") != NULL;
        if (good)
            good = agrees(part, &sonde_passport_probe(&list.rows[0], "c2c")->findings) &&
                   labelled(part, &sonde_passport_probe(&list.rows[0], "c2c")->findings);
        else
            printf("%s: %s\n", path, part ? "gives nothing" : "is not known");
    }
    sonde_passport_list_free(&list);
    return good;
}

int main(int count, char **arguments)
{
    DIR *folder = count > 1 ? opendir(arguments[1]) : NULL;
    struct dirent *entry;
    unsigned wrong = 0, all = 0;

    if (!folder) {
        printf("skipped: no folder of matrices\n");
        return 77;
    }
    while ((entry = readdir(folder))) {
        const char *dot = strrchr(entry->d_name, '.');

        if (!dot || strcmp(dot, ".csv") != 0)
            continue;
        all++;
        wrong += !check(arguments[1], entry->d_name);
    }
    closedir(folder);
    printf("%u matrices, %u wrong\n", all, wrong);
    return wrong || all < sizeof parts / sizeof *parts;
}
