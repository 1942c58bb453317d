/* Stands in for the template where Node.js or the modules of web/ were missing when the
 * program was built. A length of 0 says so. */
#include "report/page_parts.h"

const char sonde_report_page_template[1] = "";
const uint64_t sonde_report_page_length = 0;
