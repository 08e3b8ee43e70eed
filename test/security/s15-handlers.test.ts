import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createOperations, type ModelTool, type OperationResult } from "../../packages/skillset/src/adapter/index.ts";
import {
  createSkillset,
  defineSkill,
  type JsonSchema,
  type Session,
  SkillError,
  type SkillToolContext,
} from "../../packages/skillset/src/index.ts";
import { report } from "./report.ts";

type Handler = (input: unknown, context: SkillToolContext) => unknown;

/** A hang is a failure; nothing here measures speed. */
const DEADLINE = 20_000;
const MAX_MESSAGE = 500;
let tried = 0;
let held = 0;
const unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown): void => void unhandled.push(reason);

beforeAll(() => void process.on("unhandledRejection", noteUnhandled));
afterAll(() => {
  process.off("unhandledRejection", noteUnhandled);
  report("S15", {
    tried: "faults of handlers, each followed by a call that works",
    cases: tried,
    through: tried - held,
  });
});

/** Returns a session over one skill, with the tool `faulty` and one that works. */
async function sessionWith(handler: Handler, toolTimeout = DEADLINE, inputSchema?: JsonSchema): Promise<Session> {
  const tools = [
    { name: "faulty", description: "Goes wrong.", handler, ...(inputSchema && { inputSchema }) },
    { name: "good", description: "Works.", handler: (input: unknown) => ({ given: input }) },
  ];
  const skills = await createSkillset([defineSkill({ name: "box", description: "Has tools.", body: "# Box", tools })]);
  return skills.session({ limits: { toolTimeout } });
}

async function call(session: Session, input: unknown = {}, signal?: AbortSignal): Promise<OperationResult> {
  const operation = createOperations(session).find(({ name }) => name === "call_skill_tool") as ModelTool;
  const given = { skill: "box", tool: "faulty", input };
  const result = await Promise.race([
    // The thrown value is not inspected, because some of these errors throw when they are read.
    operation.execute(given, signal && { signal }).catch(() => "thrown" as const),
    sleep(DEADLINE, "hung" as const, { ref: false }),
  ]);
  if (typeof result === "string") throw new Error(`the call has no result but ${result}`);
  return result;
}

/** Checks after every fault: the call was recorded once, and the session still works. */
async function goesOn(session: Session, outcome: "succeeded" | "failed", calls = 1): Promise<void> {
  const its = session.ledger.entries.filter((entry) => entry.type === "tool-called");
  expect(its.map((entry) => entry.outcome)).toEqual(Array.from({ length: calls }, () => outcome));
  await expect(session.call("box", "good", [1])).resolves.toMatchObject({ text: '{"given":[1]}' });
  expect((await session.activate("box")).text).toContain("# Box");
  held++;
}

function expectCleanError(result: OperationResult, code: string): string {
  expect(result).toMatchObject({ isError: true, code });
  const { text } = result;
  expect(text).toContain("'faulty'");
  expect(text.length).toBeLessThanOrEqual(MAX_MESSAGE);
  expect(text).not.toMatch(/[\r\n]/);
  expect(text.isWellFormed()).toBe(true);
  return text;
}

class SelfThrowing extends Error {
  override get message(): string {
    throw this;
  }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const faults: Readonly<Record<string, () => unknown>> = {
  "an error": () => new Error("no paper"),
  "an error without a message": () => new Error(),
  "a text": () => "no paper",
  "an empty text": () => "",
  undefined: () => undefined,
  null: () => null,
  "a number": () => 42,
  "a symbol": () => Symbol("fault"),
  "a function": () => () => {},
  "an object": () => ({ message: "no paper" }),
  "an object without a prototype": () => Object.create(null),
  "an object that cannot be a text": () => ({ toString: () => ({}), valueOf: () => ({}) }),
  "an error of many": () => new AggregateError([new Error("one"), new Error("two")], "both failed"),
  "an error that says that it was aborted": () => new DOMException("gone", "AbortError"),
  "an error whose message is not a text": () => Object.assign(new Error("x"), { message: { deep: 1 } }),
  "an error whose message cannot be read": () =>
    Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new TypeError("no");
      },
    }),
  "an error whose message throws the error itself": () => new SelfThrowing(),
  "a proxy that was revoked": revoked,
  "an error of 10,000 characters": () => new Error("x".repeat(10_000)),
  "an error of 10,000 emojis": () => new Error(`x${"😀".repeat(10_000)}`),
  "an error of half an emoji": () => new Error("broken \ud83d text"),
  "an error of 10,000 lines": () => new Error("line\n".repeat(10_000)),
};

