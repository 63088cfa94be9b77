/* component: what several modules come to, a row each and one for all.
 *
 *     struct component c = {0};
 *     component_add(&c, "lane", "results/lane.db", &data, NULL);   // for each module
 *     component_markdown(&c, &text);
 *     component_free(&c);
 *
 * Names are the caller's to keep apart; they are folders of reports as well. All goals count, those
 * of robustness too: met is what report_is_met() says.
 */
#ifndef REPORT_COMPONENT_H
#define REPORT_COMPONENT_H

#include "report/baseline.h"

struct component_row {
    const char *module, *database;
    const char *link; /* of the module's own report, from that of the component; NULL: none */
    size_t goals, reachable, dead, open, justified, met_or_justified, attention;
    size_t causes, alarms; /* causes of dead goals; contradictions and justified goals reached */
    bool compared;         /* with a baseline: */
    size_t worse, better;  /* goals that need attention and did not, and the other way round */
};

struct component {
    struct arena arena;
    VEC(struct component_row) rows;
    const char *version;
};

/* The row is kept until the next call. */
struct component_row *component_add(struct component *c, const char *module, const char *database,
                                    struct report_data *d, const struct baseline *baseline);
struct component_row component_all(const struct component *c); /* the sum, module "all" */
double component_percent(const struct component_row *row);     /* met or justified */
void component_free(struct component *c);

/* Appended to `out`: for people at a terminal, for pull requests, for programs, for browsers. */
void component_text(const struct component *c, struct str *out);
void component_markdown(const struct component *c, struct str *out);
void component_csv(const struct component *c, struct str *out);
void component_json(const struct component *c, struct str *out); /* an array of objects */
void component_html(const struct component *c, struct str *out); /* page of a folder of reports */

#endif
