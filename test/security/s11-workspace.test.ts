import { lstatSync, readFileSync, realpathSync, renameSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ClaudeAgentWorkspaceSection } from "../../packages/skillset/src/claude/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { watchOperations } from "./file-faults.ts";
import { report } from "./report.ts";

const SECRET = "the secret of the neighbours";

/** The mounted path, the path that is swapped for a link, and the link's target. */
const SWAPS = {
  "file in a mounted folder": ["roots/repo", "roots/repo/docs/a.md", "secret.txt"],
  "folder in a mounted folder": ["roots/repo", "roots/repo/docs", "outside/docs"],
  "mounted folder": ["roots/repo", "roots/repo", "outside"],
  "folder above a mounted folder": ["roots/repo/docs", "roots/repo", "outside"],
  "mounted file": ["roots/repo/docs/a.md", "roots/repo/docs/a.md", "secret.txt"],
} as const;

test.each(Object.entries(SWAPS))(
  "a %s that is swapped for a link before any file operation, and back before a later one, is never followed",
  async (what, [mount, path, target]) => {
    const root = temporaryFolder({ "secret.txt": SECRET, "outside/docs/a.md": SECRET, "roots/repo/docs/a.md": "own" });
    const swap = { path: join(root, path), target: join(root, target), aside: join(root, "aside") };
    const hostPath = join(root, mount);
    const roots = join(root, "roots");
    const mounted = await race(swap, () => copyInWorkspace(hostPath, roots));
    const naive = await race(swap, () => naiveCopy(hostPath, roots));
    report("S11", {
      tried: "copies of a mount that is swapped",
      cases: mounted.tried,
      through: mounted.secret,
      control: "resolving links and then reading shows the secret",
      note: `of a swapped ${what}: ${mounted.own} copies had the mount's content, ${mounted.refused} were refused; the control shows the secret in ${naive.secret} of ${naive.tried} swaps`,
    });
    expect(mounted.secret).toBe(0);
    expect(mounted.own).toBeGreaterThan(0);
    expect(naive.secret).toBeGreaterThan(0);
  },
);

/** Runs the action once for each moment of a swap, and counts its reads of the target. */
async function race(swap: { path: string; target: string; aside: string }, read: () => string | Promise<string>) {
  const seen = { tried: 0, secret: 0, own: 0, refused: 0 };
  const count = await watchOperations(() => {}, read);
  for (let start = 1; start <= count; start++) {
    for (const length of [1, 2, count]) {
      let isBusy = false;
      let isSwapped = false;
      const change = (wanted: boolean): void => {
        if (isSwapped === wanted) return;
        isBusy = true;
        if (wanted) renameSync(swap.path, swap.aside);
        if (wanted) symlinkSync(swap.target, swap.path);
        else unlinkSync(swap.path);
        if (!wanted) renameSync(swap.aside, swap.path);
        isBusy = false;
        isSwapped = wanted;
      };
      let text = "";
      let own = 0;
      await watchOperations(
        () => {
          // The swap itself consists of file operations too.
          if (isBusy) return;
          own++;
          change(own >= start && own < start + length);
        },
        async () => {
          try {
            text = await read();
          } catch {}
        },
      );
      change(false);
      seen.tried++;
      seen[text === SECRET ? "secret" : text === "own" ? "own" : "refused"]++;
    }
  }
  return seen;
}

async function copyInWorkspace(hostPath: string, root: string): Promise<string> {
  using workspace = new ClaudeAgentWorkspaceSection({
    mounts: [{ hostPath, mountPath: "copy" }],
    allowedHostRoots: [root],
  });
  await workspace.open();
  return readBelow(join(workspace.tempDir, "copy"));
}

/** Naive: resolves each part, and then reads it by its path. */
function naiveCopy(hostPath: string, root: string): string {
  const real = realpathSync(hostPath);
  if (!real.startsWith(`${root}/`)) throw new Error("outside");
  return readBelow(hostPath, (part) => {
    if (!realpathSync(part).startsWith(real)) throw new Error("outside");
  });
}

/** Returns the text of the only file below a folder. */
function readBelow(path: string, check: (part: string) => void = () => {}): string {
  for (const part of [path, join(path, "docs"), join(path, "a.md"), join(path, "docs/a.md")]) {
    if (lstatSync(part, { throwIfNoEntry: false }) === undefined) continue;
    check(part);
    if (statSync(part).isFile()) return readFileSync(part, "utf8");
  }
  return "";
}
