import { describe, expect, test } from "vitest";
import { createSkillset } from "../node/load/create-skillset.ts";
import type { Session } from "./session.ts";
import { defineSkill } from "./skill/define-skill.ts";

const skills = await createSkillset([defineSkill({ name: "tea", description: "Makes tea.", body: "Steep." })]);

/** Calls of programs without types. */
type Untyped = Record<"turn" | "activate" | "read" | "readFile" | "list" | "call" | "run" | "use", UntypedCall>;
type UntypedCall = (...given: readonly unknown[]) => unknown;

describe("a wrong argument of a session is named in the error", () => {
  test.each<[keyof Untyped, readonly unknown[], string]>([
    ["turn", [], "turn() takes the messages of a request as a list, not undefined."],
    ["turn", ["Hello"], 'turn() takes the messages of a request as a list, not the text "Hello".'],
    ["turn", [{ messages: [] }], "turn() takes the messages of a request as a list, not an object."],
    ["turn", [Promise.resolve([])], "turn() takes the messages of a request as a list, not a promise: add 'await'."],
    ["activate", [], "activate() takes the name of a skill, not undefined."],
    ["activate", [["tea"]], "activate() takes the name of a skill, not an array."],
    ["read", ["tea"], "read() takes the path of a file, not undefined."],
    ["read", [undefined, "a.md"], "read() takes the name of a skill, not undefined."],
    ["readFile", ["tea", 5], "readFile() takes the path of a file, not the number 5."],
    ["list", [null], "list() takes the name of a skill, not null."],
    ["call", ["tea"], "call() takes the name of a tool, not undefined."],
    ["run", ["tea"], "run() takes the path of a script, not undefined."],
    ["use", [], "The argument of use() must be a skillset, not undefined. Create one with 'await createSkillset(…)'."],
  ])("%s(%j)", async (method, given, message) => {
    const session = (await skills.session()) as Session & Untyped;
    const call = async () => session[method](...given);
    await expect(call()).rejects.toMatchObject({ code: "option-invalid", message });
  });
});
