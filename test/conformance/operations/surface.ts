import { join } from "node:path";
import type { OperationId } from "../../../packages/skillset/src/adapter/index.ts";
import type { LedgerEntry } from "../../../packages/skillset/src/core/session/ledger.ts";
import type { SessionTelemetry } from "../../../packages/skillset/src/core/session/telemetry.ts";
import { createSkillset, defineSkill, type Skillset } from "../../../packages/skillset/src/index.ts";
import type { ScriptOptions } from "../../../packages/skillset/src/scripts/index.ts";
import type { ReceivedRequest, ScriptStep } from "../../../packages/testing/src/index.ts";
import { skillMd } from "../../temporary-folder.ts";

/** A way in which a model gets the operations. */
export interface Surface {
  /** What the model reads after a call of an operation that it was not offered. */
  readonly refusal: RegExp;
  /** Whether the model's side also gets structured content. */
  readonly isStructured?: boolean;
  /** Whether no session outlives a call. */
  readonly isStateless?: boolean;
  /** Makes the model call the operations, one after the other. */
  play(world: World): Promise<Played>;
}

/** What a surface gets. */
export interface World {
  /** The folder with the skills, in `skills`. */
  readonly folder: string;
  /** Undefined if no script can run. */
  readonly scripts: ScriptOptions | undefined;
  /** Observes the session. */
  readonly telemetry: SessionTelemetry;
  /** What the telemetry has observed. */
  readonly events: LedgerEntry[];
  readonly calls: readonly WorldCall[];
}

export interface WorldCall {
  readonly id: OperationId;
  readonly input: Readonly<Record<string, unknown>>;
  readonly isOffered: boolean;
}

/** What the model was offered and got. */
export interface Played {
  /** The names of the tools. */
  readonly tools: readonly string[];
  /** The results of the calls, in order. */
  readonly results: readonly PlayedResult[];
  /** The events of the session. */
  readonly events: readonly { readonly type: string }[];
}

export interface PlayedResult {
  readonly text: string;
  readonly data?: unknown;
  /** How many files follow the text, where a surface can send them. */
  readonly files?: number;
}

/** The skills in the folder: more than a catalog lists by name alone, so that models can search. */
export const FILES: Readonly<Record<string, string>> = {
  "skills/tea/SKILL.md": skillMd("tea", "Makes tea.", "Steep the leaves."),
  "skills/tea/leaves.md": "Sencha is green.\n",
  "skills/tea/scripts/brew.sh": 'echo "brewing $1"; echo hot > "$OUTPUT_DIR/cup.txt"\n',
  ...Object.fromEntries(
    Array.from({ length: 205 }, (_, index) => [
      `skills/shelf-${index}/SKILL.md`,
      skillMd(`shelf-${index}`, `Knows the books on shelf ${index}.`),
    ]),
  ),
};

/** The skills of the folder, and one with a tool in code. */
export function openSkills({ folder, scripts }: World): Promise<Skillset> {
  const catalog = { budget: { tokens: 100 } };
  return createSkillset([join(folder, "skills"), COFFEE], { catalog, ...(scripts && { scripts }) });
}

const COFFEE = defineSkill({
  name: "coffee",
  description: "Makes coffee.",
  body: "Grind the beans.",
  tools: [
    {
      name: "grind",
      description: "Grinds beans",
      inputSchema: { type: "object", properties: { grams: { type: "number" } }, required: ["grams"] },
      handler: ({ grams }) => `${grams} g are ground.`,
    },
  ],
});

/** The script of a model that makes the calls, under other names if it gets those. */
export function scriptOf(
  { calls }: World,
  rename: (call: WorldCall) => Pick<WorldCall, "input"> & { readonly name: string } = ({ id, input }) => ({
    name: id,
    input,
  }),
): readonly ScriptStep[] {
  const steps = calls.map((call): ScriptStep => {
    const { name, input } = rename(call);
    return { call: name, input, ...(!call.isOffered && { unlisted: true }) };
  });
  return [...steps, { say: "Done." }];
}

/** What a scripted model was offered first, and the results that it got in the end. */
export function seenIn(requests: readonly ReceivedRequest[]): Pick<Played, "tools" | "results"> {
  return {
    tools: requests[0]?.tools ?? [],
    results: requests.at(-1)?.toolResults.map(({ text }) => ({ text })) ?? [],
  };
}
