/* The join of merge.h in SQL. What the inputs say stands in temporary tables, one row per input and
 * goal; what comes out of them depends on the rows and never on the numbers of the inputs. */
#include "db/merge_internal.h"

const char merge_make_sql[] =
    "CREATE TEMP TABLE this (input INTEGER);"
    "CREATE TEMP TABLE evidence (proof INTEGER, digest TEXT, input INTEGER, old INTEGER);"
    "CREATE TEMP TABLE candidate (input INTEGER, goal INTEGER, status TEXT, bound INTEGER, "
    "  engine TEXT, depth INTEGER, ticks INTEGER, seconds REAL, witness TEXT, proof TEXT, "
    "  implied_by INTEGER, checked_by TEXT, assumes TEXT, reason TEXT, slice_hash TEXT, "
    "  asked INTEGER, class TEXT, because TEXT, cause_class TEXT, cause TEXT, rank INTEGER);"
    "CREATE TEMP TABLE reasoned (goal INTEGER, because TEXT, proof TEXT, checked_by TEXT);"
    "CREATE TEMP TABLE claimed_alarm (goal INTEGER, at TEXT, text TEXT, witness TEXT, proof TEXT);"
    "CREATE TEMP TABLE info (input INTEGER, key TEXT, value TEXT);"
    "CREATE TEMP TABLE said (number INTEGER, text TEXT);"
    "CREATE TEMP TABLE limited AS SELECT * FROM main.limitation;"
    "CREATE TEMP TABLE tried AS SELECT probe, engine, started, ticks, seconds, peak_mb, outcome, "
    "  detail, (SELECT stats FROM main.effort e WHERE e.id = effort) AS stats FROM "
    "main.attempt_log;"
    "CREATE TEMP TABLE accepted AS SELECT * FROM main.justification;"
    "CREATE TEMP TABLE seen AS SELECT * FROM main.measured;";

/* The program comes from the first input; the others have the same one. */
const char merge_program_sql[] =
    "INSERT INTO main.decision SELECT * FROM src.decision;"
    "INSERT INTO main.decision_condition SELECT * FROM src.decision_condition;"
    "INSERT INTO main.goal (id, key, probe, kind, value, file, line, col, end_line, end_col, "
    "  function, text, decision, condition, cannot) SELECT id, key, probe, kind, value, file, line,"
    "  col, end_line, end_col, function, text, decision, condition, cannot FROM src.goal;"
    "INSERT INTO main.unique_cause_pair SELECT * FROM src.unique_cause_pair;"
    "INSERT INTO main.implication SELECT * FROM src.implication;"
    "INSERT INTO main.variable SELECT * FROM src.variable;";

/* 0: the goals and variables of the input are those that there are. */
const char merge_other_sql[] =
    "SELECT (SELECT count(*) FROM (SELECT id, key, probe, kind, value, function, text, cannot "
    "FROM src.goal EXCEPT SELECT id, key, probe, kind, value, function, text, cannot "
    "FROM main.goal)) + abs((SELECT count(*) FROM src.goal) - (SELECT count(*) FROM main.goal)) + "
    "(SELECT count(*) FROM (SELECT is_input, number, path, type, bits, min, max FROM src.variable "
    "EXCEPT SELECT is_input, number, path, type, bits, min, max FROM main.variable)) + "
    "abs((SELECT count(*) FROM src.variable) - (SELECT count(*) FROM main.variable))";

