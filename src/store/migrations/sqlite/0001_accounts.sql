-- Times are microseconds since 1970 in UTC; months are numbers like 202611, days like 20261121.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    verified_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    hash BLOB NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    last4 TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;
CREATE INDEX keys_of_account ON keys (account_id);
-- A key is revoked by its name, so no two that work may share one.
CREATE UNIQUE INDEX keys_by_name ON keys (account_id, name) WHERE revoked_at IS NULL;

-- What is used of a quota is carried + settled + reserved. carried: what the account's revoked keys had used
-- when this key was made.
CREATE TABLE month_usage (
    key_id INTEGER NOT NULL REFERENCES keys (id),
    month INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    carried INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    reserved INTEGER NOT NULL,
    PRIMARY KEY (key_id, month, endpoint)
) STRICT, WITHOUT ROWID;

CREATE TABLE day_usage (
    key_id INTEGER NOT NULL REFERENCES keys (id),
    day INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    settled INTEGER NOT NULL,
    PRIMARY KEY (key_id, day, endpoint)
) STRICT, WITHOUT ROWID;

-- Servers that run. node: the name of the machine and its listener, the same after a restart.
CREATE TABLE runs (
    id BLOB PRIMARY KEY,
    node TEXT NOT NULL,
    beat_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- state: held, settled or refunded. What has ended is kept for a while, so that ending it twice counts once.
CREATE TABLE reservations (
    id BLOB PRIMARY KEY,
    key_id INTEGER NOT NULL REFERENCES keys (id),
    endpoint TEXT NOT NULL,
    month INTEGER NOT NULL,
    run_id BLOB NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reservations_held ON reservations (run_id) WHERE state = 'held';
CREATE INDEX reservations_by_age ON reservations (created_at);

-- Answers to requests with an Idempotency-Key. Without a status the first request still runs.
CREATE TABLE answers (
    key_id INTEGER NOT NULL REFERENCES keys (id),
    name TEXT NOT NULL,
    body_hash BLOB NOT NULL,
    run_id BLOB NOT NULL,
    status INTEGER,
    body TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (key_id, name)
) STRICT;
CREATE INDEX answers_by_age ON answers (created_at);
