import { expect, test } from "vitest";
import { createSkillset } from "../node/load/create-skillset.ts";
import type { Session } from "./session.ts";
import { defineSkill } from "./skill/define-skill.ts";

const skills = await createSkillset([defineSkill({ name: "tea", description: "Makes tea.", body: "Steep." })]);
/** What programs without types pass. */
const nothing = undefined as never;
const wrong = (value: unknown) => value as never;

test.each<[string, (session: Session) => unknown]>([
  ["turn() takes the messages of a request as a list, not undefined.", (session) => session.turn(nothing)],
  [
    'turn() takes the messages of a request as a list, not the text "Hello".',
    (session) => session.turn(wrong("Hello")),
  ],
  [
    "turn() takes the messages of a request as a list, not an object.",
    (session) => session.turn(wrong({ messages: [] })),
  ],
  [
    "turn() takes the messages of a request as a list, not a promise: add 'await'.",
    (session) => session.turn(wrong(Promise.resolve([]))),
  ],
  ["activate() takes the name of a skill, not undefined.", (session) => session.activate(nothing)],
  ["activate() takes the name of a skill, not an array.", (session) => session.activate(wrong(["tea"]))],
  ["files() takes the name of a skill, not undefined.", (session) => session.files(nothing)],
  ["files().read() takes the path of a file, not undefined.", (session) => session.files("tea").read(nothing)],
  [
    "files().read() takes the path of a file, not the number 5.",
    (session) => session.files("tea").read(wrong(5), { as: "bytes" }),
  ],
  [
    "'as' must be 'text' or 'bytes'; got \"binary\".",
    (session) => session.files("tea").read("a.md", { as: wrong("binary") }),
  ],
  ["files().list() takes the path of a folder, not null.", (session) => session.files("tea").list(wrong(null))],
  [
    "files().list() has no option 'as'. Known options: signal.",
    (session) => session.files("tea").list(".", wrong({ as: "text" })),
  ],
  ["call() takes the name of a tool, not undefined.", (session) => session.call("tea", nothing, {})],
  ["scripts.run() takes the path of a script, not undefined.", (session) => session.scripts.run("tea", nothing)],
  [
    "The argument of use() must be a skillset, not undefined. Create one with 'await createSkillset(…)'.",
    (session) => session.use(nothing),
  ],
])("%s", async (message, call) => {
  const session = await skills.session();
  await expect((async () => call(session))()).rejects.toMatchObject({ code: "option-invalid", message });
});