/* rank: who has accepted a proof; CBMC counts more than Z3, and Z3 more than our own solver. */
const char merge_take_sql[] =
    "INSERT OR IGNORE INTO main.goal_block SELECT * FROM src.goal_block;"
    "INSERT OR IGNORE INTO main.goal_expansion SELECT * FROM src.goal_expansion;"
    "INSERT INTO main.artifact SELECT * FROM src.artifact WHERE true "
    "  ON CONFLICT (name) DO UPDATE SET content = min(content, excluded.content);"
    "INSERT INTO temp.candidate SELECT (SELECT input FROM this), g.id, g.status, g.bound, g.engine,"
    "  g.depth, g.ticks, g.seconds, w.digest, p.digest, g.implied_by, g.checked_by, g.assumes, "
    "  g.reason, g.slice_hash, b.goal NOT NULL, b.class, b.text, c.class, c.key, "
    "  8 * (instr(',' || g.checked_by || ',', ',cbmc,') > 0) + "
    "  4 * (instr(',' || g.checked_by || ',', ',z3,') > 0) + "
    "  2 * (instr(',' || g.checked_by || ',', ',bitwuzla,') > 0) + "
    "  (instr(',' || g.checked_by || ',', ',solver,') > 0) "
    "  FROM src.goal g LEFT JOIN src.because b ON b.goal = g.id "
    "  LEFT JOIN src.dead_cause c ON c.id = b.cause "
    "  LEFT JOIN temp.evidence w ON w.input = (SELECT input FROM this) AND NOT w.proof "
    "    AND w.old = g.witness "
    "  LEFT JOIN temp.evidence p ON p.input = (SELECT input FROM this) AND p.proof "
    "    AND p.old = g.proof;"
    "INSERT INTO temp.reasoned SELECT r.goal, b.text, p.digest, r.checked_by "
    "  FROM src.reason_proof r JOIN src.because b ON b.goal = r.goal "
    "  JOIN temp.evidence p ON p.input = (SELECT input FROM this) AND p.proof "
    "    AND p.old = r.proof;"
    "INSERT INTO temp.claimed_alarm SELECT a.goal, a.at, a.text, w.digest, p.digest "
    "  FROM src.alarm a "
    "  LEFT JOIN temp.evidence w ON w.input = (SELECT input FROM this) AND NOT w.proof "
    "    AND w.old = a.witness "
    "  LEFT JOIN temp.evidence p ON p.input = (SELECT input FROM this) AND p.proof "
    "    AND p.old = a.proof;"
    "INSERT INTO temp.info SELECT (SELECT input FROM this), key, value FROM src.run_info;"
    "INSERT INTO temp.said SELECT number, text FROM src.module_warning;"
    "INSERT INTO temp.limited SELECT * FROM src.limitation;"
    "INSERT INTO temp.tried SELECT probe, engine, started, ticks, seconds, peak_mb, outcome, "
    "detail,"
    "  (SELECT stats FROM src.effort e WHERE e.id = effort) FROM src.attempt_log;"
    "INSERT INTO temp.accepted SELECT * FROM src.justification;"
    "INSERT INTO temp.seen SELECT * FROM src.measured;";

/* A goal that one shard leaves to another says so until that one has spoken of it: what a run
 * before the shards said comes last. */
#define LEFT "(reason GLOB 'left to shard *' OR reason GLOB 'shard * has not come back*')"
#define OF_SHARD "input IN (SELECT input FROM info WHERE key GLOB 'shard:*')"

static const char choose_sql[] =
    "CREATE TEMP TABLE chosen AS SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY goal "
    "  ORDER BY status = 'open', status = 'dead', "
    "  CASE status WHEN 'reachable' THEN depth WHEN 'dead' THEN -rank ELSE 0 END, "
    "  bound DESC, because IS NULL, asked DESC, depth, ticks DESC, engine, proof, witness, "
    "checked_by, "
    "  assumes, reason, slice_hash, class, because, cause_class, cause, seconds, implied_by) "
    "  AS place FROM candidate) WHERE place = 1;"
    "UPDATE chosen SET reason = (SELECT reason FROM candidate c WHERE c.goal = chosen.goal AND "
    "  c.status = 'open' ORDER BY c.reason IS NULL, CASE WHEN " LEFT " THEN 1 WHEN " OF_SHARD
    "  THEN 0 ELSE 2 END, c.ticks DESC, c.reason LIMIT 1) WHERE status = 'open';"
    "CREATE INDEX temp.chosen_goal ON chosen (goal);";

