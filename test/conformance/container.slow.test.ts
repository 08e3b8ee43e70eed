import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { container } from "../../packages/skillset/src/scripts/runners/container.ts";
import { scriptRunnerContract } from "../../packages/testing/src/index.ts";
import { makeContainerImage, whyNoContainers } from "../container-image.ts";
import { temporaryFolder } from "../temporary-folder.ts";

if (whyNoContainers !== undefined) test.skip(whyNoContainers, () => {});

describe.skipIf(whyNoContainers !== undefined)("container", () => {
  let image: ReturnType<typeof makeContainerImage>;
  let runner: ReturnType<typeof container>;
  beforeAll(() => {
    image = makeContainerImage();
    runner = container({ image: image.name, engine: "podman", runtime: "runc" });
  }, 120_000);
  afterAll(() => image[Symbol.dispose]());

  for (const { id, title, run } of scriptRunnerContract) {
    test(`${id}: ${title}`, () => run({ name: "container", runner }));
  }

  test("refuses a script, without a path, if there is no folder for temporary files", async () => {
    const folder = temporaryFolder({ "skill/a.sh": "echo ran\n" });
    mkdirSync(join(folder, "output"));
    expect(await runner.check()).toBeUndefined();
    vi.stubEnv("TMPDIR", "/no-such-folder");
    onTestFinished(() => void vi.unstubAllEnvs());
    const end = await runner.run({
      skillFolder: join(folder, "skill"),
      outputFolder: join(folder, "output"),
      script: "a.sh",
      args: [],
      limits: { time: 30_000, output: 10_000, memory: 2 ** 28, processes: 16, files: 1_000_000 },
      signal: new AbortController().signal,
      onOutput: () => {},
    });
    expect(end).toMatchObject({ outcome: "refused", reason: expect.stringContaining("(ENOENT)") });
    expect(JSON.stringify(end)).not.toContain("no-such-folder");
  });

  test("leaves no container, and shows no secret to other processes while it runs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "skillset-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [skillFolder, outputFolder] = [join(folder, "skill"), join(folder, "output")];
    for (const path of [skillFolder, outputFolder]) mkdirSync(path);
    for (const path of [folder, skillFolder]) chmodSync(path, 0o755);
    const script = 'echo started; until [ -e seen ]; do sleep 0.1; done; printf %s "$API_KEY"\n';
    writeFileSync(join(skillFolder, "wait.sh"), script);
    const API_KEY = `canary "${process.pid}"\n$(no) 'quoted'`;
    let name = "";
    const seen: string[] = [];
    const end = await runner.run({
      skillFolder,
      outputFolder,
      script: "wait.sh",
      args: [],
      env: { API_KEY },
      limits: { time: 30_000, output: 10_000, memory: 2 ** 28, processes: 16, files: 1_000_000 },
      signal: new AbortController().signal,
      onOutput: ({ text }) => {
        if (!text.startsWith("started")) return;
        seen.push(...readdirSync("/proc").filter(Number).map(commandLine));
        // Other tests run containers at the same time.
        const own = seen.find((line) => line.includes(`${skillFolder}:`)) ?? "";
        name = /skillset-[0-9a-f]{16}/.exec(own)?.[0] ?? "";
        seen.push(execFileSync("podman", ["inspect", name]).toString());
        writeFileSync(join(skillFolder, "seen"), "");
      },
    });
    expect(end).toMatchObject({ outcome: "exited", exitCode: 0, stdout: `started\n${API_KEY}` });
    expect(seen.join("\n")).toContain(`"Name": "${name}"`);
    expect(seen.join("\n")).not.toContain("canary");
    const left = execFileSync("podman", ["ps", "--all", "--format", "{{.Names}}"]).toString().split("\n");
    expect(left).not.toContain(name);
  });

  test("is refused with a fix if its image is not on this machine", async () => {
    const missing = container({ image: "localhost/no-such-image", engine: "podman", runtime: "runc" });
    expect(await missing.check()).toBe(
      "the image 'localhost/no-such-image' is not on this machine. Run: podman pull localhost/no-such-image",
    );
  });
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
