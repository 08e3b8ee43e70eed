import { guardsIn } from "./guard.ts";

/** What protects compiling skills into bundles. */
export const compilingGuards = guardsIn("packages/unplugin/src", [
  [
    "the ids of modules",
    "S21",
    "module-ids.ts",
    "folder.replace(/[^\\w./ \\p{L}\\p{N}-]/gu, encode)",
    "folder",
    "test/security/s21-compiled.test.ts",
    { needsBuild: true },
  ],
]);
