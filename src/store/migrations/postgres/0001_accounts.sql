-- Times are microseconds since 1970 in UTC; months are numbers like 202611, days like 20261121.
CREATE TABLE accounts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    verified_at BIGINT,
    created_at BIGINT NOT NULL
);

CREATE TABLE keys (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    hash BYTEA NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    last4 TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX keys_of_account ON keys (account_id);
-- A key is revoked by its name, so no two that work may share one.
CREATE UNIQUE INDEX keys_by_name ON keys (account_id, name) WHERE revoked_at IS NULL;

-- What is used of a quota is carried + settled + reserved. carried: what the account's revoked keys had used
-- when this key was made.
CREATE TABLE month_usage (
    key_id BIGINT NOT NULL REFERENCES keys (id),
    month BIGINT NOT NULL,
    endpoint TEXT NOT NULL,
    carried BIGINT NOT NULL,
    settled BIGINT NOT NULL,
    reserved BIGINT NOT NULL,
    PRIMARY KEY (key_id, month, endpoint)
);

CREATE TABLE day_usage (
    key_id BIGINT NOT NULL REFERENCES keys (id),
    day BIGINT NOT NULL,
    endpoint TEXT NOT NULL,
    settled BIGINT NOT NULL,
    PRIMARY KEY (key_id, day, endpoint)
);

-- Servers that run. node: the name of the machine and its listener, the same after a restart.
CREATE TABLE runs (
    id BYTEA PRIMARY KEY,
    node TEXT NOT NULL,
    beat_at BIGINT NOT NULL
);

-- state: held, settled or refunded. What has ended is kept for a while, so that ending it twice counts once.
CREATE TABLE reservations (
    id BYTEA PRIMARY KEY,
    key_id BIGINT NOT NULL REFERENCES keys (id),
    endpoint TEXT NOT NULL,
    month BIGINT NOT NULL,
    run_id BYTEA NOT NULL,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX reservations_held ON reservations (run_id) WHERE state = 'held';
CREATE INDEX reservations_by_age ON reservations (created_at);

-- Answers to requests with an Idempotency-Key. Without a status the first request still runs.
CREATE TABLE answers (
    key_id BIGINT NOT NULL REFERENCES keys (id),
    name TEXT NOT NULL,
    body_hash BYTEA NOT NULL,
    run_id BYTEA NOT NULL,
    status BIGINT,
    body TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, name)
);
CREATE INDEX answers_by_age ON answers (created_at);
