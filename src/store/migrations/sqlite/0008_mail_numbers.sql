-- A number is given once: who ends with a mail that is gone must not end another one.
CREATE TABLE numbered_mails (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    password_hash TEXT,
    tries INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO numbered_mails SELECT id, kind, email, password_hash, tries, due_at, created_at FROM mails;
DROP TABLE mails;
ALTER TABLE numbered_mails RENAME TO mails;
CREATE INDEX mails_by_turn ON mails (due_at);
