import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { makeTemporaryFolder, removeOwnedFolder } from "../../../node/copy/owned-folder.ts";

/** Runs a script that shows what arrives. Returns what does not work, and undefined if everything does. */
export async function checkRemote(run: (job: ScriptJob) => Promise<ScriptEnd>): Promise<string | undefined> {
  const folder = makeTemporaryFolder("skillset-check-");
  const [skillFolder, outputFolder] = [join(folder, "skill"), join(folder, "output")];
  try {
    for (const one of [skillFolder, outputFolder]) mkdirSync(one);
    writeFileSync(join(skillFolder, "check.sh"), SCRIPT);
    const end = await run({
      skillFolder,
      outputFolder,
      script: "check.sh",
      args: ARGS,
      stdin: "input\n",
      env: { SKILLSET_CHECK: "a\n'b' $(c)" },
      limits: { time: 60_000, output: 10_000, memory: 512 * 1024 * 1024, processes: 64, files: 1_000_000 },
      signal: new AbortController().signal,
      onOutput: () => {},
    });
    if (end.outcome === "refused") return `a script was refused: ${end.reason}`;
    if (end.outcome !== "exited" || end.exitCode !== 0) return `a script did not end as expected (${end.outcome}).`;
    const lines = [...ARGS.map((arg) => `<${arg}>`), "<a\n'b' $(c)>", "input"];
    if (end.stdout !== `${lines.join("\n")}\n`)
      return "arguments, variables or input did not arrive as they were sent.";
    return readFileSync(join(outputFolder, "out.txt"), "utf8") === "output\n" ? undefined : FILES;
  } catch {
    return FILES;
  } finally {
    removeOwnedFolder(folder);
  }
}

const FILES = "files of a script did not come back.";

const ARGS = ["two  words", `it's "$HOME" \`no\` $(no)`, "", "*", "a\\b", "grün !"];

const SCRIPT = `for arg in "$@" "$SKILLSET_CHECK"; do printf '%s\\n' "<$arg>"; done
cat
echo output >"$OUTPUT_DIR/out.txt"
`;
