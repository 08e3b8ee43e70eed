import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createSkillset } from "../../packages/skillset/src/index.ts";
import { IndexFile } from "../../packages/skillset/src/node/files/index-file.ts";
import { standardFolders } from "../../packages/skillset/src/node/load/sources.ts";
import { TrustStore } from "../../packages/skillset/src/node/trust/trust.ts";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { report } from "./report.ts";

/** Changed bytes of each file: 2,500 in the full run. */
const CASES = Math.min(Number(process.env.CASES ?? 250), 2_500);

/** Where the content of an index file starts, after its checksum. */
const CHECKED = 48;
const CONTROLS = 100;

function* changesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let state = 23;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let index = 0; index < CASES; index++) {
    const at = next(bytes.length);
    yield bytes.with(at, (bytes[at] ?? 0) ^ (1 + next(255)));
  }
}

test(`S23: ${CASES} changed bytes of a trust store never trust a skill that nobody trusted, and never fail`, async () => {
  const root = temporaryFolder({
    "repo/.git/HEAD": "",
    "repo/.agents/skills/ours/SKILL.md": skillMd("ours"),
    "repo/.agents/skills/evil/SKILL.md": skillMd("evil"),
  });
  const trustStore = new TrustStore(join(root, "config/trust.json"));
  const cwd = join(root, "repo");
  const load = () => createSkillset(standardFolders({ cwd, home: root, bundled: false }), { trustStore });
  trustStore.trust([join(cwd, ".agents/skills/ours")]);
  expect((await load()).names).toEqual(["ours"]);
  // Nobody has trusted what it is now.
  writeFiles(cwd, { ".agents/skills/ours/SKILL.md": skillMd("ours", "Changed.") });
  let [through, naive] = [0, 0];
  for (const bytes of changesOf(readFileSync(trustStore.path))) {
    writeFileSync(trustStore.path, bytes);
    const { names } = await load().catch(() => ({ names: ["failed"] }));
    if (names.length > 0) through++;
    naive += failsNaively(bytes);
  }
  const control = `\`JSON.parse\` throws for ${naive.toLocaleString("en")}`;
  report("S23", { tried: "changed bytes of a trust store", cases: CASES, through, control });
  expect(through).toBe(0);
  expect(naive).toBeGreaterThan(CASES / 10);
});

function failsNaively(bytes: Uint8Array): number {
  try {
    JSON.parse(Buffer.from(bytes).toString());
    return 0;
  } catch {
    return 1;
  }
}

test(`S23: ${CASES} changed bytes of an index file never change a search, and are reported`, async () => {
  const names = ["tea", "coffee", "cocoa", "juice", "water"];
  const texts = names.map((name) => [`skills/${name}/SKILL.md`, skillMd(name, `Makes ${name}.`, `Pour the ${name}.`)]);
  const cwd = temporaryFolder(Object.fromEntries(texts));
  const rank = async (indexFile: string, onProblem: () => void = () => {}) => {
    const skillset = await createSkillset("skills", { cwd, indexFile, onProblem });
    const found = await Promise.all(["makes", "pour cocoa", "water tea"].map((query) => skillset.rank(query)));
    return JSON.stringify(found.map((one) => one.map(({ skill, score }) => [skill.name, score])));
  };
  const expected = await rank("index");
  const saved = await vi.waitFor(() => readFileSync(join(cwd, "index")));
  let [through, unreported, changed, file] = [0, 0, 0, 0];
  for (const bytes of changesOf(saved)) {
    const name = `index-${file++}`;
    writeFileSync(join(cwd, name), bytes);
    const onProblem = vi.fn();
    if ((await rank(name, onProblem).catch(String)) !== expected) through++;
    if (onProblem.mock.calls.length === 0) unreported++;
  }
  for (const content of [...changesOf(saved.subarray(CHECKED))].slice(0, CONTROLS)) {
    const name = `index-${file++}`;
    await new IndexFile(join(cwd, name), () => {}).write([content]);
    if ((await rank(name).catch(String)) !== expected) changed++;
  }
  const control = `with a checksum that fits, ${changed} of ${CONTROLS} change the search`;
  report("S23", { tried: "changed bytes of an index file", cases: CASES, through: through + unreported, control });
  expect([through, unreported]).toEqual([0, 0]);
  expect(changed).toBeGreaterThan(0);
});
