import { scriptHostsOf } from "../../../core/host/skill-host.ts";
import { OPERATION_IDS } from "../../../core/operations/all.ts";
import type { OperationId } from "../../../core/operations/operation-data.ts";
import type { ScriptHooks } from "../../../core/script/script.ts";
import type { Session } from "../../../core/session.ts";
import { toModelMessage } from "../../../core/text/model-message.ts";
import type { Turn, TurnMessage } from "../../../core/turn/turn.ts";

/** The result of a line. */
export type Reply = { readonly outcome: "done" | "failed"; readonly text: string } | { readonly outcome: "left" };

/** A session and the messages of its model. As with a real model, instructions it already has are not repeated. */
export class TryConversation {
  readonly session: Session;
  /** Consent and live output for scripts. */
  scripts: ScriptHooks;
  readonly #signal: AbortSignal;
  #interrupted = new AbortController();
  #current: Turn | undefined;
  #given: readonly { readonly skills: readonly string[]; readonly message: TurnMessage }[] = [];

  constructor(session: Session, signal: AbortSignal, scripts: ScriptHooks = {}) {
    this.session = session;
    this.scripts = scripts;
    this.#signal = signal;
  }

  /** Ends the operation that is running. */
  interrupt(): void {
    this.#interrupted.abort();
    this.#interrupted = new AbortController();
  }

  /** Runs an operation as a model does, and returns what the model would get. */
  async operate(id: OperationId, skill: string | undefined, input: Readonly<Record<string, unknown>>): Promise<Reply> {
    const turn = await this.#turn();
    await turn.step(this.#messages);
    const operation = turn.tools.find((tool) => tool.id === id);
    if (operation === undefined) return failed(whyMissing(id, this.session));
    const signal = AbortSignal.any([this.#signal, this.#interrupted.signal]);
    const { isError, text } = await operation.execute(input, { signal, scripts: this.scripts });
    if (isError) return failed(text);
    this.#give(skill === undefined ? [] : [skill], { role: "tool", text });
    return done(text);
  }

  /** Sends a user message that starts with a skill's name. */
  async invoke(message: string): Promise<Reply> {
    return attempt(async () => {
      this.#current = await this.#open([...this.#messages, { role: "user", text: message }]);
      const { invoked, messages } = this.#current;
      const [first] = invoked;
      if (first === undefined)
        return `No skill of this name can be invoked by users, so the model gets the message unchanged:\n${message}`;
      const names = invoked.map(({ skill }) => skill.name);
      this.#give(names, { role: "user", text: messages.at(-1)?.text ?? "" });
      const texts = invoked.map(({ activation }) => activation.text);
      return [...texts, first.arguments].join("\n\n").trimEnd();
    });
  }

  /** The instructions at the start of the conversation. */
  async prompt(): Promise<string> {
    return (await this.#turn()).instructions;
  }

  async files(skill: string): Promise<Reply> {
    return attempt(async () => {
      const files = await this.session.files(skill).list(".", { signal: this.#signal });
      const names = files.filter(({ kind }) => kind === "file").map(({ path }) => path);
      return names.join("\n");
    });
  }

  /** Removes the skill's messages, so that the next activation returns the instructions again. */
  async deactivate(skill: string): Promise<Reply> {
    const reply = await this.operate("deactivate_skill", skill, { name: skill });
    this.#given = this.#given.filter((one) => !one.skills.includes(skill));
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
    return this.session.turn(messages, { operations: { include: OPERATION_IDS }, signal: this.#signal });
  }

  #give(skills: readonly string[], message: TurnMessage): void {
    this.#given = [...this.#given, { skills, message }];
  }
}

function whyMissing(id: OperationId, { skillset }: Session): string {
  const { problems, skills } = skillset;
  if (!skills.some(({ modelInvocable }) => modelInvocable))
    return "No skill is available to a model, so it has no operations.";
  if (id === "search_skills")
    return "The prompt lists every skill, so a model has no search. Run 'skillset search' for yours.";
  if (scriptHostsOf(skillset).length > 0) return "No skill has scripts.";
  const { message = "Scripts are disabled. Add --scripts auto to run them.", fix } =
    problems.find(({ code }) => code === "scripts-disabled") ?? {};
  return fix === undefined ? message : `${message} ${fix}`;
}

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