describe("a handler that throws", () => {
  test.each(Object.entries(faults))("%s is an error result, and the session stays usable", async (_, fault) => {
    const ways: Handler[] = [
      () => {
        throw fault();
      },
      async () => {
        await null;
        throw fault();
      },
      // biome-ignore lint/suspicious/noThenProperty: a handler may return any thenable
      () => ({ then: (_resolve: unknown, reject: (reason: unknown) => void) => reject(fault()) }),
    ];
    for (const handler of ways) {
      tried++;
      const session = await sessionWith(handler);
      expectCleanError(await call(session), "tool-failed");
      await goesOn(session, "failed");
    }
  });

  test("reports the reason to the model", async () => {
    const session = await sessionWith(() => {
      throw new Error("no paper");
    });
    expect(expectCleanError(await call(session), "tool-failed")).toMatch(/failed: no paper$/);
  });
});

describe("a handler's error that contains a path of the machine", () => {
  const paths: readonly (readonly [path: string, secret: string])[] = [
    ["/home/me/private/notes.txt", "private"],
    ["'/home/me/private/notes.txt'", "private"],
    ["'/home/My Name/private notes/x.txt'", "private"],
    ["file:///home/me/private/notes.txt", "private"],
    ["(/home/me/private/notes.ts:10:3)", "private"],
    ["path=/home/me/private", "private"],
    ["cwd:/home/me/private/x", "private"],
    ["C:\\Users\\me\\private\\notes.txt", "private"],
    ["C:/Users/me/private/notes.txt", "private"],
    ["'C:\\Users\\My Name\\private\\notes.txt'", "private"],
    ["file:///C:/Users/me/private/notes.txt", "private"],
    ["\\\\server\\share\\private\\notes.txt", "private"],
  ];
  const errors: Readonly<Record<string, (message: string) => unknown>> = {
    "an error": (message) => new Error(message),
    "a text": (message) => message,
    "a SkillError": (message) => new SkillError("source-not-found", message),
  };
  const rows = Object.keys(errors).flatMap((kind) => paths.map(([path, secret]) => [kind, path, secret] as const));

  test.each(rows)("in %s, as %s, does not show the path", async (kind, path, secret) => {
    tried++;
    const session = await sessionWith(() => {
      throw errors[kind]?.(`ENOENT: no such file, open ${path}`);
    });
    const text = expectCleanError(await call(session), "tool-failed");
    expect(text).toContain("ENOENT");
    expect(text).not.toContain(secret);
    await goesOn(session, "failed");
  });

  test("after 10,000 characters, or in a stack used as a message, does not show the path", async () => {
    for (const message of [`${"x".repeat(10_000)} /home/me/private/x`, new Error("/home/me/private/x").stack ?? ""]) {
      tried++;
      const session = await sessionWith(() => {
        throw new Error(message);
      });
      const text = expectCleanError(await call(session), "tool-failed");
      expect(text).not.toMatch(/private|s15-handlers\.test\.ts/);
      await goesOn(session, "failed");
    }
  });
});

