import createClient from "openapi-fetch";
import type { paths } from "./wayfile.js";

const { WAYFILE_API: baseUrl, WAYFILE_KEY: key = "", WAYFILE_SITE: url = "" } = process.env;
const client = createClient<paths>({ baseUrl, headers: { "x-api-key": key } });

// An address alone is a whole request, and the answer's fields have their types.
const made = await client.POST("/api/v1/generate", { body: { url } });
const domain: string | undefined = made.data?.domain;
const judged = await client.POST("/api/v1/validate", { body: { url } });
const lines: (number | null)[] | undefined = judged.data?.checks.map((check) => check.line);
const refused = await client.POST("/api/v1/generate", { body: { url: "" } });
const code: string | undefined = refused.error?.code;
if (domain !== "127.0.0.1" || !lines?.length || code !== "missing_field") throw new Error(JSON.stringify([domain, lines, code]));
