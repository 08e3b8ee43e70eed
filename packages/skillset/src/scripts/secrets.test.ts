import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { ConsentRequest, ScriptJob, ScriptRunner, SecretsRequest } from "../core/script/script.ts";
import type { ScriptOptions } from "../core/script/script-options.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { environmentSecrets } from "./environment-secrets.ts";

const CANARY = "canary-7f3a9Q-secret";
const withEnv = (name: string, env: string): string => skillMd(name, `Uses ${name}.`, "", `metadata:\n  env: ${env}\n`);

const FILES = {
  "ocr/SKILL.md": withEnv("ocr", "OCR_TOKEN"),
  "ocr/scripts/read.sh": "echo read\n",
  "two/SKILL.md": withEnv("two", "OCR_TOKEN, OTHER_TOKEN"),
  "two/scripts/read.sh": "echo read\n",
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/scripts/brew.sh": "echo brew\n",
};

/** A runner that does what a test says, and keeps its jobs. */
function runnerThat(
  run: (job: ScriptJob) => string | Promise<string> = () => "",
): ScriptRunner & { jobs: ScriptJob[] } {
  const jobs: ScriptJob[] = [];
  return {
    level: "test",
    jobs,
    check: async () => undefined,
    run: async (job) => {
      jobs.push(job);
      return { outcome: "exited", exitCode: 0, command: [job.script], stdout: await run(job), stderr: "" };
    },
  };
}

async function open(runner: ScriptRunner, scripts: ScriptOptions = {}) {
  const asked: ConsentRequest[] = [];
  const skills = await createSkillset([temporaryFolder(FILES)], {
    env: () => true,
    scripts: {
      runner,
      secrets: () => ({ OCR_TOKEN: CANARY }),
      consent: (request) => {
        asked.push(request);
        return "once";
      },
      ...scripts,
    },
  });
  return { session: await skills.session(), asked };
}

describe("the function that supplies variables", () => {
  test("is asked after consent, with the names of the skill, and its values reach that skill alone", async () => {
    const order: unknown[] = [];
    const secrets = ({ signal: _, ...request }: SecretsRequest) => {
      order.push(request);
      return { OCR_TOKEN: CANARY, EXTRA: "never passed on" };
    };
    const runner = runnerThat();
    const consent = ({ env }: ConsentRequest) => {
      order.push(env);
      return "once" as const;
    };
    const { session } = await open(runner, { secrets, consent });
    await session.scripts.run("ocr", "scripts/read.sh");
    await session.scripts.run("tea", "scripts/brew.sh");
    const digest = await session.skillset.get("ocr")?.digest();
    expect(order).toEqual([["OCR_TOKEN"], { skill: "ocr", digest, names: ["OCR_TOKEN"] }, undefined]);
    expect(runner.jobs.map(({ env }) => env)).toEqual([{ OCR_TOKEN: CANARY }, undefined]);
    expect(session.ledger.entries.filter(({ type }) => type === "script-run")).toMatchObject([
      { env: ["OCR_TOKEN"] },
      {},
    ]);
  });

  test("is not asked if consent is denied, and without it scripts get nothing", async () => {
    const runner = runnerThat();
    const secrets = () => Promise.reject(new Error("asked"));
    const { session } = await open(runner, { secrets, consent: () => "deny" });
    expect((await session.scripts.run("ocr", "scripts/read.sh")).outcome).toBe("refused");
    const skills = await createSkillset([temporaryFolder(FILES)], {
      env: () => true,
      scripts: { runner, consent: () => "once" },
    });
    expect((await (await skills.session()).scripts.run("ocr", "scripts/read.sh")).outcome).toBe("exited");
    expect(runner.jobs.map(({ env }) => env)).toEqual([undefined]);
  });

  test("is asked only if somebody consented to the variables, also after an 'always' without them", async () => {
    const runner = runnerThat();
    const asked: unknown[] = [];
    const skills = await createSkillset([temporaryFolder(FILES)], {
      env: () => true,
      scripts: {
        runner,
        consent: ({ env }) => {
          asked.push(env);
          return "always";
        },
      },
    });
    const session = await skills.session();
    const secrets = () => ({ OCR_TOKEN: CANARY });
    for (const options of [{}, {}, { secrets }, { secrets }])
      await session.scripts.run("ocr", "scripts/read.sh", options);
    expect(asked).toEqual([undefined, ["OCR_TOKEN"]]);
    expect(runner.jobs.map(({ env }) => env?.OCR_TOKEN)).toEqual([undefined, undefined, CANARY, CANARY]);
  });

  test("can be set for a session and for a call", async () => {
    const runner = runnerThat();
    const { session } = await open(runner);
    const own = await session.skillset.session({ scripts: { secrets: () => ({ OCR_TOKEN: "of the session" }) } });
    await own.scripts.run("ocr", "scripts/read.sh");
    await own.scripts.run("ocr", "scripts/read.sh", { secrets: () => ({ OCR_TOKEN: "of the call" }) });
    expect(runner.jobs.map(({ env }) => env?.OCR_TOKEN)).toEqual(["of the session", "of the call"]);
  });

  test.each([
    ["is missing", {}],
    ["is missing", { OCR_TOKEN: "" }],
    ["is missing", undefined],
    ["is missing", Object.create({ OCR_TOKEN: "inherited" })],
    ["is not a text", { OCR_TOKEN: 123456789 }],
    ["contains control characters", { OCR_TOKEN: `${CANARY}\0` }],
    ["is not valid Unicode", { OCR_TOKEN: `${CANARY}\ud800` }],
    ["is longer than 16384 characters", { OCR_TOKEN: CANARY.repeat(1000) }],
  ])("refuses the run if the variable %s", async (fault, values) => {
    const runner = runnerThat();
    const { session } = await open(runner, { secrets: () => values as Record<string, string> });
    const result = await session.scripts.run("ocr", "scripts/read.sh");
    const reason = `The scripts of skill 'ocr' may not run: the variable 'OCR_TOKEN' ${fault}.`;
    expect(result).toMatchObject({ outcome: "refused", reason });
    expect(runner.jobs).toEqual([]);
  });

  test("that throws refuses the run without its message", async () => {
    const { session } = await open(runnerThat(), { secrets: () => Promise.reject(new Error(`vault: ${CANARY}`)) });
    const reason = "The scripts of skill 'ocr' may not run: the host could not supply OCR_TOKEN.";
    expect(await session.scripts.run("ocr", "scripts/read.sh")).toMatchObject({ outcome: "refused", reason });
  });

  test("that hangs ends with the call's signal", async () => {
    const { session } = await open(runnerThat(), { secrets: () => new Promise<never>(() => {}) });
    const signal = AbortSignal.timeout(50);
    expect(await session.scripts.run("ocr", "scripts/read.sh", { signal })).toMatchObject({ outcome: "aborted" });
  });

  test("must be a function", async () => {
    const wrong = { OCR_TOKEN: CANARY } as unknown as () => Record<string, string>;
    await expect(open(runnerThat(), { secrets: wrong })).rejects.toThrow("'secrets' must be a function.");
  });
});

