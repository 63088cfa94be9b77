CREATE TABLE run_info (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE artifact (
    name    TEXT PRIMARY KEY,
    content BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE goal (
    id        INTEGER PRIMARY KEY,
    key       TEXT NOT NULL UNIQUE,
    probe     INTEGER NOT NULL,
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
    condition INTEGER,
    cannot    TEXT,
    status     TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'reachable', 'dead')),
    bound      INTEGER,
    engine     TEXT,
    depth      INTEGER,
    ticks      INTEGER NOT NULL DEFAULT 0,
    seconds    REAL NOT NULL DEFAULT 0,
    witness    INTEGER REFERENCES witness (id),
    proof      INTEGER REFERENCES proof (id),
    implied_by INTEGER REFERENCES goal (id),
    checked_by TEXT CHECK (checked_by IN ('replay', 'cbmc', 'solver')),
    assumes    TEXT,
    reason     TEXT,
    slice_hash TEXT,
    CHECK (status <> 'reachable' OR (witness IS NOT NULL AND checked_by IS NOT NULL)),
    CHECK (status <> 'dead' OR (proof IS NOT NULL AND checked_by IS NOT NULL))
);
CREATE INDEX goal_place ON goal (file, line);
CREATE INDEX goal_kind ON goal (kind, status);
CREATE INDEX goal_function ON goal (function);
CREATE INDEX goal_probe ON goal (probe);
CREATE TABLE decision (
    id        INTEGER PRIMARY KEY,
    file      TEXT NOT NULL,
    function  TEXT NOT NULL,
    line      INTEGER NOT NULL,
    col       INTEGER NOT NULL,
    text      TEXT NOT NULL,
    structure TEXT NOT NULL
);
CREATE TABLE decision_condition (
    decision INTEGER NOT NULL REFERENCES decision (id),
    position INTEGER NOT NULL,
    text     TEXT NOT NULL,
    PRIMARY KEY (decision, position)
) WITHOUT ROWID;
CREATE TABLE implication (
    a INTEGER NOT NULL REFERENCES goal (id),
    b INTEGER NOT NULL REFERENCES goal (id),
    PRIMARY KEY (a, b)
) WITHOUT ROWID;
CREATE TABLE limitation (
    file     TEXT NOT NULL,
    line     INTEGER NOT NULL,
    col      INTEGER NOT NULL,
    function TEXT NOT NULL,
    text     TEXT NOT NULL
);
CREATE TABLE variable (
    role       TEXT NOT NULL,
    number     INTEGER NOT NULL,
    is_input   INTEGER NOT NULL,
    path       TEXT NOT NULL,
    c_expr     TEXT NOT NULL,
    type       TEXT NOT NULL,
    bits       INTEGER NOT NULL,
    has_range  INTEGER NOT NULL,
    min        INTEGER NOT NULL,
    max        INTEGER NOT NULL,
    lsb        REAL NOT NULL,
    offset     REAL NOT NULL,
    range_from TEXT,
    file       TEXT,
    line       INTEGER,
    PRIMARY KEY (is_input, number)
) WITHOUT ROWID;
CREATE TABLE witness (
    id     INTEGER PRIMARY KEY,
    steps  INTEGER NOT NULL,
    engine TEXT NOT NULL
);
CREATE TABLE witness_event (
    witness INTEGER NOT NULL REFERENCES witness (id),
    number  INTEGER NOT NULL,
    step    INTEGER NOT NULL,
    input   INTEGER NOT NULL,
    bits    INTEGER NOT NULL,
    value   NOT NULL,
    PRIMARY KEY (witness, number)
) WITHOUT ROWID;
CREATE TABLE witness_cell (
    witness INTEGER NOT NULL REFERENCES witness (id),
    cell    INTEGER NOT NULL,
    step    INTEGER NOT NULL,
    bits    INTEGER NOT NULL,
    value   NOT NULL,
    PRIMARY KEY (witness, cell, step)
) WITHOUT ROWID;
CREATE TABLE proof (
    id          INTEGER PRIMARY KEY,
    engine      TEXT NOT NULL,
    k           INTEGER NOT NULL,
    invariant   TEXT NOT NULL,
    certificate TEXT
);
CREATE TABLE proof_clause (
    proof  INTEGER NOT NULL REFERENCES proof (id),
    clause INTEGER NOT NULL,
    text   TEXT NOT NULL,
    PRIMARY KEY (proof, clause)
) WITHOUT ROWID;
CREATE TABLE attempt_log (
    id      INTEGER PRIMARY KEY,
    probe   INTEGER NOT NULL,
    engine  TEXT NOT NULL,
    started TEXT NOT NULL,
    ticks   INTEGER NOT NULL,
    seconds REAL NOT NULL,
    peak_mb REAL NOT NULL,
    outcome TEXT NOT NULL,
    detail  TEXT
);
CREATE INDEX attempt_probe ON attempt_log (probe);
CREATE TABLE alarm (
    id      INTEGER PRIMARY KEY,
    goal    INTEGER NOT NULL REFERENCES goal (id),
    at      TEXT NOT NULL,
    text    TEXT NOT NULL,
    witness INTEGER REFERENCES witness (id),
    proof   INTEGER REFERENCES proof (id)
);
CREATE TABLE justification (
    key           TEXT PRIMARY KEY,
    category      TEXT,
    reason        TEXT NOT NULL,
    author        TEXT NOT NULL,
    reviewer      TEXT,
    date          TEXT NOT NULL,
    expires       TEXT,
    function_hash TEXT,
    problem       TEXT
) WITHOUT ROWID;
CREATE VIEW goal_status AS
SELECT g.id AS goal_id, g.key, g.file, g.line, g.col, g.function, g.kind, g.text, g.value,
       g.status, g.bound, g.engine, g.depth, g.ticks, g.seconds,
       CASE WHEN g.witness IS NOT NULL THEN 'witness:' || g.witness
            WHEN g.proof IS NOT NULL THEN 'proof:' || g.proof END AS evidence,
       g.checked_by, g.assumes, coalesce(g.cannot, g.reason) AS reason,
       EXISTS (SELECT 1 FROM justification j WHERE j.key = g.key AND j.problem IS NULL)
           AS justified
FROM goal g;
CREATE VIEW coverage_summary AS
SELECT file, function, kind AS criterion, count(*) AS total,
       sum(status = 'reachable') AS reachable, sum(status = 'dead') AS dead,
       sum(status = 'open') AS open, sum(justified) AS justified,
       100.0 * sum(status = 'reachable') / count(*) AS percent,
       CASE WHEN sum(status <> 'dead') > 0
            THEN 100.0 * sum(status = 'reachable') / sum(status <> 'dead')
            ELSE 100.0 END AS percent_of_reachable
FROM goal_status GROUP BY file, function, kind;
CREATE VIEW witness_step AS
SELECT g.id AS goal_id, e.step, v.path AS input, e.value
FROM goal g JOIN witness_event e ON e.witness = g.witness
     JOIN variable v ON v.is_input = 1 AND v.number = e.input;
CREATE VIEW invariant_clause AS
SELECT g.id AS goal_id, c.clause, c.text
FROM goal g JOIN proof_clause c ON c.proof = g.proof;
CREATE VIEW attempt AS
SELECT g.id AS goal_id, a.engine, a.started, a.ticks, a.seconds, a.peak_mb, a.outcome, a.detail
FROM attempt_log a JOIN goal g ON g.probe = a.probe;
PRAGMA application_id = 1196376396;
PRAGMA user_version = 1;
