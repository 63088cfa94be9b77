/* The walk offers sites, criteria answer; goals of a point are made in the order of the source,
 * and implications between points follow from dominance when the function ends. */
#include "instrument/goals/listing.h"

#include "base/file.h"
#include "base/mem.h"
#include "instrument/goals/idle.h"
#include "instrument/syntax/spelling.h"

#include <assert.h>
#include <fnmatch.h>
#include <string.h>

static criterion_function_type *const criterion_functions[GOAL_KINDS] = {
#define CRITERION(name, has_value, on, robust, about) criterion_##name,
#include "coverage/criteria.def"
#undef CRITERION
};

/* Unique-cause MC/DC is derived from vectors. */
static bool is_listed(const struct project *project, int kind) {
    return project->criteria[kind] || (kind == GOAL_vector && project->mcdc_unique_cause);
}

/* Backwards for operators: overflow takes both operands of a division, div0 only one of them, and
 * what takes more has to be woven first. */
void lister_offer(struct lister *l, const struct site *site) {
    for (int i = 0; i < GOAL_KINDS; i++) {
        int kind = site->kind == SITE_EXPRESSION ? GOAL_KINDS - 1 - i : i;
        if (is_listed(l->project, kind))
            criterion_functions[kind](l, site);
    }
}

const char *lister_format(struct lister *l, const char *format, ...) {
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    char *copy = arena_strndup(&l->scratch, str_text(&text), text.len);
    str_free(&text);
    return copy;
}

/* Keys. */

uint64_t lister_occurrence(struct lister *l, uint64_t base) {
    uint32_t *seen = map_get(&l->occurrences, base);
    uint32_t n = seen ? *seen : 0;
    map_put(&l->occurrences, base, n + 1);
    return n == 0 ? base : hash_mix(base, n);
}

static uint64_t hash_tokens(const struct lister *l, struct span span, uint64_t hash) {
    const struct unit *unit = l->tree->unit;
    for (size_t at = unit_skip_blank(unit, span.begin); at < span.end;
         at = unit_skip_blank(unit, at + 1))
        hash = (hash ^ (unsigned char)unit->text[at]) * 0x100000001b3u;
    return hash;
}

uint64_t lister_span_hash(const struct lister *l, struct span span) {
    return hash_tokens(l, span, 0xcbf29ce484222325u);
}

/* The maximal decisions below `id`, in order: their text does not count. */
static uint64_t hash_without_decisions(const struct lister *l, node_id id, node_id top,
                                       size_t *done, uint64_t hash) {
    const struct node *node = tree_at(l->tree, id);
    bool condition = node->parent && tree_at(l->tree, node->parent)->kind == N_CHOICE &&
                     tree_at(l->tree, node->parent)->a == id;
    if (id != top && (is_decision_root(l, id) || condition)) {
        hash = hash_tokens(l, (struct span){*done, node->span.begin}, hash);
        *done = node->span.end;
        return hash_mix(hash, 1);
    }
    for (node_id child = node->first; child; child = tree_at(l->tree, child)->next)
        hash = hash_without_decisions(l, child, top, done, hash);
    return hash;
}

uint64_t lister_text_hash(const struct lister *l, node_id id, bool whole) {
    struct span span = tree_at(l->tree, id)->span;
    size_t done = span.begin;
    uint64_t hash = hash_without_decisions(l, id, whole ? id : 0, &done, 0xcbf29ce484222325u);
    return hash_tokens(l, (struct span){done, span.end}, hash);
}

/* Goals. */

static uint64_t unused_key(const struct lister *l, uint64_t key) {
    while (map_get(&l->known, key))
        key = hash_mix(key, 0x9e3779b97f4a7c15u);
    return key;
}

/* As written, and what the preprocessor has made of it where that reads otherwise. */
static void give_text(struct lister *l, const struct goal_request *request, struct goal *goal) {
    const struct unit *unit = l->tree->unit;
    struct arena *arena = &l->goals->arena;
    struct span told = request->told.end > request->told.begin ? request->told : request->span;
    if (request->text) {
        goal->text = arena_strdup(arena, request->text);
        return;
    }
    const char *expansion = unit_line(unit, told, &l->scratch);
    goal->text = spelling_line(unit, told, arena);
    if (!str_same(goal->text, expansion))
        goal->expansion = arena_strdup(arena, expansion);
}