test("environmentSecrets supplies only allowed names that the skill requires", async () => {
  const runner = runnerThat();
  const env = { OCR_TOKEN: CANARY, OTHER_TOKEN: "other-secret", THIRD: "third-secret" };
  const { session } = await open(runner, { secrets: environmentSecrets(["OCR_TOKEN", "THIRD"], env) });
  await session.scripts.run("ocr", "scripts/read.sh");
  expect(runner.jobs[0]?.env).toEqual({ OCR_TOKEN: CANARY });
  const reason = "The scripts of skill 'two' may not run: the variable 'OTHER_TOKEN' is missing.";
  expect(await session.scripts.run("two", "scripts/read.sh")).toMatchObject({ outcome: "refused", reason });
});

describe("a script that prints its variables", () => {
  test("is shown with names instead of values, in results and live", async () => {
    const runner = runnerThat(({ onOutput }) => {
      for (const text of ["token: can", "ary-7f3a9Q-sec", "ret\n", "done\n"]) onOutput({ stream: "stdout", text });
      return JSON.stringify({ token: CANARY, list: [`<${CANARY}>`], [CANARY]: 1 });
    });
    const live: string[] = [];
    const { session } = await open(runner, { onOutput: ({ text }) => void live.push(text) });
    const result = await session.scripts.run("ocr", "scripts/read.sh");
    expect(result).toMatchObject({ json: { token: "[OCR_TOKEN]", list: ["<[OCR_TOKEN]>"], "[OCR_TOKEN]": 1 } });
    expect(live.join("")).toBe("token: [OCR_TOKEN]\ndone\n");
    expect(JSON.stringify(result)).not.toContain(CANARY);
  });

  test("keeps its text files with names instead of values; other files with a value are removed", async () => {
    const runner = runnerThat(({ outputFolder, script }) => {
      if (script !== "scripts/read.sh") return readFileSync(join(outputFolder, "log.txt"), "utf8");
      writeFileSync(join(outputFolder, "log.txt"), `GET /?key=${CANARY}\n`);
      writeFileSync(join(outputFolder, "data.bin"), Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(CANARY)]));
      writeFileSync(join(outputFolder, "large.txt"), `${"line\n".repeat(500_000)}${CANARY}\n`);
      writeFileSync(join(outputFolder, "good.bin"), Buffer.from([0, 255, 254]));
      mkdirSync(join(outputFolder, `of ${CANARY}`));
      writeFileSync(join(outputFolder, `of ${CANARY}`, "a.txt"), "a");
      return "";
    });
    const { session } = await open(runner);
    const { files, droppedFiles } = await session.scripts.run("ocr", "scripts/read.sh");
    expect(files).toEqual([
      { path: "good.bin", size: 3 },
      { path: "log.txt", size: 22 },
    ]);
    expect(droppedFiles).toEqual([
      { path: "of [OCR_TOKEN]", reason: "its name contains a secret" },
      { path: "of [OCR_TOKEN]/a.txt", reason: "its name contains a secret" },
      { path: "data.bin", reason: "it contains a secret" },
      { path: "large.txt", reason: "it contains a secret" },
    ]);
    expect((await session.scripts.outputs.list()).map(({ path }) => path)).toEqual(["good.bin", "log.txt"]);
    expect((await session.files("ocr").read("$OUTPUT_DIR/log.txt")).content).toBe("GET /?key=[OCR_TOKEN]\n");
    // A script of another skill finds the same file.
    expect(await session.scripts.run("tea", "scripts/brew.sh")).toMatchObject({ stdout: "GET /?key=[OCR_TOKEN]\n" });
  });

  test("is not shown with values in files that are read while it runs", async () => {
    const csv = `key\n${CANARY}\n`;
    let during: Promise<unknown[]> | undefined;
    const runner = runnerThat(async ({ outputFolder }) => {
      writeFileSync(join(outputFolder, "keys.csv"), csv);
      writeFileSync(join(outputFolder, "data.bin"), Buffer.from(`\xff\0${CANARY}`, "latin1"));
      const [tool] = (await session.turn([])).tools.filter(({ id }) => id === "read_skill_file");
      const given = { skill: "ocr", path: "$OUTPUT_DIR/keys.csv" };
      during = Promise.all([
        session.files("ocr").read("$OUTPUT_DIR/keys.csv", { as: "bytes" }),
        session.scripts.outputs.read("keys.csv"),
        tool
          ?.execute(given, { takesFile: () => true })
          .then((result) => (result.isError ? undefined : result.files?.[0]?.data)),
        session
          .files("ocr")
          .read("$OUTPUT_DIR/data.bin", { as: "bytes" })
          .catch((error: unknown) => error),
      ]);
      await during;
      return "";
    });
    const { session } = await open(runner);
    await session.scripts.run("ocr", "scripts/read.sh");
    const hidden = new TextEncoder().encode("key\n[OCR_TOKEN]\n");
    const digest = `sha256:${createHash("sha256").update(hidden).digest("hex")}`;
    expect(await during).toMatchObject([
      { data: hidden, bytes: hidden.byteLength, digest },
      hidden,
      hidden,
      { code: "resource-not-found", message: "'data.bin' cannot be read: it contains a secret." },
    ]);
  });

  test("has a result with the same fields, whatever the values are", async () => {
    const { session } = await open(
      runnerThat(() => "exited"),
      { secrets: () => ({ OCR_TOKEN: "exited" }) },
    );
    expect(await session.scripts.run("ocr", "scripts/read.sh")).toMatchObject({
      outcome: "exited",
      stdout: "[OCR_TOKEN]",
    });
  });

  test("cannot be found out by another skill that writes guesses to files", async () => {
    const guesses = Array.from({ length: CANARY.length - 1 }, (_, index) => CANARY.slice(0, index + 1));
    const runner = runnerThat(({ outputFolder, script }) => {
      if (script === "scripts/read.sh") return "";
      for (const guess of guesses) writeFileSync(join(outputFolder, `${guess.length}.txt`), guess);
      return "";
    });
    const { session } = await open(runner);
    await session.scripts.run("ocr", "scripts/read.sh");
    await session.scripts.run("tea", "scripts/brew.sh");
    for (const guess of guesses)
      expect(Buffer.from(await session.scripts.outputs.read(`${guess.length}.txt`)).toString()).toBe(guess);
  });

  test("has a result without 'json' if that is nested too deeply to be searched", async () => {
    const { session } = await open(runnerThat(() => "[".repeat(100_000) + "]".repeat(100_000)));
    const result = await session.scripts.run("ocr", "scripts/read.sh");
    expect(result).toMatchObject({ outcome: "exited" });
    expect(result).not.toHaveProperty("json");
  });

  test("cannot make a later script of the session print them", async () => {
    const runner = runnerThat(() => CANARY);
    const { session } = await open(runner);
    expect(await session.scripts.run("tea", "scripts/brew.sh")).toMatchObject({ stdout: CANARY });
    await session.scripts.run("ocr", "scripts/read.sh");
    expect(await session.scripts.run("tea", "scripts/brew.sh")).toMatchObject({ stdout: "[OCR_TOKEN]" });
  });
});

test("a runner that fails with the variables in its error does not show them", async () => {
  const runner = runnerThat(({ env }) => {
    throw Object.assign(new Error(`spawn failed: ${JSON.stringify(env)}`), { env });
  });
  const { session } = await open(runner);
  const error: unknown = await session.scripts.run("ocr", "scripts/read.sh").catch((one: unknown) => one);
  expect(error).toMatchObject({ message: 'spawn failed: {"OCR_TOKEN":"[OCR_TOKEN]"}' });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(CANARY);
});