/* Both sides of what contradicts: the best of each. Whoever has seen it before keeps it open. */
static const char contradict_sql[] =
    "CREATE TEMP TABLE torn AS SELECT r.goal, r.witness, d.proof FROM chosen r JOIN "
    "  (SELECT goal, proof, row_number() OVER (PARTITION BY goal ORDER BY rank DESC, depth, engine,"
    "   proof) AS place FROM candidate WHERE status = 'dead') d ON d.goal = r.goal AND d.place = 1 "
    "  WHERE r.status = 'reachable';"
    "INSERT INTO torn SELECT goal, witness, proof FROM (SELECT b.goal AS goal, a.witness AS "
    "  witness, b.proof AS proof, min(a.goal) FROM main.implication i "
    "  JOIN chosen a ON a.goal = i.a AND a.status = 'reachable' "
    "  JOIN chosen b ON b.goal = i.b AND b.status = 'dead' GROUP BY b.goal);"
    "INSERT INTO claimed_alarm SELECT goal, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), "
    "  'reachable and dead at once', witness, proof FROM torn t WHERE NOT EXISTS "
    "  (SELECT 1 FROM claimed_alarm a WHERE a.goal = t.goal AND a.text LIKE 'reachable and dead%');"
    "INSERT INTO claimed_alarm SELECT c.goal, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 'reached in ' "
    "  || c.depth || ' steps, but ' || coalesce(o.engine, 'an engine') || ' claims that it is not "
    "within ' || o.bound, c.witness, NULL FROM chosen c JOIN (SELECT goal, engine, bound, "
    "  row_number() OVER (PARTITION BY goal ORDER BY bound DESC, engine) AS place FROM candidate "
    "  WHERE status = 'open') o ON o.goal = c.goal AND o.place = 1 "
    "  WHERE c.status = 'reachable' AND c.depth <= o.bound AND NOT EXISTS (SELECT 1 FROM "
    "  claimed_alarm a WHERE a.goal = c.goal AND a.text LIKE 'reached in % claims that it is "
    "not%');"
    "UPDATE chosen SET status = 'open', bound = NULL, engine = NULL, depth = NULL, witness = NULL, "
    "  proof = NULL, implied_by = NULL, checked_by = NULL, assumes = NULL, slice_hash = NULL, "
    "  class = NULL, because = NULL, cause_class = NULL, cause = NULL, "
    "  reason = 'reachable and dead at once' WHERE goal IN (SELECT goal FROM claimed_alarm "
    "  WHERE text LIKE 'reachable and dead%');";

/* Evidence that is in use, numbered by its first goal. The proof cut down to a reason goes with the
 * reason. */
static const char number_sql[] =
    "CREATE TEMP TABLE cut AS SELECT goal, proof, checked_by FROM (SELECT r.*, row_number() OVER "
    "  (PARTITION BY r.goal ORDER BY r.checked_by, r.proof) AS place FROM reasoned r "
    "  JOIN chosen c ON c.goal = r.goal AND c.status = 'dead' AND c.because = r.because) "
    "  WHERE place = 1;"
    "CREATE TEMP TABLE used AS SELECT proof, digest, min(goal) AS goal FROM ("
    "  SELECT 0 AS proof, witness AS digest, goal FROM chosen UNION ALL "
    "  SELECT 0, witness, goal FROM claimed_alarm UNION ALL "
    "  SELECT 1, proof, goal FROM chosen UNION ALL SELECT 1, proof, goal FROM cut UNION ALL "
    "  SELECT 1, proof, goal FROM claimed_alarm) "
    "  WHERE digest NOT NULL GROUP BY proof, digest;"
    "CREATE TEMP TABLE numbered AS SELECT u.proof, u.digest, row_number() OVER (PARTITION BY "
    "  u.proof ORDER BY u.goal, u.digest) AS id, e.input, e.old FROM used u JOIN (SELECT proof, "
    "  digest, input, old, row_number() OVER (PARTITION BY proof, digest ORDER BY input, old) AS "
    "  place FROM evidence) e ON e.proof = u.proof AND e.digest = u.digest AND e.place = 1;"
    "CREATE INDEX temp.numbered_input ON numbered (input, proof, old);"
    "CREATE INDEX temp.numbered_digest ON numbered (proof, digest);";