static uint32_t add_goal(struct lister *l, const struct goal_request *request, uint64_t key,
                         uint32_t probe) {
    const struct unit *unit = l->tree->unit;
    struct arena *arena = &l->goals->arena;
    struct place begin = unit_place(unit, request->span.begin);
    struct place end =
        unit_place(unit, request->span.end - (request->span.end > request->span.begin));
    struct goal goal = {.key = key,
                        .kind = request->kind,
                        .value = (int8_t)request->value,
                        .probe = probe == NO_PROBE ? l->goals->n_probes++ : probe,
                        .file = arena_strdup(arena, begin.file),
                        .line = begin.line,
                        .col = begin.col,
                        .end_line = end.line,
                        .end_col = end.col + 1,
                        .function = l->function_name,
                        .decision = request->decision,
                        .condition = request->condition,
                        .reason = l->reason};
    give_text(l, request, &goal);
    uint32_t unit_id = l->graph->functions.data[l->function_index].unit;
    const char *block = blocks_at(&l->blocks[unit_id], request->span.begin, l->function_name);
    goal.block = block ? arena_strdup(arena, block) : NULL;
    uint32_t index = (uint32_t)l->goals->list.len;
    vec_push(&l->goals->list, goal);
    map_put(&l->known, key, index);
    return index;
}

uint32_t lister_goal(struct lister *l, const struct goal_request *request, uint32_t probe) {
    assert(criteria[request->kind].has_value == (request->value >= 0) ||
           request->kind == GOAL_vector);
    uint64_t base =
        hash_mix(hash_mix(request->base, (uint64_t)request->kind), (uint64_t)(request->value + 1));
    uint64_t key = lister_occurrence(l, base);
    uint32_t *known = map_get(&l->known, key);
    if (known && l->repeated)
        return *known;
    return add_goal(l, request, unused_key(l, key), probe);
}

uint32_t lister_probe_of(const struct lister *l, uint32_t goal) {
    assert(goal < l->goals->list.len);
    return l->goals->list.data[goal].probe;
}

void lister_implies(struct lister *l, uint32_t goal, uint32_t implied, uint32_t point) {
    struct pending_implication pending = {goal, implied, point};
    assert(goal == NO_GOAL || goal < l->goals->list.len);
    assert(implied == NO_GOAL || implied < l->goals->list.len);
    assert(point == NO_POINT || point < l->points.len);
    if (goal != NO_GOAL && !l->repeated)
        vec_push(&l->pending, pending);
}

/* Points. */

uint32_t lister_point(struct lister *l, enum point_form form, struct span span,
                      uint32_t dominator) {
    assert(dominator == NO_POINT || dominator < l->points.len);
    assert(span.begin <= span.end);
    struct point point = {form, span, NO_PROBE, NO_GOAL, dominator, false, NO_POINT};
    vec_push(&l->points, point);
    return (uint32_t)l->points.len - 1;
}

static void emit_point(struct lister *l, const struct point *point, uint32_t probe) {
    struct span span = point->span;
    assert(probe != NO_PROBE && probe < l->goals->n_probes);
    switch (point->form) {
    case POINT_STATEMENT:
        edits_open(l->edits, span.begin, span.end, lister_format(l, " gk_hit(%u); ", probe));
        break;
    case POINT_CONDITION:
        edits_wrap(l->edits, span.begin, span.end, lister_format(l, "gk_hit(%u), (", probe), ")");
        break;
    case POINT_ELSE:
        edits_close(l->edits, span.begin, span.end,
                    lister_format(l, " else { gk_hit(%u); }", probe));
        break;
    }
}

/* In a repeated function goals bring their probes along; a second one at a point is emitted too. */
uint32_t lister_goal_at(struct lister *l, const struct goal_request *request, uint32_t p) {
    assert(p < l->points.len);
    uint32_t goal = lister_goal(l, request, l->points.data[p].probe);
    struct point *point = &l->points.data[p];
    uint32_t probe = lister_probe_of(l, goal);
    if (point->probe != probe)
        emit_point(l, point, probe);
    if (point->probe == NO_PROBE) {
        point->probe = probe;
        point->goal = goal;
    }
    return goal;
}

