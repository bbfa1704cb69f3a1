-- What nodes share while they run. All of it may be lost with a crash of the database: nodes ask again.
-- state: JSON; whoever changes it names the version that it has read.
CREATE UNLOGGED TABLE shared (
    name TEXT PRIMARY KEY,
    version BIGINT NOT NULL,
    state TEXT NOT NULL,
    touched_at BIGINT NOT NULL
);
CREATE INDEX shared_by_age ON shared (touched_at);
-- Its absence tells that the table was emptied by a crash. Before the first node has started nothing was lost.
INSERT INTO shared (name, version, state, touched_at) VALUES ('', 1, '0', 0);

-- The rate of a key: when it will be unused again.
CREATE UNLOGGED TABLE rates (
    key_id BIGINT PRIMARY KEY,
    unused_at BIGINT NOT NULL
);

-- Who crawls for a key: places are numbered from 1, and those of a run that is not in `runs` are free.
CREATE UNLOGGED TABLE crawl_places (
    key_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    holder BYTEA NOT NULL,
    run_id BYTEA NOT NULL,
    PRIMARY KEY (key_id, place)
);
