import type { CatalogBudget, CatalogForm } from "../catalog/catalog.ts";
import type { ActivatedBy } from "../conversation/state.ts";
import type { PrepareResult } from "../script/packages.ts";
import type { ConsentChoice, ScriptResult } from "../script/script.ts";
import type { TriggerKind } from "../trigger/find-triggers.ts";
import type { TriggerMode } from "./options.ts";

/** One event of a session, with its time. */
export type LedgerEntry = { readonly at: number } & LedgerEvent;

export type LedgerEvent =
  | SkillActivated
  | FileRead
  | ToolCalled
  | ToolsetFailed
  | SkillDeactivated
  | SkillTriggered
  | SkillsSearched
  | SkillsSuggested
  | { readonly type: "suggestion-failed"; readonly code: string }
  | ScriptRan
  | ScriptConsented
  | PackagesPrepared
  | ToolOutside
  | ToolGranted
  | SkillsOffered
  | {
      /** Recorded once per skill and path. */
      readonly type: "content-truncated";
      readonly skill: string;
      readonly path: string;
      readonly bytes: number;
      readonly limit: number;
    }
  | { readonly type: "skill-changed"; readonly skill: string; readonly digest: string }
  | { readonly type: "skill-missing"; readonly skill: string }
  | {
      readonly type: "operation-failed";
      /** `activate`, `read`, `list`, `call`, `search` and so on. */
      readonly operation: string;
      /** Undefined for a search. */
      readonly skill?: string;
      readonly code: string;
    };

/** A catalog listed skills. */
interface SkillsOffered {
  readonly type: "skills-offered";
  /** The skills in the text, in any form. */
  readonly skills: readonly string[];
  readonly tokens: number;
  /** How many skills the text shows in which form. */
  readonly counts: Readonly<Record<CatalogForm, number>>;
  /** The budget of the catalog, if some skill is not shown in full. */
  readonly budget?: CatalogBudget;
}

/** A skill was activated. */
interface SkillActivated {
  readonly type: "skill-activated";
  readonly skill: string;
  readonly by: ActivatedBy;
  readonly digest: string;
  readonly bytes: number;
  readonly tokens: number;
  readonly truncated: boolean;
  /** The request already contained the instructions, so they were not sent again. */
  readonly repeated: boolean;
}

/** One of a skill's files was read. */
interface FileRead {
  readonly type: "file-read";
  readonly skill: string;
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/** A skill's tool was called. */
interface ToolCalled {
  readonly type: "tool-called";
  readonly skill: string;
  readonly tool: string;
  readonly milliseconds: number;
  readonly outcome: "succeeded" | "failed";
  /** What contained a tool of a toolset. */
  readonly level?: string;
}

/** A toolset is unavailable. Recorded once per version of the skill and reason. */
interface ToolsetFailed {
  readonly type: "toolset-failed";
  readonly skill: string;
  /** As the frontmatter names it. */
  readonly toolset: string;
  /** The module's path in the skill, if it exists. */
  readonly file: string | undefined;
  readonly reason: string;
}

/** A skill's script ran, or was refused. */
interface ScriptRan {
  readonly type: "script-run";
  readonly skill: string;
  readonly script: string;
  /** What contained the script. */
  readonly level: string;
  readonly outcome: ScriptResult["outcome"];
  readonly exitCode: number | undefined;
  readonly milliseconds: number;
  /** The names of the variables that the host supplies to the skill's scripts, if it does. */
  readonly env?: readonly string[];
}

/** Somebody was asked whether a skill's scripts may run. */
interface ScriptConsented {
  readonly type: "script-consent";
  readonly skill: string;
  readonly digest: string;
  readonly answer: ConsentChoice;
}

/** A skill's packages were to be installed. */
interface PackagesPrepared {
  readonly type: "packages-prepared";
  readonly skill: string;
  /** What contained the installation. */
  readonly level: string;
  readonly outcome: PrepareResult["outcome"];
  /** How many packages the skill declares. */
  readonly packages: number;
  readonly milliseconds: number;
}

/** A call that a skill's `allowed-tools` or `disallowed-tools` do not allow: denied, or only recorded. */
interface ToolOutside {
  readonly type: "tool-denied" | "tool-outside";
  /** The skill whose field it is. */
  readonly skill: string;
  readonly tool: string;
  /** The tokens that would allow the call, or the token that disallows it. */
  readonly token: string;
  readonly field: "allowed-tools" | "disallowed-tools";
}

/** A trusted skill ran its script without a question, because its `allowed-tools` cover it. */
interface ToolGranted {
  readonly type: "tool-granted";
  readonly skill: string;
  readonly tool: string;
  readonly token: string;
  readonly digest: string;
}

/** A skill was deactivated. */
interface SkillDeactivated {
  readonly type: "skill-deactivated";
  readonly skill: string;
}

/** A message of the user matched one of a skill's triggers. */
interface SkillTriggered {
  readonly type: "skill-triggered";
  readonly skill: string;
  readonly kind: TriggerKind;
  /** The keyword, verb or pattern that matched. */
  readonly trigger: string;
  readonly mode: Exclude<TriggerMode, "off">;
}

/** A notice described skills that fit the user's message. */
interface SkillsSuggested {
  readonly type: "skills-suggested";
  /** The names, best first. */
  readonly skills: readonly string[];
  readonly tokens: number;
}

/** The model searched the skills. The query is not recorded: it may quote the user. */
interface SkillsSearched {
  readonly type: "skills-searched";
  /** The number of words that were searched for. */
  readonly words: number;
  /** The names of the results, best first. */
  readonly skills: readonly string[];
}

export type LedgerListener<Type extends LedgerEvent["type"] | "*"> = (
  entry: Type extends "*" ? LedgerEntry : Extract<LedgerEntry, { type: Type }>,
) => unknown;

/** The events of a session, for those who only read them. */
export interface SessionLedger {
  /** Every event, oldest first. */
  readonly entries: readonly LedgerEntry[];
  /** Calls the listener for each new entry of a type, or of any type with `*`. Returns a function that unsubscribes. */
  on<Type extends LedgerEvent["type"] | "*">(type: Type, listener: LedgerListener<Type>): () => void;
}

/** Returns a view of the ledger that cannot append. */
export function readOnlyLedger(ledger: Ledger): SessionLedger {
  return Object.freeze({
    get entries() {
      return ledger.entries;
    },
    on: (type, listener) => ledger.on(type, listener),
  } satisfies SessionLedger);
}

/** The session's append-only list of events, with its listeners. */
export class Ledger implements SessionLedger {
  readonly #entries: LedgerEntry[] = [];
  readonly #listeners = new Map<string, Set<(entry: LedgerEntry) => unknown>>();

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  append(event: LedgerEvent): LedgerEntry {
    const entry = Object.freeze({ at: Date.now(), ...event });
    this.#entries.push(entry);
    for (const listener of [...(this.#listeners.get(event.type) ?? []), ...(this.#listeners.get("*") ?? [])]) {
      // A listener that throws or rejects must not break the session.
      try {
        void Promise.resolve(listener(entry)).catch(() => {});
      } catch {}
    }
    return entry;
  }

  on<Type extends LedgerEvent["type"] | "*">(type: Type, listener: LedgerListener<Type>): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    const listen = listener as (entry: LedgerEntry) => unknown;
    this.#listeners.set(type, listeners.add(listen));
    return () => void listeners.delete(listen);
  }
}
