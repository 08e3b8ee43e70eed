import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { ScriptEnd } from "../core/script/script.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { hideInFiles } from "./hide-in-files.ts";

vi.mock("./hide-in-files.ts", () => ({ hideInFiles: vi.fn(() => Promise.reject(new Error("the disk failed"))) }));

const EXITED: ScriptEnd = { outcome: "exited", exitCode: 0, command: [], stdout: "", stderr: "" };

test.each([
  ["exits", () => EXITED, "the disk failed"],
  [
    "fails",
    () => {
      throw new Error("the runner failed");
    },
    "the runner failed",
  ],
])("if secrets cannot be replaced after a run that %s, its files are removed once", async (_, end, message) => {
  const skills = await createSkillset(
    [temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Makes tea."), "tea/a.sh": "" })],
    {
      scripts: {
        consent: () => "once",
        runner: {
          level: "test",
          check: async () => undefined,
          run: async ({ outputFolder }) => {
            writeFileSync(join(outputFolder, "raw.txt"), "raw");
            return end();
          },
        },
      },
    },
  );
  const session = await skills.session();
  await session.scripts.outputs.write("before.txt", Buffer.from("before"));
  vi.mocked(hideInFiles).mockClear();
  await expect(session.scripts.run("tea", "a.sh")).rejects.toThrow(message);
  expect(hideInFiles).toHaveBeenCalledTimes(1);
  expect((await session.scripts.outputs.list()).map(({ path }) => path)).toEqual(["before.txt"]);
});
