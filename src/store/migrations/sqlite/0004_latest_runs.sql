-- The runs that ended last, for people to look at. answer: the name that the answer is kept by, if it is.
CREATE TABLE latest_runs (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    key_id INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    site TEXT NOT NULL,
    outcome TEXT NOT NULL,
    answer TEXT,
    ended_at INTEGER NOT NULL
) STRICT;
CREATE INDEX latest_runs_of_account ON latest_runs (account_id, id);
