import type { SkillInput } from "../../packages/skillset/src/index.ts";
import { createSkillset, type Session } from "../../packages/skillset/src/index.ts";
import type { ConversationSetup } from "../../packages/testing/src/contract/contract-conversation.ts";
import type { Capability, ContractAgent, ToolCall } from "../../packages/testing/src/index.ts";

/** A conversation whose requests are recorded. */
export interface Situation {
  readonly title: string;
  /** A capability without which an adapter does not have the conversation. */
  readonly needs?: Capability;
  /** What happens before the conversation starts. */
  before?(): Promise<void>;
  readonly setup: ConversationSetup;
  /** What the user says, and what the host does in between. */
  readonly talk: readonly (string | HostAction)[];
}

export type HostAction = (agent: ContractAgent) => Promise<unknown>;

/** Answers of the model, all different: the scripted model finds its place in a conversation by them. */
export const ANSWERS: readonly { readonly say: string }[] = ["First.", "Second.", "Third.", "Fourth.", "Fifth."].map(
  (say) => ({ say }),
);

export const activate = (name: string): ToolCall => ({ call: "activate_skill", input: { name } });

export const read = (skill: string, path: string): ToolCall => ({ call: "read_skill_file", input: { skill, path } });

/** The conversation continues with these skills. */
export const nowWith =
  (...skills: readonly SkillInput[]): HostAction =>
  async ({ session }) =>
    session.use(await createSkillset(skills));

export const host =
  (act: (session: Session) => unknown): HostAction =>
  async ({ session }) =>
    act(session);
