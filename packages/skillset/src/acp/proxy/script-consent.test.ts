import { expect, test } from "vitest";
import type { ConsentRequest } from "../../core/script/script.ts";
import { askForScript } from "./script-consent.ts";

const REQUEST: ConsentRequest = {
  skill: "ocr",
  digest: "sha256:1",
  script: "scripts/read.sh",
  args: ["a.png"],
  files: {},
  level: "bubblewrap",
  signal: new AbortController().signal,
};

async function titleFor(request: ConsentRequest): Promise<unknown> {
  let shown: unknown;
  const ask = async (_method: string, params: object) => {
    shown = params;
    return { outcome: { outcome: "selected", optionId: "once" } };
  };
  expect(await askForScript(request, ask, { sessionId: "s", callId: "c" })).toBe("once");
  return shown;
}

test("the editor's user sees the script, its sandbox, and the names of its variables", async () => {
  const title = "Run scripts/read.sh of skill 'ocr' in the sandbox 'bubblewrap'";
  expect(await titleFor(REQUEST)).toMatchObject({ toolCall: { title, rawInput: { args: ["a.png"] } } });
  expect(await titleFor({ ...REQUEST, env: ["OCR_TOKEN", "OCR_USER"] })).toMatchObject({
    toolCall: { title: `${title}, with OCR_TOKEN, OCR_USER`, rawInput: { env: ["OCR_TOKEN", "OCR_USER"] } },
  });
});
