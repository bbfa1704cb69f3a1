-- said: what is to be known of a run, or why it failed. took_ms: unknown of runs that ended before this version.
ALTER TABLE latest_runs ADD COLUMN said TEXT NOT NULL DEFAULT '';
ALTER TABLE latest_runs ADD COLUMN took_ms BIGINT;
