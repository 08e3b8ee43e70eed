import { afterEach, expect, test, vi } from "vitest";
import { loadClaudeAgentSDK } from "./claude-agent-sdk.ts";

const NAME = "@anthropic-ai/claude-agent-sdk";
const query = () => {};

afterEach(() => {
  vi.doUnmock(NAME);
  vi.resetModules();
});

test("a version of the SDK without a function of supported versions is refused with the range", async () => {
  vi.doMock(NAME, () => ({ query, prewarm: undefined }));
  await expect(loadClaudeAgentSDK()).rejects.toMatchObject({
    code: "peer-unsupported",
    message: expect.stringMatching(/has no 'prewarm'.* needs >=0\.3\.282 <1\. Run "npm install .*sdk@0\.3"/),
  });
});

test("a supported version is loaded", async () => {
  vi.doMock(NAME, () => ({ query, prewarm: () => {} }));
  expect(await loadClaudeAgentSDK()).toMatchObject({ query });
});
