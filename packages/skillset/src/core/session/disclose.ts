import { LIMITS } from "../base/limits.ts";
import type { Skill } from "../skill/skill.ts";
import { documentTools } from "../skill/tool-docs.ts";
import { cutText } from "../text/cut-text.ts";
import { escapeSkillTags } from "../text/escape.ts";
import { sha256 } from "../text/sha256.ts";
import type { TokenCounter } from "../text/tokens.ts";
import { type Activation, listNames, renderActivation, renderAlreadyActive } from "./activation.ts";
import { documentToolsets, type LoadedToolsets } from "./load-toolsets.ts";
import { fillPlaceholders } from "./placeholders.ts";

export interface DiscloseOptions {
  /** The words after the skill's name, for `$ARGUMENTS` and the other placeholders. */
  readonly arguments?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The texts of the current request, if known. */
  readonly request: readonly string[] | undefined;
  /** The texts that the conversation received for this skill before. */
  readonly given: readonly string[];
  /** The digest of the instructions that the conversation received before. */
  readonly known: string | undefined;
  readonly toolsets: LoadedToolsets;
  readonly showDirectory: boolean;
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly countTokens: TokenCounter;
}

/** The second tier of disclosure: prepares a skill's instructions for a model. */
export async function disclose(skill: Skill, options: DiscloseOptions): Promise<Activation> {
  const { name, compatibility } = skill;
  const { known, request = [], signal, countTokens } = options;
  const reading = signal && { signal };
  const source = await skill.instructions(reading);
  const digest = await sha256(source);
  const directory = options.showDirectory ? skill.basePath : undefined;
  const names = skill.argumentNames;
  const { text: filled } = fillPlaceholders(source, { arguments: options.arguments, names, directory });
  const cut = cutText(filled, options.maxBytes, "SKILL.md");
  const tools = documentToolsets(options.toolsets);
  const body = cut.text + documentTools(skill, cut.text) + tools;
  const listed = listNames(await skill.files.list(".", reading), options.maxFiles);
  const changed = known !== undefined && known !== digest;
  const full = renderActivation({
    name,
    body,
    compatibility,
    origin: skill.provider,
    changed,
    directory,
    ...listed,
  });
  const isRepeated = options.arguments === undefined && known === digest;
  // Only an exact match counts: a shortened history has lost the text, and anyone can write a tag.
  // A text that lacks the current tools does not count either.
  const given = options.given.filter((one) => one.includes(escapeSkillTags(tools)));
  const texts = isRepeated ? [full, ...given] : [full];
  const alreadyActive = request.some((one) => texts.some((text) => one.includes(text)));
  const text = alreadyActive ? renderAlreadyActive(name) : full;
  const tokens = await countOnce(skill, text, countTokens);
  const budget = LIMITS.standard.bodyTokens;
  // If a text with all of the instructions fits, so do the instructions.
  const fits = (!alreadyActive && cut.text === source && tokens <= budget) || countTokens(source) <= budget;
  return {
    name,
    frontmatter: frontmatterOf(skill),
    body,
    bytes: cut.bytes,
    truncated: cut.truncated,
    tokens,
    overBudget: !fits,
    alreadyActive,
    changed,
    digest,
    ...(directory !== undefined && { directory }),
    ...listed,
    text,
  };
}

/** Counting tokens is the slowest step, and most activations return the same text as the skill's last one. */
async function countOnce(skill: Skill, text: string, countTokens: TokenCounter): Promise<number> {
  const digest = await sha256(text);
  const last = COUNTED.get(skill);
  if (last?.digest === digest && last.countTokens === countTokens) return last.tokens;
  const tokens = countTokens(text);
  COUNTED.set(skill, { digest, countTokens, tokens });
  return tokens;
}

const COUNTED = new WeakMap<Skill, { digest: string; countTokens: TokenCounter; tokens: number }>();

function frontmatterOf(skill: Skill): Readonly<Record<string, unknown>> {
  const { name, description, license, compatibility, metadata, allowedTools, extra } = skill;
  return {
    name,
    description,
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(Object.keys(metadata).length > 0 && { metadata: { ...metadata } }),
    ...(allowedTools.length > 0 && { "allowed-tools": allowedTools.join(" ") }),
    ...extra,
  };
}