#define BY_KIND(kind, digest)                                                                      \
    "(SELECT id FROM numbered n WHERE n.proof = " kind " AND n.digest = " digest ")"

static const char verdict_sql[] =
    "UPDATE main.goal SET (status, bound, engine, depth, ticks, seconds, witness, proof, "
    "  implied_by, checked_by, assumes, reason, slice_hash) = (SELECT status, bound, engine, depth,"
    "  ticks, seconds, " BY_KIND("0", "c.witness") ", " BY_KIND(
        "1",
        "c.proof") ", implied_by, "
                   "  checked_by, assumes, reason, slice_hash FROM chosen c WHERE c.goal = "
                   "goal.id);"
                   "INSERT INTO main.dead_cause (class, key) SELECT min(cause_class), cause FROM "
                   "chosen "
                   "  WHERE status = 'dead' AND cause NOT NULL GROUP BY cause ORDER BY min(goal);"
                   "INSERT INTO main.because SELECT c.goal, c.class, c.because, d.id FROM chosen c "
                   "  LEFT JOIN main.dead_cause d ON d.key = c.cause "
                   "  WHERE c.status = 'dead' AND c.asked ORDER BY c.goal;"
                   "INSERT INTO main.reason_proof SELECT goal, " BY_KIND(
                       "1", "c.proof") ", checked_by FROM cut c ORDER BY goal;"
                                       "INSERT INTO main.alarm (goal, at, text, witness, proof) "
                                       "SELECT goal, min(at), "
                                       "text, "
                                       "  " BY_KIND("0", "a.witness") ", " BY_KIND(
                                           "1", "a.proof") " FROM claimed_alarm a "
                                                           "  GROUP BY goal, text, witness, proof "
                                                           "ORDER BY goal, text, "
                                                           "a.witness, a.proof;";

static const char rest_sql[] =
    "INSERT INTO main.limitation SELECT DISTINCT * FROM limited ORDER BY 1, 2, 3, 4, 5;"
    "INSERT INTO main.module_warning (text) SELECT text FROM said GROUP BY text "
    "  ORDER BY min(number), text;"
    "INSERT INTO main.effort (stats) SELECT DISTINCT stats FROM tried WHERE stats NOT NULL "
    "  ORDER BY stats;"
    "INSERT INTO main.attempt_log (probe, engine, started, ticks, seconds, peak_mb, outcome, "
    "  detail, effort) SELECT DISTINCT probe, engine, started, ticks, seconds, peak_mb, outcome, "
    "  detail, e.id FROM tried t LEFT JOIN main.effort e ON e.stats = t.stats "
    "  ORDER BY 3, 1, 2, 4, 5, 6, 7, 8, 9;"
    "INSERT OR IGNORE INTO main.justification SELECT * FROM accepted "
    "  ORDER BY key, problem NOT NULL, date DESC, reason, author, reviewer, category, expires;"
    "INSERT INTO main.measured SELECT goal, max(hit) FROM seen GROUP BY goal;"
    /* what all say alike, and what is of one run as it is of several */
    "INSERT INTO main.run_info SELECT key, CASE "
    "  WHEN key IN ('seconds', 'peak_mb') THEN (SELECT value FROM info i WHERE i.key = info.key "
    "    ORDER BY CAST(value AS REAL) DESC, value LIMIT 1) "
    "  WHEN key = 'started' OR key GLOB 'shard:*' THEN min(value) "
    "  WHEN key = 'finished' THEN max(value) "
    "  WHEN key IN ('host', 'command') OR key GLOB '*_version' OR key = 'tool_build' THEN "
    "    (SELECT group_concat(value, '; ') FROM (SELECT DISTINCT value FROM info i "
    "     WHERE i.key = info.key AND NOT EXISTS (SELECT 1 FROM info l WHERE l.key = i.key AND "
    "     l.value <> i.value AND instr('; ' || l.value || '; ', '; ' || i.value || '; ') > 0) "
    "     ORDER BY value)) "
    "  ELSE min(value) END FROM info GROUP BY key;";

