import { type ConsentAnswer, type ConsentRequest, describeSandbox, type ScriptHooks } from "skillset/scripts";
import type { ConsentChoice, LiveScript } from "../../shared/api.ts";
import type { ConsentStore } from "./consent-store.ts";

export interface LiveScriptsOptions {
  readonly consents: ConsentStore;
  /** How long a question waits for an answer. */
  readonly consentSeconds: number;
  /** Called when a script asks, starts or ends, so that other pages of the chat can show it. */
  readonly onChange: () => void;
}

/** A tool call that runs a script. */
export interface ScriptCall {
  readonly id: string;
  /** The files that the script can read: those attached to the chat, and those that the model writes for it. */
  readonly files: readonly string[];
  /** Called with each change, and with null at the end. */
  readonly onChange: (script: LiveScript | null) => void;
}

interface Live {
  readonly call: ScriptCall;
  readonly ended: Promise<void>;
  shown?: LiveScript;
  decide?: (answer: ConsentAnswer) => void;
  timer?: NodeJS.Timeout;
}

/** The scripts of running answers, at most one per chat: those that wait for consent, and those that run. */
export class LiveScripts {
  readonly #options: LiveScriptsOptions;
  readonly #live = new Map<string, Live>();

  constructor(options: LiveScriptsOptions) {
    this.#options = options;
  }

  /** The script of a chat that asks or runs. */
  get(chatId: string): LiveScript | undefined {
    return this.#live.get(chatId)?.shown;
  }

  /**
   * The hooks for a chat's session. They use the call that runs at the time. `allowed-tools` never replaces the question:
   * the settings name folders whose content nobody has reviewed, and only an admin can allow a version for good.
   */
  hooksOf(chatId: string): Required<Pick<ScriptHooks, "consent" | "grants" | "onOutput">> {
    return {
      grants: false,
      consent: (request) => this.#consent(chatId, request),
      onOutput: ({ text }) => this.#addOutput(chatId, text),
    };
  }

  /** Runs a call and shows its script. The calls of a chat must not overlap. */
  async follow<Result>(chatId: string, call: ScriptCall, work: () => Promise<Result>): Promise<Result> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const live: Live = { call, ended };
    this.#live.set(chatId, live);
    try {
      return await work();
    } finally {
      clearTimeout(live.timer);
      this.#live.delete(chatId);
      call.onChange(null);
      this.#options.onChange();
      end();
    }
  }

  /** Resolves when no script of the chat runs anymore, or of any chat without an id. */
  async ended(chatId?: string): Promise<void> {
    const all = chatId === undefined ? [...this.#live.values()] : [this.#live.get(chatId)];
    await Promise.all(all.map((live) => live?.ended));
  }

  /**
   * Answers a question. Returns false if it is not open, because somebody else was faster or the answer ended. With
   * `always`, all open questions about this version of the skill are answered.
   */
  async answer(chatId: string, callId: string, choice: ConsentChoice): Promise<boolean> {
    const live = this.#live.get(chatId);
    const { shown, decide } = live ?? {};
    if (live?.call.id !== callId || shown === undefined || decide === undefined) return false;
    delete live.decide;
    if (choice !== "always") {
      decide(choice);
      return true;
    }
    const { skill, digest } = shown;
    try {
      await this.#options.consents.allow(skill, digest);
    } catch (error) {
      live.decide = decide;
      throw error;
    }
    decide("once");
    for (const other of this.#live.values()) {
      if (other.shown?.skill === skill && other.shown.digest === digest) other.decide?.("once");
    }
    return true;
  }

  /** Never answers `always`: the session would remember it, and the database decides. */
  async #consent(chatId: string, { signal, ...request }: ConsentRequest): Promise<ConsentAnswer> {
    const live = this.#live.get(chatId);
    if (live === undefined) return { deny: "Scripts run only while an answer is written." };
    const isAllowed = await this.#options.consents.has(request.skill, request.digest);
    const { skill, digest, script, args, env = [], level } = request;
    const input = request.input === undefined ? undefined : JSON.stringify(request.input, null, 2);
    const { id: call, files } = live.call;
    const shown = {
      call,
      files,
      skill,
      digest,
      script,
      args,
      input,
      env,
      level,
      sandbox: describeSandbox(level),
      output: "",
    };
    if (!isAllowed) {
      this.#show(live, { ...shown, state: "asking" });
      const answer = await this.#ask(live, signal);
      if (answer !== "once") return answer;
    }
    this.#show(live, { ...shown, state: "running" });
    return "once";
  }

  #ask(live: Live, signal: AbortSignal): Promise<ConsentAnswer> {
    const { consentSeconds } = this.#options;
    const { promise, resolve } = Promise.withResolvers<ConsentAnswer>();
    const late = setTimeout(
      () => resolve({ deny: `Nobody answered within ${consentSeconds} seconds whether the script may run.` }),
      consentSeconds * 1000,
    );
    const abort = (): void => resolve({ deny: "The answer was stopped before anyone allowed the script." });
    live.decide = resolve;
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    return promise.finally(() => {
      clearTimeout(late);
      signal.removeEventListener("abort", abort);
      delete live.decide;
    });
  }

  #show(live: Live, shown: LiveScript): void {
    live.shown = shown;
    live.call.onChange(shown);
    this.#options.onChange();
  }

  /** Sent a few times a second, because a script can write much faster than a page can render. */
  #addOutput(chatId: string, text: string): void {
    const live = this.#live.get(chatId);
    if (live?.shown === undefined) return;
    const { shown } = live;
    live.shown = { ...shown, output: (shown.output + text).slice(-MOST_OUTPUT) };
    if (live.timer === undefined) this.#sendOutput(live, live.shown);
  }

  #sendOutput(live: Live, sent: LiveScript): void {
    live.call.onChange(sent);
    live.timer = setTimeout(() => {
      delete live.timer;
      if (live.shown !== undefined && live.shown !== sent) this.#sendOutput(live, live.shown);
    }, OUTPUT_DELAY);
  }
}

/** The end of the output that pages show while a script runs. */
const MOST_OUTPUT = 8_000;
const OUTPUT_DELAY = 120;
