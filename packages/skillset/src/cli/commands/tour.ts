import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ignoreProblem } from "../../core/load/report-problems.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import { makeTemporaryFolder, removeOwnedFolder } from "../../node/copy/owned-folder.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { BUNDLED_SOURCE } from "../../node/load/sources.ts";
import { defineCommand } from "../command-line/command.ts";
import type { Io } from "../terminal/io.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";
import { clip, counted, printable } from "../terminal/printable.ts";
import { write } from "../terminal/write.ts";

export const tour = defineCommand({
  about: "Shows what skillset does, step by step, with the skills that come with it. It changes nothing.",
  arguments: [],
  options: {},
  examples: [
    ["skillset tour", "runs in a second, and reads in a minute"],
    ["skillset tour | less", "page by page"],
  ],
  async run(_input, io) {
    const { signal } = io;
    const paint = createPaint(io.stdout, io.env);
    const skills = await createSkillset(BUNDLED_SOURCE, { signal });
    for (const step of [find, showCatalog, rankRequests, activate, repair, suggestNext]) {
      signal.throwIfAborted();
      await write(io.stdout, [`${(await step(skills, paint, io)).join("\n")}\n\n`]);
    }
    return 0;
  },
});

type Step = (skills: Skillset, paint: Paint, io: Io) => Promise<readonly string[]>;

const find: Step = async (skills, paint) => [
  heading("1. Skills are folders with a SKILL.md", paint),
  `${counted(skills.size, "skill")} come with this package:`,
  ...skills.skills.map(({ name, description }) => `  ${name.padEnd(16)}  ${paint("dim", clip(description, 76))}`),
];

const showCatalog: Step = async (skills, paint) => {
  const { text, tokens } = skills.catalog();
  const lines = text.split("\n");
  return [
    heading("2. A model first sees only names and descriptions", paint),
    ...lines.slice(0, 9).map((line) => `  ${paint("dim", clip(line, 96))}`),
    ...(lines.length > 9 ? [`  ${paint("dim", "…")}`] : []),
    `All of it takes about ${counted(tokens, "token")}; the instructions stay on disk until they are needed.`,
  ];
};

const REQUESTS = [
  "Is this pull request safe to merge?",
  "The tests fail only sometimes, find out why",
  "What is in this CSV file?",
];

const rankRequests: Step = async (skills, paint, { signal }) => {
  const lines = REQUESTS.map(async (request) => {
    const ranked = await skills.rank(request, { limit: 2, signal });
    const close = ranked.filter(({ score }) => score > (ranked[0]?.score ?? 0) / 2);
    const names = close.map(({ skill, score }) => `${skill.name} (${score.toFixed(1)})`);
    return `  ${`"${request}"`.padEnd(48)}${paint("green", names.join(", ") || "nothing")}`;
  });
  return [heading("3. skillset ranks skills by how well they match a request", paint), ...(await Promise.all(lines))];
};

const activate: Step = async (skills, paint, { signal }) => {
  const [best] = await skills.rank(REQUESTS[0] ?? "", { limit: 1, signal });
  const skill: Skill | undefined = best?.skill ?? skills.skills[0];
  if (skill === undefined) return [heading("4. This copy of skillset has no skills to activate", paint)];
  const instructions = (await skill.instructions({ signal })).split("\n");
  const files = (await skill.files.list(undefined, { signal })).filter(
    ({ kind, path }) => kind === "file" && path !== "SKILL.md",
  );
  return [
    heading(`4. When '${skill.name}' is activated, the model reads its instructions`, paint),
    ...instructions.slice(0, 8).map((line) => `  ${paint("dim", clip(printable(line), 96))}`),
    `  ${paint("dim", `… ${counted(Math.max(instructions.length - 8, 0), "more line")}`)}`,
    ...(files.length > 0
      ? [
          `The model reads its other files only when the instructions refer to them: ${files.map(({ path }) => path).join(", ")}.`,
        ]
      : []),
  ];
};

/** The most common reason why an agent does not load a skill. */
const BROKEN = `---
name: deploy
description: Deploys the app. Use when: the user says ship it
---

# Deploy
`;

const repair: Step = async (_skills, paint, { signal }) => {
  const folder = makeTemporaryFolder("skillset-tour-");
  try {
    mkdirSync(join(folder, "deploy"));
    writeFileSync(join(folder, "deploy", "SKILL.md"), BROKEN);
    const { skills, problems } = await createSkillset(folder, { signal, onProblem: ignoreProblem });
    return [
      heading("5. A broken skill is repaired, and the problem is reported", paint),
      ...BROKEN.split("\n")
        .slice(0, 4)
        .map((line) => `  ${paint("dim", line)}`),
      "The second colon makes this invalid YAML, and most agents silently drop such a skill. skillset loads it:",
      ...skills.map(({ name, description }) => `  ${paint("green", name)}  ${description}`),
      ...problems.flatMap(({ line, column, severity, message, fix }) => [
        `  SKILL.md:${line}:${column}: ${paint("yellow", severity)}: ${message}`,
        `      fix: ${fix}`,
      ]),
    ];
  } finally {
    removeOwnedFolder(folder);
  }
};

const suggestNext: Step = async (_skills, paint) => [
  heading("What to try next", paint),
  "  npx skillset list                     list the skills of this project and your home",
  "  npx skillset new my-skill             create a skill",
  "  npx skillset validate my-skill        check it against the standard",
  "  npx skillset doctor                   find out why an agent does not see a skill",
];

function heading(text: string, paint: Paint): string {
  return paint("bold", text);
}
