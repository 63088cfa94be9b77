-- Goalkeeper database. Its version is PRAGMA user_version: DB_VERSION of db/internal.h.
--
-- The views at the end are the public interface and stay stable; the tables behind them may change
-- with the version; a database of an older version is brought up to date when it is written next.
-- One writer (goalkeeper run, justify) and any number of readers: the journal is
-- a write-ahead log, every result is committed as it comes.
--
-- Values of variables are kept twice: `bits`, the bit pattern of the value in its own type as a
-- signed 64-bit integer (bool 0/1, integers zero-extended, floats their IEEE pattern), and `value`,
-- the same as an SQL number (NaN: the text 'nan'; infinities: the texts 'inf', '-inf').

CREATE TABLE run_info (
    key   TEXT PRIMARY KEY,   -- tool_version, clang_version, cbmc_version, options, host, started …
    value TEXT NOT NULL       -- hashes of every input file: key 'sha256:<file>'
) WITHOUT ROWID;

CREATE TABLE artifact (       -- everything needed to re-check the evidence without the sources
    name    TEXT PRIMARY KEY, -- 'woven.c', 'project.json', 'source:<file>', 'header:<file>'
    content BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE goal (
    id        INTEGER PRIMARY KEY,  -- dense from 1, in source order
    key       TEXT NOT NULL UNIQUE, -- 16 hex digits, stable over reformatting
    probe     INTEGER NOT NULL,     -- the number the woven program reports
    kind      TEXT NOT NULL,
    value     INTEGER,
    file      TEXT NOT NULL,
    line      INTEGER NOT NULL,
    col       INTEGER NOT NULL,
    end_line  INTEGER NOT NULL,
    end_col   INTEGER NOT NULL,
    function  TEXT NOT NULL,
    text      TEXT NOT NULL,
    decision  INTEGER REFERENCES decision (id),
    condition INTEGER,              -- position within the decision
    cannot    TEXT,                 -- why the goal cannot be analysed
    -- the verdict
    status     TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'reachable', 'dead')),
    bound      INTEGER,             -- steps within which it is proved not reached
    engine     TEXT,                -- who decided it; of an open goal: who claims the bound
    depth      INTEGER,
    ticks      INTEGER NOT NULL DEFAULT 0,
    seconds    REAL NOT NULL DEFAULT 0,
    witness    INTEGER REFERENCES witness (id),
    proof      INTEGER REFERENCES proof (id),
    implied_by INTEGER REFERENCES goal (id), -- the goal whose evidence this is
    checked_by TEXT,                -- who accepted the evidence: replay; or by commas cbmc, z3, bitwuzla, solver
    assumes    TEXT,
    reason     TEXT,
    slice_hash TEXT,                -- of the part of the model that the verdict depends on
    CHECK (status <> 'reachable' OR (witness IS NOT NULL AND checked_by IS NOT NULL)),
    CHECK (status <> 'dead' OR (proof IS NOT NULL AND checked_by IS NOT NULL))
);
CREATE INDEX goal_place ON goal (file, line);
CREATE INDEX goal_summary ON goal (file, function, kind, status, key); -- coverage_summary
CREATE INDEX goal_kind ON goal (kind, status);
CREATE INDEX goal_function ON goal (function);
CREATE INDEX goal_probe ON goal (probe);

CREATE TABLE goal_block (            -- the block of the model that the code comes from, where known
    goal  INTEGER PRIMARY KEY REFERENCES goal (id),
    block TEXT NOT NULL              -- 'lane_assist/LaneAssist/AssistTorque/GainLimit'
);

CREATE TABLE goal_expansion (        -- its text behind the preprocessor, where that is another
    goal INTEGER PRIMARY KEY REFERENCES goal (id),
    text TEXT NOT NULL               -- 'Sa1_Mode >= 3' of 'Sa1_Mode >= Ca1_ACTIVE'
);

CREATE TABLE dead_cause (            -- what kills goals
    id    INTEGER PRIMARY KEY,
    class TEXT NOT NULL CHECK (class IN ('constant', 'step', 'range', 'calibration', 'state',
                                         'uncalled')),
    key   TEXT NOT NULL UNIQUE       -- the reason in full, for comparison
);
CREATE TABLE because (               -- why a goal is dead; NULLs: that was not found out
    goal  INTEGER PRIMARY KEY REFERENCES goal (id),
    class TEXT,                      -- that of its cause, or 'upstream'
    text  TEXT,                      -- in one sentence
    cause INTEGER REFERENCES dead_cause (id)
);

