import assert from "node:assert/strict";
import { LIMITS } from "skillset";
import { type SourceScenario, skillMdOf, TEA, withSource } from "./source-contract-place.ts";

/** Results of listing and reading. */
export const readScenarios: readonly SourceScenario[] = [
  {
    id: "list",
    title: "Every skill is loaded with its description and without problems",
    run: (source) =>
      withSource(source, TEA, async ({ load, find, nameOf }) => {
        const skills = await load({ policy: "strict" });
        assert.deepEqual([...skills.names].sort(), ["coffee", "tea"].map(nameOf));
        assert.equal(find(skills, "tea").description, "Does tea. Use when asked for tea.");
        assert.deepEqual(skills.problems, []);
      }),
  },
  {
    id: "instructions",
    title: "The instructions are the Markdown below the frontmatter",
    run: (source) =>
      withSource(source, TEA, async ({ load, find }) => {
        const skills = await load();
        assert.equal((await find(skills, "tea").instructions()).trim(), "Read references/kinds.md.");
        assert.equal((await find(skills, "coffee").instructions()).trim(), "Instructions of coffee.");
      }),
  },
  {
    id: "activation",
    title: "Activating a skill lists its files, and the model can read them",
    run: (source) =>
      withSource(source, TEA, async ({ load, nameOf }) => {
        const session = await (await load()).session();
        const { files } = await session.activate(nameOf("tea"));
        assert.deepEqual(files, ["assets/leaf.png", "empty.txt", "references/kinds.md"]);
        assert.match((await session.files(nameOf("tea")).read("references/kinds.md")).content, /Grün/);
        await assert.rejects(session.files(nameOf("tea")).read("assets/leaf.png"), { code: "resource-not-text" });
      }),
  },
  {
    id: "files",
    title: "Files are listed with their size, also for one folder",
    run: (source) =>
      withSource(source, TEA, async ({ load, find }) => {
        const { files } = find(await load(), "tea");
        const listed = (await files.list()).filter(({ kind, path }) => kind === "file" && path !== "SKILL.md");
        const sizes = listed.map(({ path, size }) => [path, size]);
        assert.deepEqual(sizes, [
          ["assets/leaf.png", 7],
          ["empty.txt", 0],
          ["references/kinds.md", 19],
        ]);
        const inside = (await files.list("references")).map(({ path }) => path);
        assert.deepEqual(inside, ["references/kinds.md"]);
      }),
  },
  {
    id: "bytes",
    title: "Files are read byte for byte, whether text, binary or empty",
    run: (source) =>
      withSource(source, TEA, async ({ load, find }) => {
        const { files } = find(await load(), "tea");
        for (const path of ["references/kinds.md", "assets/leaf.png", "empty.txt", "SKILL.md"])
          assert.deepEqual(Buffer.from(await files.read(path)), Buffer.from(TEA[`tea/${path}`] as string), path);
      }),
  },
  {
    id: "normalised",
    title: "A path is normalised before it is read",
    run: (source) =>
      withSource(source, TEA, async ({ load, find }) => {
        const { files } = find(await load(), "tea");
        for (const path of ["./empty.txt", "references/../empty.txt", "references//..//empty.txt"])
          assert.equal((await files.read(path)).byteLength, 0, path);
      }),
  },
  {
    id: "contained",
    title: "A path that is absolute or leaves the skill is refused",
    run: (source) =>
      withSource(source, TEA, async ({ load, find }) => {
        const { files } = find(await load(), "tea");
        const paths = ["../coffee/secret.md", "references/../../coffee/secret.md", "..\\coffee\\secret.md"];
        for (const path of [...paths, "/etc/passwd", "C:\\secret", "empty.txt\0.md"])
          await assert.rejects(files.read(path), { code: "resource-outside-skill" }, path);
        await assert.rejects(files.list("../coffee"), { code: "resource-outside-skill" });
      }),
  },
  {
    id: "missing",
    title: "A file that does not exist is a one-line error that names it",
    run: (source) =>
      withSource(source, TEA, async ({ load, find }) => {
        const { files } = find(await load(), "tea");
        const message = /^[^\n]*references\/none\.md[^\n]*\.$/;
        await assert.rejects(files.read("references/none.md"), { code: "resource-not-found", message });
      }),
  },
  {
    id: "private",
    title: "A private file, such as .env, is neither listed nor read",
    run: (source) =>
      withSource(source, { ...TEA, "tea/.env": "KEY=1", "tea/.git/config": "x" }, async ({ load, find, nameOf }) => {
        const skills = await load();
        const listed = (await find(skills, "tea").files.list()).map(({ path }) => path);
        assert.deepEqual(
          listed.filter((path) => path.startsWith(".")),
          [],
        );
        const session = await skills.session();
        for (const path of [".env", ".git/config", "references/../.ENV"])
          await assert.rejects(session.files(nameOf("tea")).read(path), { code: "resource-not-found" }, path);
      }),
  },
  {
    id: "large-file",
    title: "A file over the size limit is refused, and the others are read",
    needs: "large-files",
    run: (source) => {
      const files = { ...TEA, "tea/large.bin": new Uint8Array(LIMITS.hard.file + 1) };
      return withSource(source, files, async ({ load, find }) => {
        const tea = find(await load(), "tea").files;
        await assert.rejects(tea.read("large.bin"), { code: "resource-too-large" });
        assert.equal((await tea.read("empty.txt")).byteLength, 0);
      });
    },
  },
  {
    id: "many-files",
    title: "The number of listed files is limited",
    needs: "large-files",
    run: (source) => {
      const many = Array.from({ length: LIMITS.hard.filesInSkill + 10 }, (_, index) => [`many/${index}.md`, "x"]);
      const files = { "many/SKILL.md": skillMdOf("many"), ...TEA, ...Object.fromEntries(many) };
      return withSource(source, files, async ({ load, find }) => {
        const skills = await load();
        find(skills, "tea");
        const listed = (await skills.get("many")?.files.list()) ?? [];
        assert.ok(listed.length <= LIMITS.hard.filesInSkill, `${listed.length} files are listed.`);
      });
    },
  },
  {
    id: "digest",
    title: "The digest is the same for the same content, and changes with any file",
    run: (source) =>
      withSource(source, TEA, async ({ place, load, find }) => {
        const before = await find(await load(), "tea").digest();
        assert.match(before, /^sha256:[0-9a-f]{64}$/);
        assert.equal(await find(await load(), "tea").digest(), before);
        await place.write("tea/empty.txt", "No longer.");
        const { skillset } = await (await load()).reload();
        assert.notEqual(await find(skillset, "tea").digest(), before);
      }),
  },
];
