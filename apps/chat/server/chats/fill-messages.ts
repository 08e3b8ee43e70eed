import type { ChatMessage } from "../../shared/api.ts";
import type { SkillRegistry } from "../skills/loaded-skills.ts";
import { wordsOf } from "./message-words.ts";
import type { RecentTexts } from "./recent-texts.ts";
import {
  type ActivationOutput,
  type ChatPart,
  digestOf,
  isByUser,
  type ReadingOutput,
  type SkillOutput,
  skillOf,
  skillOutputOf,
  withOutput,
} from "./skill-outputs.ts";

/** Undefined when skills are disabled: all of them are then unavailable. */
type Skills = SkillRegistry | undefined;

/**
 * Fills the current texts of skills into stored messages, with a note for texts that changed or no longer exist.
 * With `recent`, texts that are still cached are repeated byte for byte, as requests to a model require. The library
 * removes those of skills that are gone from each request.
 */
export async function fillMessages(
  messages: readonly ChatMessage[],
  skills: Skills,
  recent?: { readonly chatId: string; readonly texts: RecentTexts },
): Promise<ChatMessage[]> {
  const filled = new Map<string, Promise<SkillOutput>>();
  const fillOnce = (output: SkillOutput, words: string | undefined): Promise<SkillOutput> => {
    const about = output.kind === "activation" ? output.data.alreadyActive : output.data.path;
    const key = JSON.stringify([output.kind, skillOf(output), about, output.data.digest, words]);
    const known = filled.get(key) ?? fillOutput(output, skills, words);
    filled.set(key, known);
    return known;
  };
  const fill = async (part: ChatPart, index: number): Promise<ChatPart> => {
    const output = skillOutputOf(part);
    const message = messages[index];
    if (output === undefined || message === undefined) return part;
    // The sentence beside a file is the library's, and always the same.
    const given = hasFiles(output) ? undefined : recent?.texts.get(recent.chatId, message, part);
    if (given !== undefined) return withOutput(part, { ...output, text: given });
    const asked = isByUser(part) ? messages.slice(0, index).findLast(({ role }) => role === "user") : undefined;
    return withOutput(part, await fillOnce(output, asked && wordsBehindNames(asked, message)));
  };
  let room = recent === undefined ? MOST_SHOWN : MOST_SENT;
  const all: ChatMessage[] = [];
  // The newest first: a chat can have many more texts than anybody reads, and the same one many times.
  for (const [index, message] of [...messages.entries()].reverse()) {
    const parts: ChatPart[] = [];
    for (const part of message.parts.toReversed()) {
      const full = room > 0 ? await fill(part, index) : withoutRoom(part);
      room -= skillOutputOf(full)?.text.length ?? 0;
      parts.unshift(full);
    }
    all.unshift({ ...message, parts });
  }
  // The next request repeats these texts even if the skills change.
  for (const message of all) recent?.texts.remember(recent.chatId, message);
  return all;
}

/** Characters of skills in a chat as pages get it, and as requests to models are made of. */
const MOST_SHOWN = 4 * 1024 * 1024;
const MOST_SENT = 16 * 1024 * 1024;

function withoutRoom(part: ChatPart): ChatPart {
  const output = skillOutputOf(part);
  if (output === undefined || hasFiles(output)) return part;
  const text = "This text is left out: later messages of the chat have too many others.";
  return withOutput(part, { ...output, text });
}

function hasFiles(output: SkillOutput): boolean {
  return output.kind === "reading" && output.files !== undefined;
}

function fillOutput(output: SkillOutput, skills: Skills, words: string | undefined): Promise<SkillOutput> {
  if (output.kind === "activation") return activation(output, skills, words);
  return output.files === undefined ? reading(output, skills) : file(output, skills);
}

/** The text after the names that the answer activated, for the placeholders in the instructions. */
function wordsBehindNames(asked: ChatMessage, answer: ChatMessage): string {
  const outputs = answer.parts.filter(isByUser).map(skillOutputOf);
  const activated = new Set(outputs.map((output) => output && skillOf(output)));
  let words = wordsOf(asked);
  for (;;) {
    const [start = "", name = ""] = /^\/(\S+)\s*/.exec(words) ?? [];
    if (!activated.has(name)) return words.trim();
    words = words.slice(start.length);
  }
}

async function activation(
  { kind, data, text }: ActivationOutput,
  skills: Skills,
  words?: string,
): Promise<SkillOutput> {
  const { name, digest } = data;
  try {
    const preview = await present(skills, name).preview(name, {
      // The original text contained the note about a change, so the new one does too.
      since: data.changed ? "" : digest,
      arguments: words,
    });
    const { text: instructions, skill: _skill, read: _read, readFile: _readFile, ...now } = preview;
    const { alreadyActive, tokens } = data;
    const changed = now.changed || data.changed;
    const filled = { ...now, changed, alreadyActive, tokens };
    return { kind, text: alreadyActive ? text : instructions, data: filled };
  } catch {
    const gone = `The skill '${name}' is no longer available, so its instructions are missing here.`;
    return { kind, text: gone, data: { ...data, missing: true } };
  }
}

async function reading({ kind, data }: ReadingOutput, skills: Skills): Promise<SkillOutput> {
  const { skill, path, digest } = data;
  try {
    const { text: given, ...now } = await (await present(skills, skill).preview(skill)).read(path);
    const changed = digestOf(now.content) !== digest;
    const text = changed ? `${given}\n\n[This file has changed since it was read.]` : given;
    return { kind, text, data: { ...now, digest, changed } };
  } catch {
    const gone = `The file '${path}' of the skill '${skill}' is no longer available.`;
    return { kind, text: gone, data: { ...data, missing: true } };
  }
}

/** Marks a file that the model got if it has changed or is gone. A script's output is checked when it is opened. */
async function file({ kind, data, text, files = [] }: ReadingOutput, skills: Skills): Promise<SkillOutput> {
  const { skill, path, digest } = data;
  const isOutput = files.some((one) => one.path.startsWith("$OUTPUT_DIR/"));
  try {
    const now = isOutput ? { digest } : await (await present(skills, skill).preview(skill)).readFile(path);
    return { kind, text, data: { ...data, changed: now.digest !== digest }, files };
  } catch {
    return { kind, text, data: { ...data, missing: true }, files };
  }
}

/** Returns the registry if the skill is enabled; throws otherwise. */
function present(skills: Skills, name: string): SkillRegistry {
  if (skills?.current.has(name) !== true) throw new Error(`'${name}' is not available`);
  return skills;
}
