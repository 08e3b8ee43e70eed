import type { ActivatedBy } from "../conversation/state.ts";
import type { Conversation } from "../session/conversation.ts";
import type { FileContent, FileReading } from "../session/options.ts";
import { type ReadFileOptions, readText, readTextOrFile, readWhole, type TakesFile } from "../session/read-file.ts";
import type { Skill } from "../skill/skill.ts";
import { escapeSkillTags } from "../text/escape.ts";
import { type ResultFile, toResultFile } from "../tool/result-file.ts";
import { type OperationDefinition, stringArgument } from "./operation.ts";
import { scriptHostOf } from "./script-host-of.ts";

export interface ReadInput {
  readonly skill: string;
  readonly path: string;
}

/** A file as text; or one that the result has as a file, with its digest. */
export type FileData = FileReading | (Omit<FileContent, "data"> & { readonly truncated: false });

export const readSkillFile: OperationDefinition<"read_skill_file"> = {
  id: "read_skill_file",
  title: "Read skill file",
  description: "Read a file that belongs to a skill, such as a reference or a template.",
  properties: (skillName) => ({
    skill: skillName,
    path: { type: "string", description: "The file's path from the skill's folder" },
  }),
  required: ["skill", "path"],
  readOnly: true,
  usesLoadedSkill: true,
  returns: "skill-text",
  isDefault: true,
  rule: (name) => `Read a skill's files with \`${name}\`, only those that its instructions send you to.`,
  read: (given) => ({ skill: stringArgument(given, "skill"), path: stringArgument(given, "path") }),
  execute: async (context, { skill, path }, { signal, by, takesFile = takesNone }) => {
    const found = await readPlace(context, skill, path, { signal, by: by?.(skill) }, (place, given, options) =>
      readTextOrFile(place, given, takesFile, options),
    );
    if (!("data" in found)) return { text: escapeSkillTags(found.content), data: { ...found } };
    const { data, ...about } = found;
    const file = toResultFile(
      { ...about, path: OUTPUT_PATH.test(path) ? `$OUTPUT_DIR/${about.path}` : about.path },
      data,
    );
    return { text: describeFile(file), data: { ...about, truncated: false }, files: [file] };
  },
};

const takesNone: TakesFile = () => false;

/** What the model reads beside the file. */
function describeFile({ path, mediaType, bytes }: ResultFile): string {
  return escapeSkillTags(`'${path}' follows as a file (${mediaType}, ${bytes} bytes).`);
}

interface ReadUse {
  readonly signal?: AbortSignal | undefined;
  readonly by?: ActivatedBy | undefined;
}

/** Reads one of a skill's files as text, cut at the session's limit. */
export function read(context: Conversation, name: string, given: string, use: ReadUse = {}): Promise<FileReading> {
  return readPlace(context, name, given, use, readText);
}

/** Reads one of a skill's files with all of its bytes. */
export function readFile(context: Conversation, name: string, given: string, use: ReadUse = {}): Promise<FileContent> {
  return readPlace(context, name, given, use, readWhole);
}

/** Reads a file of an earlier result again. Returns undefined if it has changed or is gone. */
export async function readAgain(context: Conversation, file: ResultFile): Promise<ResultFile | undefined> {
  const { skill: name = "", path, digest } = file;
  const skill = context.skillset.get(name);
  if (skill === undefined) return undefined;
  const output = OUTPUT_PATH.exec(path)?.[1];
  try {
    const place = output === undefined ? skill : outputsFor(context, skill);
    const options = { hasInstructions: true, limits: context.settings.limits, signal: undefined };
    const { data, ...about } = await readWhole(place, output ?? path, options);
    return about.digest === digest ? toResultFile({ ...about, path }, data) : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the file, reads it and records that. */
function readPlace<Found extends FileReading | FileContent>(
  context: Conversation,
  name: string,
  given: string,
  { signal, by = "model" }: ReadUse,
  work: (place: Pick<Skill, "name" | "files">, path: string, options: ReadFileOptions) => Promise<Found>,
): Promise<Found> {
  return context.follow({ operation: "read", skill: name, content: { "skillset.file.path": given } }, async () => {
    const skill = context.find(name, by);
    const { limits } = context.settings;
    const hasInstructions = context.hasInstructions(skill);
    const output = OUTPUT_PATH.exec(given)?.[1];
    // Files that scripts of the conversation wrote are read like the skill's own.
    const place = output === undefined ? skill : outputsFor(context, skill);
    const found = await work(place, output ?? given, { hasInstructions, limits, signal });
    const { path, mediaType, bytes } = found;
    const truncated = "truncated" in found && found.truncated;
    if (truncated) context.reportCut(skill, path, bytes, limits.resourceBytes);
    context.record(
      { type: "file-read", skill: name, path, mediaType, bytes, truncated },
      { "skillset.file.bytes": bytes, "skillset.file.truncated": truncated },
    );
    return found;
  });
}

/** The files of the scripts that run where the skill's do. */
function outputsFor(context: Conversation, skill: Skill): Pick<Skill, "name" | "files"> {
  return { name: skill.name, files: scriptHostOf(context, skill, "model").outputs(context.id) };
}

const OUTPUT_PATH = /^\$(?:OUTPUT_DIR|\{OUTPUT_DIR\})\/(.+)$/s;
