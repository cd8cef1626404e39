/** The tables of a cluster in PostgreSQL. They stand in a schema of their own, named after the cluster. */

export const TABLES = `
CREATE TABLE IF NOT EXISTS meta (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE IF NOT EXISTS runs (
  n bigserial PRIMARY KEY, id text NOT NULL UNIQUE, session text NOT NULL, status text NOT NULL, ended_by text NOT NULL DEFAULT '',
  over boolean NOT NULL DEFAULT false, ended bigint, archived boolean NOT NULL DEFAULT false, detached boolean NOT NULL DEFAULT false, record text NOT NULL, turn text,
  seq bigint NOT NULL DEFAULT 0, epoch int NOT NULL DEFAULT 0, caller text NOT NULL, ticket bigint NOT NULL,
  queue text NOT NULL, key text NOT NULL DEFAULT '', worker text, position bigint NOT NULL);
CREATE INDEX IF NOT EXISTS runs_session ON runs (session, n);
CREATE INDEX IF NOT EXISTS runs_open ON runs (n) WHERE NOT over;
CREATE INDEX IF NOT EXISTS runs_unsealed ON runs (ended) WHERE over AND NOT archived;
CREATE INDEX IF NOT EXISTS runs_position ON runs (position);
CREATE TABLE IF NOT EXISTS events (run text NOT NULL, seq bigint NOT NULL, line text NOT NULL, PRIMARY KEY (run, seq));
CREATE TABLE IF NOT EXISTS sessions (
  id text PRIMARY KEY, record text NOT NULL, native text, runtime text, updated bigint, home text, place bigint NOT NULL);
CREATE INDEX IF NOT EXISTS sessions_place ON sessions (place);
CREATE TABLE IF NOT EXISTS keys (key text PRIMARY KEY, run text NOT NULL, fingerprint text NOT NULL, until timestamptz);
CREATE TABLE IF NOT EXISTS attendees (
  run text NOT NULL, id text NOT NULL, hearing boolean NOT NULL DEFAULT true, PRIMARY KEY (run, id));
CREATE TABLE IF NOT EXISTS box (n bigserial PRIMARY KEY, run text NOT NULL, mail text NOT NULL, letter text NOT NULL);
CREATE TABLE IF NOT EXISTS mail (
  place bigserial PRIMARY KEY, worker text NOT NULL, run text NOT NULL, epoch int NOT NULL, mail text NOT NULL UNIQUE,
  letter text NOT NULL);
CREATE TABLE IF NOT EXISTS receipts (mail text PRIMARY KEY, receipt text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS notes (n bigserial PRIMARY KEY, run text NOT NULL, name text NOT NULL, note text NOT NULL);
CREATE INDEX IF NOT EXISTS notes_run ON notes (run, n);
CREATE TABLE IF NOT EXISTS members (id text PRIMARY KEY, instance text NOT NULL, says text NOT NULL, until timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS draining (id text PRIMARY KEY);
CREATE TABLE IF NOT EXISTS leader (one int PRIMARY KEY, instance text NOT NULL, until timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS queues (name text PRIMARY KEY);
CREATE TABLE IF NOT EXISTS tickets (caller text PRIMARY KEY, next bigint NOT NULL);
CREATE SEQUENCE IF NOT EXISTS places;
CREATE SEQUENCE IF NOT EXISTS positions;
`;

/** Locks of one transaction, so that what is counted there is counted by nobody else meanwhile. */
export const LOCKS = { schema: 1, accept: 2, changes: 3 } as const;
