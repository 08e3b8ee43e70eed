import type { OperationResult, Session } from "skillset";
import type { ChatMessage } from "../../shared/api.ts";
import type { SkillRegistry } from "../skills/registry.ts";
import { wordsOf } from "./message-words.ts";
import { digestOf, isByUser, type SkillOutput, skillOutputOf, withOutput } from "./skill-outputs.ts";

/** Undefined when skills are off: then all of them are gone. */
type Skills = SkillRegistry | undefined;

/** Stored messages with the texts of skills in them again, as the skills are now; what changed or is gone is said. */
export async function fillMessages(messages: readonly ChatMessage[], skills: Skills): Promise<ChatMessage[]> {
  const filled = new Map<string, Promise<OperationResult>>();
  const fillOnce = (output: SkillOutput, words: string | undefined): Promise<OperationResult> => {
    const { name, path, digest } = output.data;
    const key = JSON.stringify([output.kind, name, path, digest, output.data.alreadyActive, words]);
    const known = filled.get(key) ?? (output.kind === "activation" ? activation : reading)(output, skills, words);
    filled.set(key, known);
    return known;
  };
  return Promise.all(
    messages.map(async (message, index) => ({
      ...message,
      parts: await Promise.all(
        message.parts.map(async (part) => {
          const output = skillOutputOf(part);
          if (output === undefined) return part;
          const asked = isByUser(part) ? messages.slice(0, index).findLast(({ role }) => role === "user") : undefined;
          return withOutput(part, await fillOnce(output, asked && wordsBehindName(asked)));
        }),
      ),
    })),
  );
}

/** What a person wrote behind `/name`, which the instructions have a place for. */
function wordsBehindName(message: ChatMessage): string {
  return wordsOf(message)
    .replace(/^\/\S+/, "")
    .trim();
}

async function activation({ data, text }: SkillOutput, skills: Skills, words?: string): Promise<OperationResult> {
  const { name, digest } = data as { name: string; digest: string };
  try {
    const session = await openAside(skills, name, digest);
    const { text: instructions, ...now } = await session.activate(name, {
      by: "host",
      ...(words !== undefined && { arguments: words }),
    });
    const { alreadyActive, tokens } = data;
    const changed = now.changed || data.changed === true;
    const filled = { ...now, changed, alreadyActive, tokens };
    return { isError: false, text: alreadyActive === true ? text : instructions, data: filled };
  } catch {
    const gone = `The skill '${name}' is no longer on offer, so its instructions are not here.`;
    return { isError: false, text: gone, data: { ...data, missing: true } };
  }
}

async function reading({ data }: SkillOutput, skills: Skills): Promise<OperationResult> {
  const { name, path, digest } = data as { name: string; path: string; digest: string };
  try {
    const session = await openAside(skills, name, digest);
    const { skill: _skill, ...now } = await session.read(name, path);
    const changed = digestOf(now.content) !== digest;
    const text = changed ? `${now.content}\n\n[This file has changed since it was read.]` : now.content;
    return { isError: false, text, data: { name, ...now, digest, changed } };
  } catch {
    const gone = `'${path}' of the skill '${name}' can no longer be read.`;
    return { isError: false, text: gone, data: { ...data, missing: true } };
  }
}

/** A session in which only this skill is active, with the instructions that it had then. */
async function openAside(skills: Skills, name: string, digest: string): Promise<Session> {
  if (skills?.current.has(name) !== true) throw new Error(`'${name}' is not on offer`);
  const active = [{ name, digest, by: "host" as const }];
  return skills.openAside({ load: async () => ({ version: 1, active }), save: async () => {} });
}
