import assert from "node:assert/strict";
// #region program
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const command = pathOf("../../packages/skillset/bin/skillset.js");
const skills = pathOf("../../.skills");
const script = pathOf("./session.txt"); // the input for `skillset try`, line by line

const replay = spawnSync(process.execPath, [command, "try", skills, "--script", script], { encoding: "utf8" });
console.log(replay.stdout); // each line, and the text that a model would get
process.exitCode = replay.status ?? 1; // 0 if every line ends as expected
// #endregion
assert.equal(replay.stderr, "");
assert.equal(replay.status, 0);

/** Returns the output of each line. */
const replies = replay.stdout.split(/^> /m).slice(1);
const replyTo = (line: string): string => {
  const found = replies.find((reply) => reply.startsWith(`${line}\n`));
  assert.ok(found !== undefined, `'${line}' was replayed`);
  return found.slice(line.length + 1);
};
const NAME = "skills-system-validation";
assert.match(replyTo("prompt"), /<name>skills-system-validation<\/name>/);
assert.match(replyTo(`activate ${NAME}`), /^<skill_content name="skills-system-validation">[\s\S]+SSV-MARKER-SKILL-/);
assert.match(replyTo(`read ${NAME} references/REFERENCE.md`), /SSV-MARKER-REFERENCE-8b27d0[\s\S]+bittern/);
assert.match(replyTo(`read ${NAME} assets/fixture.json`), /SSV-MARKER-ASSET-e6035f[\s\S]+vermilion/);
assert.match(replyTo(`! read ${NAME} ../outside.txt`), /^Path traversal is not allowed/);
assert.match(replyTo(`! read ${NAME} /etc/hostname`), /^Path must be relative/);
assert.match(replyTo(`! call ${NAME} echo {"words": "one"}`), /has no tools/);
assert.match(replyTo(`/${NAME} with these words`), /by its name: with these words\n/);
assert.equal(replyTo("ledger").match(/^operation-failed /gm)?.length, 6);

/** A line that fails unexpectedly, or a `!` line that succeeds, is reported with its place. */
const wrong = spawnSync(process.execPath, [command, "try", skills], {
  encoding: "utf8",
  input: "activate nothing\n! active\n",
});
assert.equal(wrong.status, 1);
assert.equal(
  wrong.stderr,
  "stdin:1: error: This line failed.\nstdin:2: error: This line was expected to fail, but did not.\n",
);
