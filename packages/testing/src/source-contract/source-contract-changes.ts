import assert from "node:assert/strict";
import { createSkillset, defineSkill } from "skillset";
import { type SourceScenario, skillMdOf, TEA, withSource } from "./source-contract-place.ts";

const NO_CHANGES = { added: [], removed: [], changed: [] };

/** Effects of reloads, failures and aborted calls. */
export const changeScenarios: readonly SourceScenario[] = [
  {
    id: "reload",
    title: "A reload finds added, changed and removed skills, and the old set does not change",
    run: (source) =>
      withSource(source, TEA, async ({ place, load, find, nameOf }) => {
        const before = await load();
        await place.write("tea/SKILL.md", skillMdOf("tea", "Steep it.\n"));
        await place.write("milk/SKILL.md", skillMdOf("milk"));
        await place.write("coffee/SKILL.md", undefined);
        const { skillset, changes } = await before.reload();
        assert.deepEqual(changes, { added: [nameOf("milk")], removed: [nameOf("coffee")], changed: [nameOf("tea")] });
        assert.equal((await find(skillset, "tea").instructions()).trim(), "Steep it.");
        assert.deepEqual([...before.names].sort(), ["coffee", "tea"].map(nameOf));
        assert.notEqual(skillset.fingerprint, before.fingerprint);
      }),
  },
  {
    id: "unchanged",
    title: "A reload of an unchanged place reports no changes",
    run: (source) =>
      withSource(source, TEA, async ({ load }) => {
        const before = await load();
        const { skillset, changes } = await before.reload();
        assert.deepEqual(changes, NO_CHANGES);
        assert.equal(skillset.fingerprint, before.fingerprint);
      }),
  },
  {
    id: "watch",
    title: "Watching reports a change without a reload, until it is closed",
    needs: "watch",
    run: (source) =>
      withSource(source, TEA, async ({ place, load, nameOf }) => {
        const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
        const onError = reject;
        const watcher = (await load()).watch(({ changes }) => resolve(changes.added), { debounce: 10, onError });
        const deadline = setTimeout(() => reject(new Error("No change was reported.")), 10_000);
        try {
          await watcher.ready;
          await place.write("milk/SKILL.md", skillMdOf("milk"));
          assert.deepEqual(await promise, [nameOf("milk")]);
          assert.ok(watcher.current.has(nameOf("milk")));
        } finally {
          clearTimeout(deadline);
          await watcher.close();
        }
      }),
  },
  {
    id: "first-failure",
    title: "A place that fails at the first load is a problem, and the skills of other places are loaded",
    needs: "first-failure",
    run: (source) =>
      withSource(source, TEA, async ({ place, nameOf }) => {
        await place.setBroken(true);
        const other = defineSkill({ name: "other", description: "Is in code.", body: "# Other" });
        const skills = await createSkillset([place.input, other]);
        assert.deepEqual(skills.names, ["other"]);
        const [problem] = skills.problems;
        assert.deepEqual([problem?.code, problem?.severity], ["source-unreadable", "error"]);
        await place.setBroken(false);
        const { changes } = await skills.reload();
        assert.deepEqual([...changes.added].sort(), ["coffee", "tea"].map(nameOf));
      }),
  },
  {
    id: "failure",
    title: "A place that fails later keeps its skills, with a problem, until it works again",
    run: (source) =>
      withSource(source, TEA, async ({ place, load }) => {
        const before = await load();
        await place.setBroken(true);
        const { skillset, changes } = await before.reload();
        assert.deepEqual(changes, NO_CHANGES);
        assert.ok(skillset.problems.some(({ code }) => code === "source-kept"));
        await place.setBroken(false);
        assert.deepEqual((await skillset.reload()).skillset.problems, []);
      }),
  },
  {
    id: "read-failure",
    title: "A temporarily unreadable file is a one-line error, and can be read later",
    needs: "read-failure",
    run: (source) =>
      withSource(source, TEA, async ({ place, load, find }) => {
        const { files } = find(await load(), "tea");
        await place.setBroken(true);
        await assert.rejects(files.read("empty.txt"), { name: "SkillError", message: /^[^\n]+\.$/ });
        await place.setBroken(false);
        assert.equal((await files.read("empty.txt")).byteLength, 0);
      }),
  },
  {
    id: "abort",
    title: "An aborted load, reload or read rejects with the reason, and the next one works",
    run: (source) =>
      withSource(source, TEA, async ({ load, find }) => {
        const reason = new Error("Stopped by the test.");
        const signal = AbortSignal.abort(reason);
        await assert.rejects(load({ signal }), reason);
        const skills = await load();
        await assert.rejects(skills.reload({ signal }), reason);
        await assert.rejects(find(skills, "tea").files.read("empty.txt", { signal }), reason);
        await assert.rejects(find(skills, "tea").instructions({ signal }), reason);
        assert.deepEqual((await skills.reload()).changes, NO_CHANGES);
      }),
  },
];
