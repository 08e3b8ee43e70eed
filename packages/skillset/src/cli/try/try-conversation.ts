import type { OperationId } from "../../core/operations/all.ts";
import type { Session } from "../../core/session.ts";
import { toModelMessage } from "../../core/text/model-message.ts";
import type { Turn, TurnMessage } from "../../core/turn/turn.ts";

/** What came of a line. */
export type Reply = { readonly outcome: "done" | "failed"; readonly text: string } | { readonly outcome: "left" };

/** A session, and what its model has been given: as with a real model, instructions that it has are not repeated. */
export class TryConversation {
  readonly session: Session;
  readonly #signal: AbortSignal;
  #current: Turn | undefined;
  #given: readonly { readonly skill: string; readonly message: TurnMessage }[] = [];

  constructor(session: Session, signal: AbortSignal) {
    this.session = session;
    this.#signal = signal;
  }

  /** Does what a model may do, and gives what it would get. */
  async operate(id: OperationId, skill: string, input: Readonly<Record<string, unknown>>): Promise<Reply> {
    const turn = await this.#turn();
    await turn.step(this.#messages);
    const operation = turn.tools.find((tool) => tool.id === id);
    if (operation === undefined) return failed("No skill is available to a model, so there is nothing that it can do.");
    const { isError, text } = await operation.execute(input, { signal: this.#signal });
    if (isError) return failed(text);
    this.#give(skill, { role: "tool", text });
    return done(text);
  }

  /** Sends a message that a person begins with a skill's name. */
  async invoke(message: string): Promise<Reply> {
    return attempt(async () => {
      this.#current = await this.#open([...this.#messages, { role: "user", text: message }]);
      const { invoked, messages } = this.#current;
      if (invoked === undefined)
        return `No skill that people may invoke has this name, so the model gets the message as it is:\n${message}`;
      const { skill, arguments: words, activation } = invoked;
      this.#give(skill.name, { role: "user", text: messages.at(-1)?.text ?? "" });
      return words === "" ? activation.text : `${activation.text}\n\n${words}`;
    });
  }

  /** What the model is told first. */
  async prompt(): Promise<string> {
    return (await this.#turn()).instructions;
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
    return reply;
  }

  get #messages(): readonly TurnMessage[] {
    return this.#given.map(({ message }) => message);
  }

  async #turn(): Promise<Turn> {
    this.#current ??= await this.#open(this.#messages);
    return this.#current;
  }

  #open(messages: readonly TurnMessage[]): Promise<Turn> {
    return this.session.turn(messages, { operations: { include: OPERATIONS }, signal: this.#signal });
  }

  #give(skill: string, message: TurnMessage): void {
    this.#given = [...this.#given, { skill, message }];
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
