import type { SessionContext } from "../session/context.ts";
import type { ActivatedBy } from "../session/ledger.ts";
import type { FileReading } from "../session/options.ts";
import { readText } from "../session/read-text.ts";
import { escapeSkillTags } from "../text/escape.ts";
import { type OperationDefinition, skillArgument, stringArgument } from "./operation.ts";
import { outputsOf } from "./script-host-of.ts";

export const readSkillFile: OperationDefinition<"read_skill_file"> = {
  id: "read_skill_file",
  title: "Read skill file",
  description: "Read a text file that belongs to a skill, such as a reference or a template.",
  properties: (skillName) => ({
    skill: skillName,
    path: { type: "string", description: "The file's path from the skill's folder" },
  }),
  required: ["skill", "path"],
  readOnly: true,
  usesLoadedSkill: true,
  rule: (name) => `Read a skill's files with \`${name}\`, only those that its instructions send you to.`,
  execute: async (context, input, { signal, by }) => {
    const skill = skillArgument(input);
    const reading = await read(context, skill, stringArgument(input, "path"), { signal, by: by?.(skill) });
    return { text: escapeSkillTags(reading.content), data: { ...reading } };
  },
};

interface ReadUse {
  readonly signal?: AbortSignal | undefined;
  readonly by?: ActivatedBy | undefined;
}

/** Reads one of a skill's files, cut at the session's limit. */
export function read(
  context: SessionContext,
  name: string,
  given: string,
  { signal, by = "model" }: ReadUse = {},
): Promise<FileReading> {
  return context.follow({ operation: "read", skill: name, content: { "skillset.file.path": given } }, async () => {
    const skill = context.find(name, by);
    const maxBytes = context.limits.resourceBytes;
    const hasInstructions = context.hasInstructions(skill);
    const output = OUTPUT_PATH.exec(given)?.[1];
    // Files that scripts of the conversation wrote are read like the skill's own.
    const place = output === undefined ? skill : { name, files: outputsOf(context) };
    const reading = await readText(place, output ?? given, { hasInstructions, maxBytes, signal });
    const { path, bytes, truncated } = reading;
    if (truncated) context.reportCut(skill, path, bytes, maxBytes);
    context.record(
      { type: "file-read", skill: name, path, bytes, truncated },
      { "skillset.file.bytes": bytes, "skillset.file.truncated": truncated },
    );
    return reading;
  });
}

const OUTPUT_PATH = /^\$(?:OUTPUT_DIR|\{OUTPUT_DIR\})\/(.+)$/s;