/* Variables. */

static const struct {
    const char *prefix, *type;
} pools[POOLS] = {
    [POOL_INT] = {"gk_p", "int"},
    [POOL_UINT] = {"gk_pu", "unsigned int"},
    [POOL_LONG] = {"gk_pl", "long"},
    [POOL_ULONG] = {"gk_pul", "unsigned long"},
    [POOL_LLONG] = {"gk_pll", "long long"},
    [POOL_ULLONG] = {"gk_pull", "unsigned long long"},
    [POOL_FLOAT] = {"gk_pf", "float"},
    [POOL_DOUBLE] = {"gk_pd", "double"},
    [POOL_LDOUBLE] = {"gk_pld", "long double"},
};

const char *pool_type(enum pool pool) {
    return pools[pool].type;
}

bool pool_of_type(CXType type, enum pool *pool) {
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_Enum)
        canonical = clang_getCanonicalType(
            clang_getEnumDeclIntegerType(clang_getTypeDeclaration(canonical)));
    switch (canonical.kind) {
    case CXType_Bool:
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_UShort:
    case CXType_Int:
        *pool = POOL_INT;
        return true;
    case CXType_UInt:
        *pool = POOL_UINT;
        return true;
    case CXType_Long:
        *pool = POOL_LONG;
        return true;
    case CXType_ULong:
        *pool = POOL_ULONG;
        return true;
    case CXType_LongLong:
        *pool = POOL_LLONG;
        return true;
    case CXType_ULongLong:
        *pool = POOL_ULLONG;
        return true;
    case CXType_Float:
        *pool = POOL_FLOAT;
        return true;
    case CXType_Double:
        *pool = POOL_DOUBLE;
        return true;
    case CXType_LongDouble:
        *pool = POOL_LDOUBLE;
        return true;
    default:
        return false;
    }
}

struct var lister_var(struct lister *l, enum pool pool) {
    struct var var = {(uint8_t)pool, l->vars_used[pool]++};
    if (l->vars_used[pool] > l->vars_most[pool])
        l->vars_most[pool] = l->vars_used[pool];
    return var;
}

const char *lister_var_name(struct lister *l, struct var var) {
    assert(var.pool < POOLS && var.number < l->vars_most[var.pool]);
    return lister_format(l, "%s%u", pools[var.pool].prefix, var.number);
}

void lister_full_expression(struct lister *l) {
    memcpy(l->vars_used, l->vars_base, sizeof l->vars_used);
}

static void declare_variables(struct lister *l) {
    struct str text = {0};
    for (int pool = 0; pool < POOLS; pool++)
        for (uint32_t n = 0; n < l->vars_most[pool]; n++)
            str_addf(&text, " %s %s%u = 0;", pools[pool].type, pools[pool].prefix, n);
    struct span body = tree_at(l->tree, l->function->body)->span;
    if (text.len > 0)
        edits_open(l->edits, body.begin + 1, body.end, str_text(&text));
    str_free(&text);
}

/* Implications. */

/* The goal of the nearest point, itself or dominating, that has one. */
static uint32_t goal_of_point(const struct lister *l, uint32_t point) {
    while (point != NO_POINT && l->points.data[point].goal == NO_GOAL)
        point = l->points.data[point].dominator;
    return point == NO_POINT ? NO_GOAL : l->points.data[point].goal;
}

static void add_implication(struct lister *l, uint32_t a, uint32_t b) {
    struct implication implication = {a, b};
    if (a != NO_GOAL && b != NO_GOAL && lister_probe_of(l, a) != lister_probe_of(l, b))
        vec_push(&l->goals->implications, implication);
}

static void conclude_implications(struct lister *l) {
    for (size_t i = 0; i < l->points.len && !l->repeated; i++)
        add_implication(l, l->points.data[i].goal, goal_of_point(l, l->points.data[i].dominator));
    for (size_t i = 0; i < l->pending.len; i++) {
        struct pending_implication p = l->pending.data[i];
        add_implication(l, p.goal, p.implied != NO_GOAL ? p.implied : goal_of_point(l, p.point));
    }
}

