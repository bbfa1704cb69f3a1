-- Bodies of kept answers lie apart: what is looked at often is small, and what counts everybody's quota writes none.
-- bytes: as they lie here. coding: zstd, or identity for what version 2 kept.
CREATE TABLE answer_bodies (
    key_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    laid_at BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    coding TEXT NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (key_id, name),
    FOREIGN KEY (key_id, name) REFERENCES answers (key_id, name) ON DELETE CASCADE
);
CREATE INDEX answer_bodies_of_account ON answer_bodies (account_id, laid_at, key_id, name, bytes);
INSERT INTO answer_bodies (key_id, name, account_id, laid_at, bytes, coding, body)
SELECT a.key_id, a.name, k.account_id, a.created_at, octet_length(a.body), 'identity', convert_to(a.body, 'UTF8')
FROM answers a JOIN keys k ON k.id = a.key_id WHERE a.status IS NOT NULL;
ALTER TABLE answers DROP COLUMN body;
-- Names of requests that run: few, and looked at every few seconds.
CREATE INDEX answers_open ON answers (run_id) WHERE status IS NULL;

-- probes: counts up to see whether anything can be written.
ALTER TABLE runs ADD COLUMN probes BIGINT NOT NULL DEFAULT 0;

CREATE INDEX keys_revoked ON keys (account_id, revoked_at) WHERE revoked_at IS NOT NULL;