CREATE TABLE reason_proof (          -- the proof cut down to what the reason names
    goal       INTEGER PRIMARY KEY REFERENCES goal (id),
    proof      INTEGER NOT NULL REFERENCES proof (id),
    checked_by TEXT NOT NULL CHECK (checked_by IN ('cbmc', 'solver'))
);

CREATE TABLE measured (              -- goalkeeper overlay: what the user's own tests have hit
    goal INTEGER PRIMARY KEY REFERENCES goal (id),
    hit  INTEGER NOT NULL CHECK (hit IN (0, 1))
);

CREATE TABLE decision (
    id        INTEGER PRIMARY KEY,
    file      TEXT NOT NULL,
    function  TEXT NOT NULL,
    line      INTEGER NOT NULL,
    col       INTEGER NOT NULL,
    text      TEXT NOT NULL,
    structure TEXT NOT NULL          -- '(0&&1)||!2' over positions of conditions
);
CREATE TABLE decision_condition (
    decision INTEGER NOT NULL REFERENCES decision (id),
    position INTEGER NOT NULL,
    text     TEXT NOT NULL,
    PRIMARY KEY (decision, position)
) WITHOUT ROWID;

CREATE TABLE unique_cause_pair (     -- rows (goals of kind vector) that show the condition to decide
    decision  INTEGER NOT NULL REFERENCES decision (id),
    condition INTEGER NOT NULL,
    t         INTEGER NOT NULL REFERENCES goal (id), -- the row where it is true
    f         INTEGER NOT NULL REFERENCES goal (id), -- and where it is false
    PRIMARY KEY (decision, condition, t, f)
) WITHOUT ROWID;

CREATE TABLE implication (           -- whoever hits a has hit b; so b dead makes a dead
    a INTEGER NOT NULL REFERENCES goal (id),
    b INTEGER NOT NULL REFERENCES goal (id),
    PRIMARY KEY (a, b)
) WITHOUT ROWID;

CREATE TABLE limitation (            -- what was not analysed, and what to do about it
    file     TEXT NOT NULL,
    line     INTEGER NOT NULL,
    col      INTEGER NOT NULL,
    function TEXT NOT NULL,
    text     TEXT NOT NULL
);

CREATE TABLE module_warning (        -- what may make the module another program than is meant
    number INTEGER PRIMARY KEY,
    text   TEXT NOT NULL
);

CREATE TABLE variable (
    role       TEXT NOT NULL,        -- input, parameter, volatile, stub; state, output
    number     INTEGER NOT NULL,     -- input number; state cell number for state and output
    is_input   INTEGER NOT NULL,     -- 1: `number` counts inputs, 0: it counts state cells
    path       TEXT NOT NULL,        -- C path
    c_expr     TEXT NOT NULL,        -- its name in the woven program
    type       TEXT NOT NULL,        -- b _Bool, i signed, u unsigned, f float, p pointer
    bits       INTEGER NOT NULL,
    has_range  INTEGER NOT NULL,     -- narrower than the type
    min        INTEGER NOT NULL,     -- as bits
    max        INTEGER NOT NULL,
    lsb        REAL NOT NULL,        -- physical = raw * lsb + offset
    offset     REAL NOT NULL,
    range_from TEXT,
    file       TEXT,
    line       INTEGER,
    PRIMARY KEY (is_input, number)
) WITHOUT ROWID;

CREATE TABLE witness (
    id     INTEGER PRIMARY KEY,
    steps  INTEGER NOT NULL,         -- the goal is hit in the last one; 0: during initialisation
    engine TEXT NOT NULL
);
CREATE TABLE witness_event (         -- the n-th read of an input in a step gets its n-th event;
    witness INTEGER NOT NULL REFERENCES witness (id), -- without one the last value is held
    number  INTEGER NOT NULL,        -- order of consumption
    step    INTEGER NOT NULL,        -- from 1; 0 is initialisation
    input   INTEGER NOT NULL,        -- input number
    bits    INTEGER NOT NULL,
    value   NOT NULL,
    PRIMARY KEY (witness, number)
) WITHOUT ROWID;
CREATE TABLE witness_cell (          -- state after each step, only where it changed
    witness INTEGER NOT NULL REFERENCES witness (id),
    cell    INTEGER NOT NULL,        -- state cell number
    step    INTEGER NOT NULL,
    bits    INTEGER NOT NULL,
    value   NOT NULL,
    PRIMARY KEY (witness, cell, step)
) WITHOUT ROWID;