/* Goals of shards that have not come back, or were ended. */
#define SHARD "substr(reason, 15)"
static const char shards_sql[] =
    "UPDATE main.goal SET reason = 'shard ' || " SHARD " || coalesce((SELECT CASE value "
    "  WHEN 'done' THEN ' says that it is not its: the shards began from different databases' "
    "  ELSE ' was ended before it could say why' END FROM main.run_info WHERE key = 'shard:' || "
    "  replace(" SHARD ", ' of ', '/')), ' has not come back: nobody has tried it') "
    "  WHERE status = 'open' AND reason GLOB 'left to shard *';";

bool merge_join(struct store *out, struct err *err) {
    const char *const parts[] = {choose_sql,  contradict_sql, number_sql,
                                 verdict_sql, rest_sql,       shards_sql};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!store_exec(out, parts[i], "join the verdicts", err))
            return false;
    return true;
}

/* Of one input, after the join: what it has of the evidence in use. */
#define OURS(kind) "JOIN temp.numbered n ON n.input = (SELECT input FROM this) AND n.proof = " kind
const char merge_evidence_sql[] =
    "INSERT INTO main.witness SELECT n.id, w.steps, w.engine FROM src.witness w " OURS(
        "0") "  AND n.old = w.id;"
             "INSERT INTO main.witness_event SELECT n.id, e.number, e.step, e.input, e.bits, "
             "e.value "
             "  FROM temp.numbered n JOIN src.witness_event e ON e.witness = n.old "
             "  WHERE n.input = (SELECT input FROM this) AND n.proof = 0;"
             "INSERT INTO main.witness_cell SELECT n.id, e.cell, e.step, e.bits, e.value "
             "  FROM temp.numbered n JOIN src.witness_cell e ON e.witness = n.old "
             "  WHERE n.input = (SELECT input FROM this) AND n.proof = 0;"
             "INSERT INTO main.proof SELECT n.id, p.engine, p.k, p.invariant, p.certificate "
             "  FROM src.proof p " OURS(
                 "1") " AND n.old = p.id;"
                      "INSERT INTO main.proof_clause SELECT n.id, c.clause, c.text FROM "
                      "temp.numbered n "
                      "  JOIN src.proof_clause c ON c.proof = n.old "
                      "  WHERE n.input = (SELECT input FROM this) AND n.proof = 1;"
                      "INSERT INTO main.piece (hash, text) SELECT p.hash, p.text FROM src.piece p "
                      "WHERE p.id IN "
                      "  (SELECT c.piece FROM temp.numbered n JOIN src.certificate_piece c ON "
                      "c.proof = n.old "
                      "   WHERE n.input = (SELECT input FROM this) AND n.proof = 1) AND NOT EXISTS "
                      "  (SELECT 1 FROM main.piece q WHERE q.hash = p.hash AND q.text = p.text);"
                      "INSERT INTO main.certificate_piece SELECT n.id, c.number, min(q.id) FROM "
                      "temp.numbered n "
                      "  JOIN src.certificate_piece c ON c.proof = n.old JOIN src.piece p ON p.id "
                      "= c.piece "
                      "  JOIN main.piece q ON q.hash = p.hash AND q.text = p.text "
                      "  WHERE n.input = (SELECT input FROM this) AND n.proof = 1 GROUP BY n.id, "
                      "c.number;";
