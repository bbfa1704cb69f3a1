-- With SQLite there is one node, which shares nothing: what PostgreSQL has tables for is in its memory.
SELECT 1;
