import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { MarkdownSection, Prompt, PromptTemplate } from "../prompt/index.ts";
import { ClaudeAgentSDKAdapter, ClaudeAgentWorkspaceSection } from "./index.ts";

const LARGE = 64 * 1024 * 1024;

function setUp({ large = false } = {}) {
  const root = temporaryFolder({ "repo/a.md": "a", "repo/docs/b.md": "b" });
  if (large) {
    writeFileSync(join(root, "repo/large.bin"), "");
    truncateSync(join(root, "repo/large.bin"), LARGE);
  }
  const mounts = [{ hostPath: join(root, "repo"), mountPath: "code/repo", readOnly: true }];
  const workspace = new ClaudeAgentWorkspaceSection({ mounts, allowedHostRoots: [root] });
  onTestFinished(() => workspace.cleanup());
  return { root, workspace, copy: join(workspace.tempDir, "code/repo") };
}

/** Evaluates a prompt with an agent that only lists the files in a folder. */
async function evaluate(workspace: ClaudeAgentWorkspaceSection, folder: string, signal?: AbortSignal) {
  const seen: string[] = [];
  const query = async function* ({ prompt }: { prompt: AsyncIterable<unknown> }) {
    for await (const _ of prompt) {
      seen.push(...readdirSync(folder).sort());
      yield { type: "result", subtype: "success", result: "Done." };
    }
  };
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Do it." });
  const prompt = new Prompt(new PromptTemplate({ ns: "t", key: "k", sections: [task, workspace] }));
  await new ClaudeAgentSDKAdapter({ sdk: { query } }).evaluate(prompt, { ...(signal && { signal }) });
  return seen;
}

describe("a workspace copies its mounts when it is opened", () => {
  test("creating it copies nothing, and an evaluation opens it before the agent is called", async () => {
    const { workspace, copy } = setUp();
    expect(readdirSync(workspace.tempDir)).toEqual([]);
    expect(await evaluate(workspace, copy)).toEqual(["a.md", "docs"]);
  });

  test("invalid mounts throw in the constructor, and leave no folder", () => {
    const TMPDIR = temporaryFolder();
    vi.stubEnv("TMPDIR", TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    const mounts = [{ hostPath: "/etc/passwd" }];
    expect(() => new ClaudeAgentWorkspaceSection({ mounts, allowedHostRoots: [TMPDIR] })).toThrow("outside");
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  test("every workspace of a prompt is opened", async () => {
    const root = temporaryFolder({ "repo/a.md": "a" });
    const mounts = [{ hostPath: join(root, "repo") }];
    using first = new ClaudeAgentWorkspaceSection({ mounts, allowedHostRoots: [root], key: "first" });
    using second = new ClaudeAgentWorkspaceSection({ mounts, allowedHostRoots: [root], key: "second" });
    const sections = [first, second];
    const query = async function* () {
      yield { type: "result", subtype: "success", result: "Done." };
    };
    const prompt = new Prompt(new PromptTemplate({ ns: "t", key: "k", sections }));
    await new ClaudeAgentSDKAdapter({ sdk: { query } }).evaluate(prompt);
    expect(sections.map(({ tempDir }) => readdirSync(join(tempDir, "repo")))).toEqual([["a.md"], ["a.md"]]);
  });

  test("only the first call copies: the agent's changes are kept", async () => {
    const { root, workspace } = setUp();
    await workspace.open();
    writeFileSync(join(workspace.tempDir, "notes.md"), "mine");
    writeFileSync(join(root, "repo/late.md"), "late");
    await Promise.all([workspace.open(), workspace.open()]);
    expect(readdirSync(workspace.tempDir)).toEqual(["code", "notes.md"]);
    expect(await evaluate(workspace, join(workspace.tempDir, "code/repo"))).toEqual(["a.md", "docs"]);
  });

  test("concurrent calls copy once", async () => {
    const { workspace, copy } = setUp({ large: true });
    await Promise.all([workspace.open(), workspace.open(), evaluate(workspace, copy)]);
    expect(readdirSync(copy).sort()).toEqual(["a.md", "docs", "large.bin"]);
  });

  test("it reports the number of copied bytes, even within a large file", async () => {
    const { workspace } = setUp({ large: true });
    const onProgress = vi.fn();
    await workspace.open({ onProgress });
    const counts = onProgress.mock.calls.map(([bytes]) => bytes as number);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(LARGE + 2);
  });

  test("other work continues during the copy, an abort removes the copies, and the next call starts again", async () => {
    const { workspace, copy } = setUp({ large: true });
    const controller = new AbortController();
    const reason = new Error("enough");
    const opening = workspace.open({ signal: controller.signal, onProgress: () => controller.abort(reason) });
    await expect(opening).rejects.toBe(reason);
    expect(existsSync(copy)).toBe(false);
    await expect(workspace.open({ signal: controller.signal })).rejects.toBe(reason);
    await workspace.open();
    expect(readdirSync(copy).sort()).toEqual(["a.md", "docs", "large.bin"]);
  });

  test("aborting one call does not stop another", async () => {
    const { workspace, copy } = setUp({ large: true });
    const controller = new AbortController();
    const first = workspace.open({ signal: controller.signal });
    const second = workspace.open();
    controller.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    await second;
    expect(readFileSync(join(copy, "a.md"), "utf8")).toBe("a");
  });

  test("a failed copy leaves nothing of the mounts behind", async () => {
    const root = temporaryFolder({ "repo/a.md": "aaaa", "more/b.md": "bbbb" });
    const mounts = [{ hostPath: join(root, "repo"), readOnly: true }, { hostPath: join(root, "more") }];
    using workspace = new ClaudeAgentWorkspaceSection({ mounts, allowedHostRoots: [root], maxBytes: 5 });
    await expect(workspace.open()).rejects.toThrow("cannot be mounted: The mount has more than 5 bytes.");
    expect(readdirSync(workspace.tempDir)).toEqual([]);
  });

  test("a path that already exists in the folder is an error, and is kept", async () => {
    const { workspace, copy } = setUp();
    mkdirSync(copy, { recursive: true });
    await expect(workspace.open()).rejects.toThrow("'code/repo' already exists in the workspace.");
    expect(existsSync(copy)).toBe(true);
  });

  test("cleaning up stops the copy, and a removed workspace cannot be opened", async () => {
    const { workspace } = setUp({ large: true });
    const opening = workspace.open();
    await setImmediate();
    workspace.cleanup();
    await expect(opening).rejects.toThrow("The workspace was cleaned up.");
    await expect(workspace.open()).rejects.toThrow("The workspace was cleaned up.");
    expect(existsSync(workspace.tempDir)).toBe(false);
  });
});

test("skills that two evaluations mount concurrently are mounted once, and an abort leaves no partial copy", async () => {
  const root = temporaryFolder({ "skills/pdf/SKILL.md": skillMd("pdf"), "skills/pdf/z.bin": "" });
  truncateSync(join(root, "skills/pdf/z.bin"), 8 * 1024 * 1024);
  using workspace = new ClaudeAgentWorkspaceSection({ mounts: [], allowedHostRoots: [] });
  const [folder, target] = [join(root, "skills/pdf"), join(workspace.tempDir, "skills/pdf")];
  const mounts = [{ name: "pdf", folder, root: join(root, "skills"), location: "skills/pdf" }];
  const controller = new AbortController();
  const aborted = workspace.mountSkills(mounts, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  expect(existsSync(target)).toBe(false);
  await Promise.all([workspace.mountSkills(mounts), workspace.mountSkills(mounts)]);
  expect(readdirSync(target).sort()).toEqual(["SKILL.md", "z.bin"]);
});
