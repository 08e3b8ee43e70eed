import { expect, test, vi } from "vitest";
import { parseConfig } from "../config/config.ts";
import { createLog } from "../observe/log.ts";
import { openScripts } from "./script-options.ts";

vi.mock("skillset/scripts", async (importOriginal) => ({
  ...(await importOriginal<typeof import("skillset/scripts")>()),
  createScriptRunner: async () => ({
    reason: "no sandbox works here.",
    fix: "Run: npm install @skillset/sandbox",
    warnings: [],
  }),
}));

test("a missing sandbox is a problem that also says how npx installs it", async () => {
  const config = parseConfig('[app.skills]\nenabled = true\nscripts = "auto"', "/any/config.toml");
  if (config.skills === null) throw new Error("Skills are enabled.");
  expect(await openScripts(config, config.skills, { environment: {}, log: createLog("silent") })).toEqual({
    problems: [
      {
        code: "scripts-disabled",
        severity: "warning",
        message: "Scripts are disabled: no sandbox works here.",
        fix: "Run: npm install @skillset/sandbox. With npx: 'npx -p @skillset/chat -p @skillset/sandbox skillset-chat'.",
      },
    ],
  });
});