CREATE TABLE proof (
    id          INTEGER PRIMARY KEY,
    engine      TEXT NOT NULL,
    k           INTEGER NOT NULL,
    invariant   TEXT NOT NULL,       -- in the tool's own text form, for a re-check by the solver
    certificate TEXT                 -- whole in databases before version 4; else NULL, in pieces
);
CREATE TABLE certificate_piece (     -- one C file with the proof obligations, for a re-check by
    proof  INTEGER NOT NULL REFERENCES proof (id), -- CBMC: the pieces in order, joined
    number INTEGER NOT NULL,
    piece  INTEGER NOT NULL REFERENCES piece (id),
    PRIMARY KEY (proof, number)
) WITHOUT ROWID;
CREATE TABLE piece (                 -- of texts that have much in common: each once
    id   INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL,           -- of the text, to find it again
    text TEXT NOT NULL
);
CREATE INDEX piece_hash ON piece (hash);
CREATE TABLE proof_clause (
    proof  INTEGER NOT NULL REFERENCES proof (id),
    clause INTEGER NOT NULL,
    text   TEXT NOT NULL,            -- as C
    PRIMARY KEY (proof, clause)
) WITHOUT ROWID;

CREATE TABLE earlier (               -- verdicts on the program before it changed, by key, until the
    key        TEXT PRIMARY KEY,     -- goals have verdicts again; columns as in goal
    status     TEXT NOT NULL CHECK (status IN ('reachable', 'dead')),
    engine     TEXT NOT NULL,
    depth      INTEGER,
    ticks      INTEGER NOT NULL,
    seconds    REAL NOT NULL,
    witness    INTEGER REFERENCES witness (id),
    proof      INTEGER REFERENCES proof (id),
    checked_by TEXT NOT NULL,
    assumes    TEXT,
    slice_hash TEXT,
    program    INTEGER NOT NULL      -- whose inputs the witness has
) WITHOUT ROWID;
CREATE TABLE earlier_input (         -- inputs as they were numbered in that program
    program INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    path    TEXT NOT NULL,
    PRIMARY KEY (program, number)
) WITHOUT ROWID;

CREATE TABLE attempt_log (
    id      INTEGER PRIMARY KEY,
    probe   INTEGER NOT NULL,
    engine  TEXT NOT NULL,
    started TEXT NOT NULL,
    ticks   INTEGER NOT NULL,
    seconds REAL NOT NULL,
    peak_mb REAL NOT NULL,
    outcome TEXT NOT NULL,           -- hit, dead, bound, gave up, budget, crashed, audit failed …
    detail  TEXT,
    effort  INTEGER REFERENCES effort (id)
);
CREATE TABLE effort (                -- what one piece of work has counted: engines/stats.def
    id    INTEGER PRIMARY KEY,
    stats TEXT NOT NULL              -- '{"frames":3,"solver_conflicts":17}', of all its attempts
);
CREATE INDEX attempt_probe ON attempt_log (probe);

CREATE TABLE alarm (                 -- contradictions and failed checks: both sides are kept
    id      INTEGER PRIMARY KEY,
    goal    INTEGER NOT NULL REFERENCES goal (id),
    at      TEXT NOT NULL,
    text    TEXT NOT NULL,
    witness INTEGER REFERENCES witness (id),
    proof   INTEGER REFERENCES proof (id)
);

CREATE TABLE justification (         -- a copy of justifications.json as of the last run or justify
    key           TEXT PRIMARY KEY,
    category      TEXT,
    reason        TEXT NOT NULL,
    author        TEXT NOT NULL,
    reviewer      TEXT,
    date          TEXT NOT NULL,
    expires       TEXT,
    function_hash TEXT,
    problem       TEXT               -- NULL: valid; else expired, stale, not reviewed …
) WITHOUT ROWID;

