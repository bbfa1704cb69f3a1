-- Accounts of people: a password, sessions, links in mails, mails that wait to be sent.
-- password_hash: argon2id in PHC form; none while no password was ever set.
-- deleted_at: the row stays for the usage that its keys counted, without the person.
ALTER TABLE accounts ADD COLUMN password_hash TEXT;
ALTER TABLE accounts ADD COLUMN deleted_at BIGINT;

-- hash: SHA-256 of what the cookie holds. expires_at: the session ends then, however much it is used.
CREATE TABLE sessions (
    hash BYTEA PRIMARY KEY,
    account_id BIGINT NOT NULL REFERENCES accounts (id),
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_of_account ON sessions (account_id);

-- Links in mails; kind: verify or reset. hash: SHA-256 of what the link holds.
-- password_hash: what was chosen at sign-up; it becomes the account's when this very link is used.
CREATE TABLE links (
    hash BYTEA PRIMARY KEY,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    password_hash TEXT,
    expires_at BIGINT NOT NULL
);
CREATE INDEX links_of_email ON links (email);

-- Mails that wait. They hold no link: one is made when the mail is sent, so that only its hash is ever here.
CREATE TABLE mails (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    password_hash TEXT,
    tries BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX mails_by_turn ON mails (due_at);
