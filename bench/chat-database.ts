// The embedded database alone, for bench/chat-load.ts: `node bench/chat-database.ts FOLDER`.
import { PGlite } from "@electric-sql/pglite";
import { reportProcess } from "./report-process.ts";

const database = await PGlite.create(process.argv[2] ?? "");
await database.query("SELECT 1");
reportProcess("", () => database.close());