/* Functions. */

/* A pattern without a folder means the name of the file, wherever it is. */
static bool matches_file(const char *glob, const char *file) {
    const char *back = strrchr(file, '\\'), *base = path_base(file);
    base = back && back >= base ? back + 1 : base;
    return fnmatch(glob, file, 0) == 0 || (!strpbrk(glob, "/\\") && fnmatch(glob, base, 0) == 0);
}

static bool is_excluded(const struct project *project, const struct function *function) {
    for (size_t i = 0; i < project->exclude.len; i++) {
        const char *rule = project->exclude.data[i];
        if (str_starts(rule, "functions:") && fnmatch(rule + 10, function->name, 0) == 0)
            return true;
        if (str_starts(rule, "files:") && matches_file(rule + 6, function->place.file))
            return true;
    }
    return false;
}

/* Functions of one name are numbered by place; the same place again is the same function. */
static void identify_function(struct lister *l, const struct function *function) {
    uint64_t place = hash_mix(hash_text(function->place.file), (uint64_t)function->place.line);
    uint64_t identity = hash_mix(hash_text(function->name), place);
    uint64_t name = hash_text(function->name);
    uint32_t *known = map_get(&l->functions_named, identity);
    uint32_t *first = map_get(&l->first_copies, identity);
    if (first)
        l->graph->functions.data[*first].repeated = true;
    else
        map_put(&l->first_copies, identity, l->function_index);
    l->graph->functions.data[l->function_index].repeated = first != NULL;
    l->repeated = known != NULL;
    uint32_t occurrence;
    if (known) {
        occurrence = *known;
    } else {
        uint32_t *others = map_get(&l->functions_named, name);
        occurrence = others ? *others : 0;
        map_put(&l->functions_named, name, occurrence + 1);
        map_put(&l->functions_named, identity, occurrence);
    }
    l->path = occurrence ? hash_mix(name, occurrence) : name;
}

static void list_function(struct lister *l, uint32_t index) {
    const struct callgraph_function *entry = &l->graph->functions.data[index];
    l->function_index = index;
    l->function = &l->tree->functions.data[entry->index];
    if (is_excluded(l->project, l->function))
        return;
    identify_function(l, l->function);
    l->block_path = l->path;
    l->function_name = arena_strdup(&l->goals->arena, l->function->name);
    l->reason = entry->reason;
    memset(l->vars_base, 0, sizeof l->vars_base);
    memset(l->vars_used, 0, sizeof l->vars_used);
    memset(l->vars_most, 0, sizeof l->vars_most);
    walk_function(l);
    declare_variables(l);
    conclude_implications(l);
    spare_points(l);
    map_clear(&l->occurrences);
    vec_clear(&l->points);
    vec_clear(&l->pending);
    arena_free(&l->scratch);
}

void goals_list(const struct project *project, struct tree *trees, struct callgraph *graph,
                struct edits *edits, struct goals *goals) {
    assert(graph->trees == trees);
    struct lister l = {.project = project, .graph = graph, .goals = goals};
    bool *idle = idle_find(graph, goals);
    l.blocks = mem_zalloc(graph->n_trees + 1, sizeof *l.blocks);
    for (size_t i = 0; i < graph->n_trees; i++)
        blocks_find(&l.blocks[i], trees[i].unit);
    for (uint32_t f = 0; f < graph->functions.len; f++) {
        if (idle[f])
            continue;
        uint32_t unit = graph->functions.data[f].unit;
        l.tree = &trees[unit];
        l.edits = &edits[unit];
        list_function(&l, f);
    }
    mem_free(idle);
    for (size_t i = 0; i < graph->n_trees; i++)
        blocks_free(&l.blocks[i]);
    mem_free(l.blocks);
    map_free(&l.known);
    map_free(&l.known_decisions);
    map_free(&l.functions_named);
    map_free(&l.occurrences);
    vec_free(&l.points);
    vec_free(&l.pending);
    map_free(&l.first_copies);
}
