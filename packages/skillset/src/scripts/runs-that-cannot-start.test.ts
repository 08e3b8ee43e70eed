import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/load/create-skillset.ts";

describe("a run that cannot start", () => {
  const FILES = {
    "skills/tea/SKILL.md": skillMd("tea"),
    "skills/tea/scripts/notes.txt": "no script\n",
    "skills/tea/scripts/brew.sh": "echo brewed\n",
  };

  test("asks nobody about a file that is no script", async () => {
    let asked = 0;
    const consent = () => {
      asked++;
      return "once" as const;
    };
    const scripts = { runner: "subprocess", consent } as const;
    const session = await (await createSkillset(["./skills"], { cwd: temporaryFolder(FILES), scripts })).session();
    const reason = expect.stringContaining('The language of "SKILL.md" is unknown');
    expect(await session.scripts.run("tea", "SKILL.md")).toMatchObject({ outcome: "refused", reason });
    expect(asked).toBe(0);
    expect(await session.scripts.run("tea", "scripts/brew.sh")).toMatchObject({ outcome: "exited" });
    expect(asked).toBe(1);
  });

  test("has the outcome aborted if its signal was aborted before, or while somebody is asked", async () => {
    const controller = new AbortController();
    const consent = async () => {
      controller.abort();
      return new Promise<never>(() => {});
    };
    const scripts = { runner: "subprocess", consent } as const;
    const session = await (await createSkillset(["./skills"], { cwd: temporaryFolder(FILES), scripts })).session();
    const aborted = { outcome: "aborted", skill: "tea", level: "subprocess", stdout: "", files: [] };
    const early = await session.scripts.run("tea", "scripts/brew.sh", { signal: AbortSignal.abort() });
    expect(early).toMatchObject(aborted);
    expect(await session.scripts.run("tea", "scripts/brew.sh", { signal: controller.signal })).toMatchObject(aborted);
  });

  test("names a wrong option and a wrong argument", async () => {
    const session = await (await createSkillset([], { scripts: { runner: "subprocess" } })).session();
    await expect(session.scripts.run("tea", "a.sh", { tiemout: 5 } as never)).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining("scripts.run() has no option 'tiemout'."),
    });
    for (const [name, script] of [
      ["tea", 5],
      [undefined, "a.sh"],
    ])
      await expect(session.scripts.run(name as string, script as string)).rejects.toMatchObject({
        code: "option-invalid",
      });
    await expect(session.scripts.prepare("tea", { signl: 1 } as never)).rejects.toMatchObject({
      code: "option-invalid",
    });
  });

  test.each([null, 5, []])("refuses the limits %j by name", async (limits) => {
    const opened = createSkillset([], { scripts: { runner: "subprocess", limits: limits as never } });
    await expect(opened).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining("'scripts.limits'"),
    });
  });
});