CREATE VIEW goal_status AS
SELECT g.id AS goal_id, g.key, g.file, g.line, g.col, g.function, g.kind, g.text, g.value,
       g.status, g.bound, g.engine, g.depth, g.ticks, g.seconds,
       CASE WHEN g.witness IS NOT NULL THEN 'witness:' || g.witness
            WHEN g.proof IS NOT NULL THEN 'proof:' || g.proof END AS evidence,
       g.checked_by, g.assumes, coalesce(g.cannot, g.reason) AS reason,
       EXISTS (SELECT 1 FROM justification j WHERE j.key = g.key AND j.problem IS NULL)
           AS justified,
       b.block, w.class, w.text AS because, w.cause
FROM goal g LEFT JOIN goal_block b ON b.goal = g.id
            LEFT JOIN because w ON w.goal = g.id AND g.status = 'dead';

-- Ranges of inputs that no dead verdict needs: these promises make nothing dead. No rows while the
-- reason of a dead goal is unknown, or where nothing is dead.
CREATE VIEW idle_range AS
SELECT v.path, v.range_from FROM variable v
WHERE v.is_input AND v.has_range AND EXISTS (SELECT 1 FROM goal WHERE status = 'dead')
  AND NOT EXISTS (SELECT 1 FROM goal_status WHERE status = 'dead' AND because IS NULL)
  AND NOT EXISTS (SELECT 1 FROM goal g WHERE g.status = 'dead' AND
                  instr('; ' || g.assumes, '; ' || v.path || ' in [') > 0);

-- What open goals wait for, and what would help most.
CREATE VIEW open_goal AS
SELECT id, file, line,
       CASE WHEN cannot IS NOT NULL THEN 'limitation'
            WHEN lever = 0 AND reason LIKE '%shard%' THEN 'shard' WHEN lever = 0 THEN 'budget'
            WHEN word = length('waits for: ') THEN 'budget' -- as older versions wrote it
            ELSE substr(reason, word, lever - word) END AS class,
       CASE WHEN cannot IS NOT NULL THEN cannot WHEN lever = 0 THEN coalesce(reason, 'the run was ended')
            ELSE substr(reason, lever + length('; lever: ')) END AS text
FROM (SELECT *, instr(coalesce(reason, ''), 'waits for: ') + length('waits for: ') AS word,
             instr(coalesce(reason, ''), '; lever: ') AS lever FROM goal WHERE status = 'open');

-- Goals of coverage beside what was measured; no rows before the first goalkeeper overlay.
CREATE VIEW overlay AS
SELECT s.goal_id, s.key, s.file, s.line, s.function, s.kind, s.text, s.value, s.status, s.justified,
       CASE WHEN m.hit = 1 AND s.status = 'dead' THEN 'alarm'
            WHEN m.hit = 1 THEN 'covered'
            WHEN s.status = 'dead' THEN 'dead'
            WHEN m.hit IS NULL THEN 'unknown'
            WHEN s.status = 'reachable' THEN 'gap'
            ELSE 'open' END AS overlay
FROM goal_status s LEFT JOIN measured m ON m.goal = s.goal_id
WHERE EXISTS (SELECT 1 FROM measured)
  AND s.kind IN ('function', 'call', 'statement', 'branch', 'case', 'condition', 'mcdc');

-- Dead goals by what kills them: the goal that says it, and how many there are. Then open goals by
-- what they wait for (limitation: what was not analysed), with what would help most; these numbers
-- begin behind those of dead ones.
CREATE VIEW cause AS
SELECT w.cause, c.class,
       (SELECT text FROM because a WHERE a.cause = w.cause AND a.class <> 'upstream'
        ORDER BY instr(text, '(replayed)') = 0, a.goal LIMIT 1) AS text,
       g.file, min(g.line) AS line,
       (SELECT count(*) FROM because a JOIN goal h ON h.id = a.goal AND h.status = 'dead'
        WHERE a.cause = w.cause) AS goals
FROM because w JOIN dead_cause c ON c.id = w.cause
               JOIN goal g ON g.id = w.goal AND g.status = 'dead'
WHERE w.class <> 'upstream' GROUP BY w.cause
UNION ALL
SELECT (SELECT coalesce(max(id), 0) FROM dead_cause) + row_number() OVER (ORDER BY min(o.id)),
       'waits for: ' || o.class, o.text, o.file, min(o.line), count(*)
