/** The tables of the store, as steps from one version to the next. A step that was released is never changed. */

export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE owner (one INTEGER PRIMARY KEY CHECK (one = 1), data TEXT NOT NULL);
   CREATE TABLE runs (
     run_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, status TEXT NOT NULL,
     created_at INTEGER NOT NULL, ended_at INTEGER, prompt TEXT NOT NULL, text TEXT, data TEXT NOT NULL
   );
   CREATE INDEX runs_by_time ON runs (created_at);
   CREATE INDEX runs_by_session ON runs (session_id, created_at);
   CREATE INDEX runs_by_end ON runs (ended_at);
   CREATE TABLE events (run_id TEXT NOT NULL, seq INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (run_id, seq)) WITHOUT ROWID;
   CREATE TABLE sessions (session_id TEXT PRIMARY KEY, cwd TEXT NOT NULL, updated_at INTEGER NOT NULL, data TEXT NOT NULL);
   CREATE INDEX sessions_by_use ON sessions (updated_at);
   CREATE TABLE keys (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, run_id TEXT NOT NULL, at INTEGER NOT NULL);`,
  // Processes that keep a store together, each with the runs that it began.
  `CREATE TABLE holders (id TEXT PRIMARY KEY, data TEXT NOT NULL);
   ALTER TABLE runs ADD COLUMN holder TEXT;`,
  // Who holds it stands beside the file now, under a lock; the number goes up whenever a process takes it for itself.
  `DROP TABLE owner;
   CREATE TABLE fence (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL);
   INSERT INTO fence (one, number) VALUES (1, 0);`,
  // The order in which runs changed; whom they belong to; what surfaces keep beside a log; commands on their way to a run.
  `CREATE TABLE feed (one INTEGER PRIMARY KEY CHECK (one = 1), position INTEGER NOT NULL);
   INSERT INTO feed (one, position) SELECT 1, COALESCE(MAX(rowid), 0) FROM runs;
   ALTER TABLE runs ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
   UPDATE runs SET changed = rowid;
   CREATE INDEX runs_by_change ON runs (changed);
   ALTER TABLE runs ADD COLUMN principal TEXT NOT NULL DEFAULT 'owner';
   ALTER TABLE sessions ADD COLUMN principal TEXT NOT NULL DEFAULT 'owner';
   CREATE TABLE notes (run_id TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL);
   CREATE INDEX notes_by_run ON notes (run_id, name);
   INSERT INTO notes (run_id, name, json)
     SELECT substr(run_id, 1, instr(run_id, '/') - 1), substr(run_id, instr(run_id, '/') + 1), json
     FROM events WHERE instr(run_id, '/') > 0 ORDER BY run_id, seq;
   DELETE FROM events WHERE instr(run_id, '/') > 0;
   CREATE TABLE mail (id TEXT PRIMARY KEY, run_id TEXT NOT NULL, at INTEGER NOT NULL, command TEXT NOT NULL, receipt TEXT);
   CREATE INDEX mail_by_run ON mail (run_id);`,
  // Which sessions are forks of another; runs that are forgotten and still have events.
  `ALTER TABLE sessions ADD COLUMN parent TEXT
     GENERATED ALWAYS AS (CASE WHEN json_valid(data) THEN json_extract(data, '$.parent') END) VIRTUAL;
   CREATE INDEX sessions_by_parent ON sessions (parent);
   CREATE TABLE forgotten (run_id TEXT PRIMARY KEY) WITHOUT ROWID;`,
  // Which org a run belongs to, and the log of each org. A place is never given twice, even after a line is forgotten.
  `ALTER TABLE runs ADD COLUMN org TEXT
     GENERATED ALWAYS AS (CASE WHEN json_valid(data) THEN json_extract(data, '$.metadata."turnout.org"') END) VIRTUAL;
   ALTER TABLE runs ADD COLUMN project TEXT
     GENERATED ALWAYS AS (CASE WHEN json_valid(data) THEN json_extract(data, '$.metadata."turnout.project"') END) VIRTUAL;
   CREATE INDEX runs_by_org ON runs (project, org, created_at) WHERE project IS NOT NULL;
   CREATE TABLE org_lines (
     place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL, org TEXT NOT NULL,
     run TEXT NOT NULL, run_id TEXT NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL
   );
   CREATE INDEX org_lines_by_org ON org_lines (project, org, place);
   CREATE INDEX org_lines_by_run ON org_lines (run, place);
   CREATE INDEX org_lines_by_run_id ON org_lines (run_id);`,
  // What tells this store from every other, so that places in its logs are never taken for those of another.
  `CREATE TABLE identity (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL);
   INSERT INTO identity (one, id) VALUES (1, lower(hex(randomblob(16))));`,
];

export const SCHEMA = MIGRATIONS.length;
