/* plot: one signal of a witness as a small SVG, stepwise, with the step of the hit marked. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "report/signals.h"

/* A signal that changes and has a finite value; `last` is the step of the hit. Carries its
 * description for screen readers. */
void plot_signal(const struct signal *signal, int64_t last, struct str *out);
/* The steps below a column of plots. */
void plot_axis(int64_t last, struct str *out);

#endif
