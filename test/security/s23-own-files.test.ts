import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createSkillset,
  defineSkill,
  MemorySessionStore,
  type SessionState,
} from "../../packages/skillset/src/index.ts";
import { standardFolders } from "../../packages/skillset/src/node/load/sources.ts";
import { TrustStore } from "../../packages/skillset/src/node/trust/trust.ts";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { CASES, changesOf, readJson } from "./changed-bytes.ts";
import { report } from "./report.ts";

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
    if (readJson(bytes) === undefined) naive++;
  }
  const control = `\`JSON.parse\` throws for ${naive.toLocaleString("en")}`;
  report("S23", { tried: "changed bytes of a trust store", cases: CASES, through, control });
  expect(through).toBe(0);
  expect(naive).toBeGreaterThan(CASES / 10);
});

test(`S23: ${CASES} changed bytes of a session's state are refused, or cause no error`, async () => {
  const skills = ["bank", "tea"].map((name) =>
    defineSkill({ name, description: `Does ${name}.`, body: `Do ${name}.`, allowedTools: ["Read"] }),
  );
  const skillset = await createSkillset(skills, { allowedTools: "enforce" });
  const store = new MemorySessionStore();
  const first = await skillset.session({ id: "1", store });
  await first.activate("bank", { arguments: "now" });
  await first.turn([{ role: "user", text: "/tea now" }]);
  await first.use(await createSkillset([...skills, defineSkill({ name: "new", description: "N.", body: "N." })]));
  const history = ["/tea now", "more"].flatMap((text) => [
    { role: "user" as const, text },
    { role: "assistant" as const, text: "Yes." },
  ]);
  const later = [...history, { role: "user" as const, text: "again" }];
  await first.turn(history.slice(0, 3));
  await first.turn(later);
  const saved = (await store.load("1")) as SessionState;
  expect(saved).toMatchObject({ catalog: expect.anything(), notices: expect.arrayContaining([expect.anything()]) });
  let [through, refused, naive, read] = [0, 0, 0, 0];
  for (const bytes of changesOf(Buffer.from(JSON.stringify(saved)))) {
    const state = readJson(bytes) as SessionState | undefined;
    if (state === undefined) continue;
    read++;
    const use = async (): Promise<void> => {
      const session = await skillset.session({ id: "1", store: { load: async () => state, save: async () => {} } });
      await session.turn(later);
      session.checkTool("Bash", { command: "ls" });
    };
    const error = await use().then(() => undefined, Object);
    if (error === undefined) continue;
    if (error.code === "store-failed") refused++;
    else through++;
    const isPlausible = state.version === 3 && Array.isArray(state.active);
    if (error.code === "store-failed" && isPlausible) naive++;
  }
  const control = `of ${read} that are JSON, ${refused} are refused; ${naive} of them have a version and a list of skills`;
  report("S23", { tried: "changed bytes of a session's state", cases: CASES, through, control });
  expect(through).toBe(0);
  expect(naive).toBeGreaterThan(CASES / 50);
});
