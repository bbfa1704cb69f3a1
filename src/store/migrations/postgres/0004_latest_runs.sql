-- The runs that ended last, for people to look at. answer: the name that the answer is kept by, if it is.
CREATE TABLE latest_runs (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    key_id BIGINT NOT NULL,
    endpoint TEXT NOT NULL,
    site TEXT NOT NULL,
    outcome TEXT NOT NULL,
    answer TEXT,
    ended_at BIGINT NOT NULL
);
CREATE INDEX latest_runs_of_account ON latest_runs (account_id, id);