describe("a handler that does not end", () => {
  const hangs: Readonly<Record<string, Handler>> = {
    "never settles": () => new Promise(() => {}),
    // biome-ignore lint/suspicious/noThenProperty: a handler may return any thenable
    "returns a value that never settles": () => ({ then: () => {} }),
    "waits for its signal, and then fails": (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    "waits for its signal, and then succeeds": (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"))),
  };

  test.each(Object.entries(hangs))("and %s is timed out, and the session stays usable", async (_, handler) => {
    tried++;
    let reached: AbortSignal | undefined;
    const session = await sessionWith((input, context) => {
      reached = context.signal;
      return handler(input, context);
    }, 20);
    expect(expectCleanError(await call(session), "tool-timed-out")).toContain("20 ms");
    expect(reached?.aborted).toBe(true);
    await goesOn(session, "failed");
  });

  test.each(Object.entries(hangs))("and %s can be cancelled, and the session stays usable", async (_, handler) => {
    const reasons = [undefined, "stop", new Error("/home/me/private/x"), revoked()];
    for (const reason of reasons) {
      tried++;
      let reached: AbortSignal | undefined;
      const controller = new AbortController();
      const session = await sessionWith((input, context) => {
        reached = context.signal;
        setImmediate(() => controller.abort(reason));
        return handler(input, context);
      });
      const text = expectCleanError(await call(session, {}, controller.signal), "tool-aborted");
      expect(text).not.toContain("private");
      expect(reached?.aborted).toBe(true);
      await goesOn(session, "failed");
    }
  });

  test("is not started if the call was cancelled before", async () => {
    tried++;
    let started = 0;
    const session = await sessionWith(() => ++started);
    expectCleanError(await call(session, {}, AbortSignal.abort()), "tool-aborted");
    expect(started).toBe(0);
    await goesOn(session, "failed");
  });

  test("can be cancelled without cancelling the session's other calls", async () => {
    tried++;
    const waiting = (input: unknown, { signal }: SkillToolContext): Promise<unknown> =>
      input === "first"
        ? new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
        : sleep(20, signal.aborted);
    const session = await sessionWith(waiting);
    const controller = new AbortController();
    const [first, second] = [call(session, "first", controller.signal), call(session, "second")];
    controller.abort();
    expectCleanError(await first, "tool-aborted");
    expect(await second).toMatchObject({ isError: false, text: "false" });
    held++;
  });

  test("is timed out even in a program with nothing else to do", () => {
    tried++;
    const entry = fileURLToPath(new URL("../../packages/skillset/src/index.ts", import.meta.url));
    const program = `
      import { createSkillset, defineSkill } from ${JSON.stringify(entry)};
      const tools = [{ name: "hang", description: "Hangs.", handler: () => new Promise(() => {}) }];
      const skills = await createSkillset([defineSkill({ name: "box", description: "Has tools.", body: "x", tools })]);
      const session = await skills.session({ limits: { toolTimeout: 50 } });
      await session.call("box", "hang", {}).catch(({ code }) => console.log(code));`;
    const args = ["--input-type=module", "-e", program];
    const output = execFileSync(process.execPath, args, { encoding: "utf8", timeout: DEADLINE });
    expect(output).toContain("tool-timed-out");
    held++;
  });
});

describe("a schema", () => {
  const standard = (validate: (value: unknown) => unknown) => ({
    "~standard": { version: 1, vendor: "test", validate },
  });

  test("that never settles is timed out like a handler, and the session stays usable", async () => {
    tried++;
    const session = await sessionWith(
      () => "unchecked",
      20,
      standard(() => new Promise(() => {})),
    );
    expectCleanError(await call(session), "tool-timed-out");
    await goesOn(session, "failed");
  });

  test("that is slow does not start its handler after the call was cancelled or timed out", async () => {
    for (const toolTimeout of [20, DEADLINE]) {
      tried++;
      let started = 0;
      const controller = new AbortController();
      const slow = standard(async (value) => {
        if (toolTimeout === DEADLINE) setImmediate(() => controller.abort());
        await sleep(80);
        return { value };
      });
      const session = await sessionWith(() => ++started, toolTimeout, slow);
      const result = await call(session, {}, controller.signal);
      expectCleanError(result, toolTimeout === DEADLINE ? "tool-aborted" : "tool-timed-out");
      await sleep(160);
      expect(started).toBe(0);
      await goesOn(session, "failed");
    }
  });

  test.each([
    [
      "throws",
      standard(() => {
        throw new Error("/home/me/private/x");
      }),
    ],
    ["rejects", standard(async () => Promise.reject("/home/me/private/x"))],
    ["does not exist where it is referred to", { $ref: "#/nowhere" }],
  ])("that %s is an error result, and the session stays usable", async (_, inputSchema) => {
    tried++;
    const session = await sessionWith(() => "unchecked", DEADLINE, inputSchema);
    expect(expectCleanError(await call(session), "tool-failed")).not.toContain("private");
    await goesOn(session, "failed");
  });
});

describe("a result", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  let deep: unknown[] = [];
  for (let level = 0; level < 100_000; level++) deep = [deep];

  const unwritable: Readonly<Record<string, () => unknown>> = {
    "that contains itself": () => circle,
    "that is a BigInt": () => 1n,
    "with a BigInt in it": () => ({ rows: [{ id: 1n }] }),
    "whose toJSON throws": () => ({
      toJSON: () => {
        throw new Error("/home/me/private/x");
      },
    }),
    "whose toJSON throws the result": () => ({
      toJSON() {
        throw this;
      },
    }),
    "with a getter that throws": () => ({
      get rows() {
        throw new Error("/home/me/private/x");
      },
    }),
    "that is nested 100,000 levels deep": () => deep,
    "that holds a revoked proxy": () => ({ held: revoked() }),
  };

  test.each(Object.entries(unwritable))("%s is an error result, and the session stays usable", async (_, make) => {
    tried++;
    const session = await sessionWith(async () => make());
    expect(expectCleanError(await call(session), "tool-failed")).not.toContain("private");
    await goesOn(session, "failed");
  });

  const odd: Readonly<Record<string, () => unknown>> = {
    "that is undefined": () => undefined,
    "that is a function": () => () => {},
    "that is a symbol": () => Symbol("x"),
    "that is not a number": () => Number.NaN,
    "with functions and symbols in it": () => ({ run: () => {}, mark: Symbol("x"), rows: [undefined, () => {}] }),
    "whose toJSON returns undefined": () => ({ toJSON: () => undefined }),
    "that is an invalid date": () => new Date(Number.NaN),
    "with a key of __proto__": () => JSON.parse('{"__proto__":{"polluted":true}}'),
    "with half an emoji": () => ({ text: "\ud83d" }),
  };

  test.each(Object.entries(odd))("%s is still valid JSON", async (_, make) => {
    tried++;
    const session = await sessionWith(make);
    const result = await call(session);
    expect(result.isError).toBe(false);
    expect(() => JSON.parse(result.text)).not.toThrow();
    expect(() => JSON.stringify(result)).not.toThrow();
    expect(result.text.isWellFormed()).toBe(true);
    await goesOn(session, "succeeded");
  });

  test.each([
    ["a text", "x".repeat(20_000_000)],
    ["JSON", Array.from({ length: 200_000 }, (_, id) => ({ id, name: `row ${id}` }))],
  ])("that is huge, as %s, is returned completely", async (_, value) => {
    tried++;
    const session = await sessionWith(() => value);
    const result = await call(session);
    expect(result.isError).toBe(false);
    expect(result.text).toBe(typeof value === "string" ? value : JSON.stringify(value));
    await goesOn(session, "succeeded");
  });
});

describe("a handler", () => {
  test("that rejects long after its timeout is ignored, and breaks nothing", async () => {
    tried++;
    let late = 0;
    const session = await sessionWith(async () => {
      await sleep(60);
      late++;
      throw new Error("too late");
    }, 10);
    const controller = new AbortController();
    const calls = Array.from({ length: 20 }, (_, index) => call(session, index, controller.signal));
    setImmediate(() => controller.abort());
    for (const result of await Promise.all(calls)) expect(result.isError).toBe(true);
    await vi.waitFor(() => expect(late).toBe(20), { timeout: DEADLINE });
    expect(unhandled).toEqual([]);
    await goesOn(session, "failed", 20);
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40])(
    "that may take %d ms is not timed out immediately",
    async (most) => {
      tried++;
      const session = await sessionWith(() => sleep(50, "in time"), most);
      expect(await call(session)).toMatchObject({ isError: false, text: "in time" });
      await goesOn(session, "succeeded");
    },
  );

  test("that changes its input, or fails to, breaks nothing", async () => {
    const vandal = (input: unknown): string => {
      const fields = input as Record<string, unknown>;
      for (const key of Object.keys(fields)) delete fields[key];
      Object.setPrototypeOf(fields, null);
      return "done";
    };
    tried++;
    const session = await sessionWith(vandal);
    expect(await call(session, { a: 1 })).toMatchObject({ isError: false, text: "done" });
    await goesOn(session, "succeeded");

    tried++;
    const frozen = await sessionWith(vandal);
    expectCleanError(await call(frozen, Object.freeze({ a: 1 })), "tool-failed");
    await goesOn(frozen, "failed");
  });

  test("cannot change its skill", async () => {
    tried++;
    const session = await sessionWith((_, context) => {
      (context.skill as { name: string }).name = "evil";
    });
    expectCleanError(await call(session), "tool-failed");
    expect(session.skillset.names).toEqual(["box"]);
    await goesOn(session, "failed");
  });

  test("that uses its own session, and fails in it, is one failed call", async () => {
    tried++;
    const session: Session = await sessionWith(async () => session.call("box", "no-such-tool", {}));
    expect(expectCleanError(await call(session), "tool-failed")).toContain("no-such-tool");
    await goesOn(session, "failed");
  });
});
