-- The numbers of mails are given once here already.
SELECT 1;
