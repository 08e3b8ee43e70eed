import type { CatalogBudget } from "../catalog/catalog.ts";

/**
 * The state of a conversation, exactly as it is stored: what the model was shown, as names, digests and the catalog, never
 * instructions. Only `reduce` makes another one from it.
 */
export interface SessionState {
  readonly version: 3;
  /** The active skills, in activation order. */
  readonly active: readonly StoredActivation[];
  /** The tokens spent on instructions. */
  readonly spent: number;
  /** The catalog of the first request. Every later request repeats it. */
  readonly catalog?: StoredCatalog | undefined;
  /** What later messages added, oldest first. */
  readonly notices: readonly StoredNotice[];
}

/** The state of a conversation that has not started. */
export const EMPTY_STATE: SessionState = Object.freeze({ version: 3, active: [], spent: 0, notices: [] });

/** Who or what activated a skill. */
export type ActivatedBy = "model" | "user" | "trigger" | "host";

export interface StoredActivation {
  readonly name: string;
  readonly digest: string;
  readonly by: ActivatedBy;
  /** What the user wrote after the skill's name. */
  readonly arguments?: string;
}

export interface StoredCatalog {
  readonly text: string;
  readonly tokens: number;
  /** Every skill that a model could activate at that time, including those that the text omitted. */
  readonly skills: DescribedSkills;
  readonly shortened: readonly string[];
  readonly nameOnly: readonly string[];
  readonly omitted: readonly string[];
  /** What limited the text, if it does not show every skill in full. */
  readonly budget?: CatalogBudget;
  /** Whether any skill had tools. */
  readonly hasTools: boolean;
  /** Whether any skill had scripts that could run. */
  readonly hasScripts?: boolean;
  /** Whether any trusted skill had toolsets that could run. */
  readonly hasToolsets?: boolean;
}

/** Skill names, each with a mark that changes with its description. */
export type DescribedSkills = Readonly<Record<string, string>>;

/** What a request added to a user's message. Every later request adds it again. */
export interface StoredNotice {
  /** Marks that identify the message's text, and that of the user's message before it. */
  readonly message: string;
  readonly after?: string;
  /** The index of the message among the user's messages. */
  readonly position: number;
  /** The skills that the message invoked, with their instructions at that time. */
  readonly invoked?: readonly StoredInstructions[];
  /** The skills that the message triggered, with their instructions at that time. */
  readonly triggered?: readonly StoredInstructions[];
  /** The skills that the message triggered and that the text suggests. */
  readonly suggested?: readonly string[];
  /** The skills that fit the message and that the text describes. */
  readonly shortlisted?: DescribedSkills;
  /** Skills whose instructions no other message contained. */
  readonly given?: readonly StoredInstructions[];
  /** The text of the notice. */
  readonly text?: string;
  /** What the notice reported. */
  readonly added?: DescribedSkills;
  /** The added skills that the text lists without a description, and those that it does not list. */
  readonly nameOnly?: readonly string[];
  readonly omitted?: readonly string[];
  readonly removed?: readonly string[];
  readonly active?: readonly string[];
  readonly changed?: readonly { readonly name: string; readonly digest: string }[];
}

export interface StoredInstructions {
  readonly name: string;
  readonly digest: string;
  /** Whether the text says that the instructions have changed. */
  readonly changed: boolean;
  /** What the user wrote after the skill's name. Absent where the message still contains it. */
  readonly arguments?: string;
  /** An earlier message contained the instructions. The text only says so. */
  readonly repeated?: boolean;
}
