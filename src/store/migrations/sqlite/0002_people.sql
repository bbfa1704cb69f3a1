-- Accounts of people: a password, sessions, links in mails, mails that wait to be sent.
-- password_hash: argon2id in PHC form; none while no password was ever set.
-- deleted_at: the row stays for the usage that its keys counted, without the person.
ALTER TABLE accounts ADD COLUMN password_hash TEXT;
ALTER TABLE accounts ADD COLUMN deleted_at INTEGER;

-- hash: SHA-256 of what the cookie holds. expires_at: the session ends then, however much it is used.
CREATE TABLE sessions (
    hash BLOB PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_account ON sessions (account_id);

-- Links in mails; kind: verify or reset. hash: SHA-256 of what the link holds.
-- password_hash: what was chosen at sign-up; it becomes the account's when this very link is used.
CREATE TABLE links (
    hash BLOB PRIMARY KEY,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    password_hash TEXT,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX links_of_email ON links (email);

-- Mails that wait. They hold no link: one is made when the mail is sent, so that only its hash is ever here.
CREATE TABLE mails (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    password_hash TEXT,
    tries INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mails_by_turn ON mails (due_at);
