// Runs a script that uses the folder that all sandboxes of the runtime share, and prints how it ended as JSON. A separate
// program, because the runner refuses to run as root.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxRuntime } from "../../../packages/skillset/src/scripts/runners/sandbox-runtime.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "shared-")));
const created = mkdirSync("/tmp/claude", { recursive: true });
const file = `/tmp/claude/skillset-test-${process.pid}`;
try {
  writeFileSync(file, "shared");
  const [skillFolder, outputFolder] = [join(root, "skill"), join(root, "output")];
  for (const folder of [skillFolder, outputFolder]) mkdirSync(folder);
  writeFileSync(join(skillFolder, "use.sh"), 'cat "$1" 2>/dev/null; echo changed 2>/dev/null >"$1"; echo done\n');
  const end = await sandboxRuntime().run({
    skillFolder,
    outputFolder,
    script: "use.sh",
    args: [file],
    limits: { time: 30_000, output: 100_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
  });
  console.log(JSON.stringify({ end, content: readFileSync(file, "utf8") }));
} finally {
  rmSync(created ?? file, { recursive: true, force: true });
  rmSync(root, { recursive: true, force: true });
}
