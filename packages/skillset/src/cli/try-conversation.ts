import { toModelMessage } from "../core/model-message.ts";
import type { Session } from "../core/session.ts";
import { createOperations, type OperationId, type SkillOperation } from "../tools/operations.ts";

/** What came of a line. */
export type Reply = { readonly outcome: "done" | "failed"; readonly text: string } | { readonly outcome: "left" };

/** A session, and what its model has been given: as with a real model, instructions that it has are not repeated. */
export class Conversation {
  readonly session: Session;
  readonly #signal: AbortSignal;
  readonly #operations: readonly SkillOperation[];
  #given: readonly { readonly skill: string; readonly text: string }[] = [];

  constructor(session: Session, signal: AbortSignal) {
    this.session = session;
    this.#signal = signal;
    this.#operations = createOperations(session, { include: OPERATIONS });
  }

  /** Does what a model may do, and gives what it would get. */
  async operate(id: OperationId, skill: string, input: Readonly<Record<string, unknown>>): Promise<Reply> {
    const operation = this.#operations.find(({ name }) => name === id);
    if (operation === undefined) return failed("No skill is on offer to a model, so there is nothing that it can do.");
    const { isError, text } = await operation.execute(input, { signal: this.#signal });
    return isError ? failed(text) : this.#give(skill, text);
  }

  /** Sends a message that a person begins with a skill's name. */
  async invoke(message: string): Promise<Reply> {
    const invocation = this.session.invocation(message);
    if (invocation === undefined)
      return done(`No skill that people may invoke has this name, so the model gets the message as it is:\n${message}`);
    const { skill, arguments: words } = invocation;
    const options = { by: "user", arguments: words, signal: this.#signal } as const;
    return attempt(async () => {
      const { text } = await this.session.activate(skill.name, options);
      this.#give(skill.name, text);
      return words === "" ? text : `${text}\n\n${words}`;
    });
  }

  async files(skill: string): Promise<Reply> {
    return attempt(async () => {
      const files = await this.session.list(skill, ".", { signal: this.#signal });
      const names = files.filter(({ kind }) => kind === "file").map(({ path }) => path);
      return names.join("\n");
    });
  }

  /** What a model no longer needs is not kept, so that it is given again when it is asked for again. */
  async deactivate(skill: string): Promise<Reply> {
    const reply = await this.operate("deactivate_skill", skill, { name: skill });
    this.#given = this.#given.filter((one) => one.skill !== skill);
    this.#observe();
    return reply;
  }

  #give(skill: string, text: string): Reply {
    this.#given = [...this.#given, { skill, text }];
    this.#observe();
    return done(text);
  }

  #observe(): void {
    this.session.observe(this.#given.map(({ text }) => text));
  }
}

const OPERATIONS = ["activate_skill", "read_skill_file", "call_skill_tool", "deactivate_skill"] as const;

export function done(text: string): Reply {
  return { outcome: "done", text };
}

export function failed(text: string): Reply {
  return { outcome: "failed", text };
}

async function attempt(work: () => Promise<string>): Promise<Reply> {
  try {
    return done(await work());
  } catch (error) {
    return failed(toModelMessage(error));
  }
}
