import { guardsIn } from "./guard.ts";

/** What protects embedded interpreters. */
export const embeddingGuards = guardsIn("packages/sandbox/src", [
  [
    "deno without a private folder",
    "S25",
    "deno/run-deno.ts",
    ", DENO_DIR: devNull };",
    " };",
    "embedded.slow.test.ts",
    { title: "deno writes nothing outside", needsBuild: true },
  ],
]);