FROM open_goal o GROUP BY o.class, o.text;

-- What is met: goals of coverage that are reachable, events of robustness that are dead.
CREATE VIEW coverage_summary AS
SELECT file, function, kind AS criterion, count(*) AS total,
       sum(status = 'reachable') AS reachable, sum(status = 'dead') AS dead,
       sum(status = 'open') AS open, sum(justified) AS justified,
       CASE WHEN kind IN ('div0', 'overflow', 'shift', 'downcast', 'bounds', 'range')
            THEN 100.0 * sum(status = 'dead') / count(*)
            ELSE 100.0 * sum(status = 'reachable') / count(*) END AS percent,
       CASE WHEN kind IN ('div0', 'overflow', 'shift', 'downcast', 'bounds', 'range')
            THEN 100.0 * sum(status = 'dead') / count(*)
            WHEN sum(status <> 'dead') > 0
            THEN 100.0 * sum(status = 'reachable') / sum(status <> 'dead')
            ELSE 100.0 END AS percent_of_reachable
FROM goal_status GROUP BY file, function, kind;

-- The same by block of the model; subsystems with all that is in them.
CREATE VIEW block_summary AS
WITH RECURSIVE part (goal_id, block) AS (
    SELECT goal_id, block FROM goal_status WHERE block IS NOT NULL
    UNION ALL
    SELECT goal_id, rtrim(rtrim(block, replace(block, '/', '')), '/') FROM part
    WHERE instr(block, '/') > 0)
SELECT p.block, g.kind AS criterion, count(*) AS total, sum(g.status = 'reachable') AS reachable,
       sum(g.status = 'dead') AS dead, sum(g.status = 'open') AS open,
       sum(g.justified) AS justified
FROM part p JOIN goal_status g ON g.goal_id = p.goal_id GROUP BY p.block, g.kind;

-- Unique-cause MC/DC, one row a condition, where goals of kind vector are listed ("mcdc":
-- "unique-cause", or the criterion vector): reachable when both rows of one of its pairs are, dead
-- when each of its pairs has a dead row. Goals of kind mcdc are masking MC/DC.
CREATE VIEW unique_cause AS
SELECT d.file, d.line, d.col, d.function, d.text AS decision_text, c.decision,
       c.position AS condition, c.text,
       CASE WHEN max(t.status = 'reachable' AND f.status = 'reachable') THEN 'reachable'
            WHEN min(t.status = 'dead' OR f.status = 'dead') THEN 'dead'
            ELSE 'open' END AS status
FROM unique_cause_pair p
     JOIN decision_condition c ON c.decision = p.decision AND c.position = p.condition
     JOIN decision d ON d.id = p.decision
     JOIN goal t ON t.id = p.t JOIN goal f ON f.id = p.f
GROUP BY p.decision, p.condition;

-- Read these before the verdicts.
CREATE VIEW warning AS
SELECT text FROM module_warning
UNION ALL
SELECT dead || ' of ' || total || ' goals of coverage are dead, more than a third: that is rarely '
       || 'the code; check inputs, ranges, parameters and missing sources before relying on it'
FROM (SELECT count(*) AS total, sum(status = 'dead') AS dead FROM goal
      WHERE kind NOT IN ('div0', 'overflow', 'shift', 'downcast', 'bounds', 'range'))
WHERE 3 * dead > total;

CREATE VIEW witness_step AS
SELECT g.id AS goal_id, e.step, v.path AS input, e.value
FROM goal g JOIN witness_event e ON e.witness = g.witness
     JOIN variable v ON v.is_input = 1 AND v.number = e.input;

-- Of a dead goal with a reason only the clauses that it needs.
CREATE VIEW invariant_clause AS
SELECT g.id AS goal_id, c.clause, c.text
FROM goal g LEFT JOIN reason_proof r ON r.goal = g.id AND g.status = 'dead'
            JOIN proof_clause c ON c.proof = coalesce(r.proof, g.proof);

CREATE VIEW attempt AS
SELECT g.id AS goal_id, a.engine, a.started, a.ticks, a.seconds, a.peak_mb, a.outcome, a.detail,
       e.stats
FROM attempt_log a JOIN goal g ON g.probe = a.probe LEFT JOIN effort e ON e.id = a.effort;

PRAGMA application_id = 1196376396; -- "GOAL"
