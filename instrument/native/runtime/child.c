/* child: start-up, the state region, and the loop over the parent's commands. */
#include "child.h"

#include <assert.h>
#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct gk_child gk_child;
unsigned char gk_held;

void child_end(int code) {
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

/* What <assert.h> calls, under a name of the runtime's own (runtime_names.def): the mistake is not
 * the program's, whose assertions end its run. */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    struct gk_shared *shared = gk_child.shared;
    (void)file;
    (void)function;
    if (shared) {
        shared->bug_line = line;
        strncpy(shared->bug_text, text, sizeof shared->bug_text - 1);
        shared->bug = GK_BUG;
    }
    child_end(122);
}

void *child_data(struct gk_child *child, uint64_t offset) {
    assert(offset >= GK_DATA_AT && offset <= child->shared->size);
    return (char *)child->shared + offset;
}

void *child_alloc(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        child_end(126);
    return memory;
}

void child_free(void *memory) {
    free(memory);
}

void child_save(unsigned char *image) {
    for (unsigned i = 0; i < gk_child.n_regions; i++) {
        const struct gk_region *region = &gk_child.regions[i];
        memcpy(image, region->address, region->size);
        image += region->size;
    }
}

/* A state does not hold the rounding mode: the program begins with the usual one, and a run that
 * has set another is replayed from there before anybody believes it. */
void child_restore(const unsigned char *image) {
    if (fegetround() != FE_TONEAREST)
        fesetenv(FE_DFL_ENV);
    for (unsigned i = 0; i < gk_child.n_regions; i++) {
        const struct gk_region *region = &gk_child.regions[i];
        memcpy(region->address, image, region->size);
        image += region->size;
    }
}

static bool is_writable(struct gk_child *child, const struct gk_region *region) {
    volatile unsigned char *byte = region->address;
    if (region->size == 0)
        return false;
    GUARDED(child, *byte = *byte);
    return child->end == GK_RAN;
}

/* Constants may be listed too, they lie in memory that is read-only. Neighbours become one. */
static void find_state(struct gk_child *child) {
    child->regions = child_alloc((gk_region_count + 1) * sizeof *child->regions);
    for (unsigned i = 0; i < gk_region_count; i++) {
        struct gk_region *last = child->regions + child->n_regions;
        if (!is_writable(child, &gk_regions[i]))
            continue;
        child->state_size += gk_regions[i].size;
        if (child->n_regions > 0 &&
            (char *)last[-1].address + last[-1].size == gk_regions[i].address)
            last[-1].size += gk_regions[i].size;
        else
            child->regions[child->n_regions++] = gk_regions[i];
    }
    child->boot = child_alloc(child->state_size);
    child_save(child->boot);
}

void child_reset(struct gk_child *child) {
    fesetenv(FE_DFL_ENV); /* also numbers flushed to zero */
    child_restore(child->boot);
    for (unsigned i = 0; i < gk_n_inputs; i++)
        gk_channels[i] = (struct gk_channel){0, 0, GK_NONE};
    child->unspecified = GK_DEFINED;
    child->address = 0;
    child->shared->step = GK_INIT_STEP;
}

uint64_t child_cell(unsigned index) {
    const struct gk_cell *cell = &gk_cells[index];
    uint64_t bits = 0;
    if (!cell->address)
        return gk_cell_read(index);
    memcpy(&bits, cell->address, (size_t)(cell->bits + 7) / 8); /* little endian */
    return bits;
}

/* Programs that were woven by an older version have none. */
__attribute__((weak)) void gk_cell_write(unsigned index, unsigned long long bits) {
    (void)index;
    (void)bits;
}

void child_set_cell(unsigned index, uint64_t bits) {
    const struct gk_cell *cell = &gk_cells[index];
    assert(index < gk_cell_count);
    if (cell->address)
        memcpy(cell->address, &bits, (size_t)(cell->bits + 7) / 8);
    else
        gk_cell_write(index, bits);
}

void gk_refill(unsigned id) {
    gk_child.refill(&gk_child, id);
}

void gk_new_hit(unsigned probe) {
    gk_child.hit(&gk_child, probe);
}

static struct gk_shared *map_shared(void) {
    struct gk_shared *head =
        mmap(NULL, GK_DATA_AT, PROT_READ | PROT_WRITE, MAP_SHARED, GK_FD_SHARED, 0);
    if (head == MAP_FAILED || head->magic != GK_MAGIC)
        child_end(124);
    size_t size = (size_t)head->size;
    munmap(head, GK_DATA_AT);
    void *all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, GK_FD_SHARED, 0);
    if (all == MAP_FAILED)
        child_end(123);
    return all;
}

static void boot(struct gk_child *child) {
    child->shared = map_shared();
    child->shared->n_inputs = gk_n_inputs;
    child->shared->n_probes = gk_n_probes;
    child->shared->n_cells = gk_cell_count;
    guard_install(child);
    find_state(child);
}

static void carry_out(struct gk_child *child, char command) {
    switch (command) {
    case GK_REPLAY:
        replay_run(child);
        break;
    case GK_OPEN_SEARCH:
        search_open(child);
        break;
    case GK_SEARCH:
        search_run(child);
        break;
    case GK_EXPORT:
        search_export(child);
        break;
    case GK_IMPORT:
        search_import(child);
        break;
    case GK_SURVIVORS:
        search_survivors(child);
        break;
    case GK_KNOW:
        search_know(child);
        break;
    case GK_FORGET:
        search_forget(child);
        break;
    default:
        child_end(0);
    }
}

static void answer(void) {
    char done = GK_DONE;
    if (write(GK_FD_ANSWER, &done, 1) != 1)
        child_end(0);
}

int main(void) {
    boot(&gk_child);
    answer();
    char command;
    while (read(GK_FD_COMMAND, &command, 1) == 1) {
        carry_out(&gk_child, command);
        answer();
    }
    return 0;
}
