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
  [
    "the literals of texts",
    "S21",
    "generate-code.ts",
    "{literal(text)};",
    "{text};",
    "test/security/s21-compiled.test.ts",
    { title: "S21: nothing in", needsBuild: true },
  ],
  [
    "the library in bundles",
    "S21",
    "plugin.ts",
    "if (LIBRARY.test(id)) return isFromOurs(importer) ? resolveLibrary(this, id, root) : undefined;",
    "if (LIBRARY.test(id)) return undefined;",
    "test/security/s21-compiled.test.ts",
    { title: "S21: with (vite|rolldown|webpack)", needsBuild: true },
  ],
  [
    "the library in bundles of esbuild",
    "S21",
    "esbuild-setup.ts",
    "if (!isFromOurs(importer)) return undefined;",
    "if (importer) return undefined;",
    "test/security/s21-compiled.test.ts",
    { title: "S21: with esbuild", needsBuild: true },
  ],
]);
