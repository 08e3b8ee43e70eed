import { SkillError } from "../base/errors.ts";
import type { SessionState, StoredActivation, StoredCatalog, StoredInstructions, StoredNotice } from "./state.ts";

/** Returns the state that a store has. Throws if the value is not the state of a session. */
export function readState(value: unknown): SessionState {
  const state = toVersion3(value);
  checkState(state);
  return state;
}

/** In version 2, `spent` and `notices` could be missing. */
function toVersion3(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { version, active, spent = 0, catalog, notices = [] } = value as Partial<Record<keyof SessionState, unknown>>;
  return version === 2 ? { version: 3, active, spent, ...(catalog !== undefined && { catalog }), notices } : value;
}

function checkState(state: unknown): asserts state is SessionState {
  if (isState(state)) return;
  const { version } = Object(state) as { readonly version?: unknown };
  const message =
    typeof version === "number" && Number.isInteger(version) && version > 3
      ? `The stored session has version ${version}, but this release supports only versions 2 and 3. Update skillset.`
      : "The store returned a value that is not the state of a session. Return what save() received, or undefined.";
  throw new SkillError("store-failed", message);
}

type Test = (value: unknown) => boolean;

/** Every field has a test, so that a new one is not forgotten. */
type Tests<Shape> = { readonly [Field in keyof Required<Shape>]: Test };

const isText: Test = (value) => typeof value === "string";
const isFlag: Test = (value) => typeof value === "boolean";
const isAmount: Test = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isVersion: Test = (value) => value === 3;
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);

/** Other fields are ignored. */
const shapeOf = <Shape>(tests: Tests<Shape>): Test => {
  const fields = Object.entries<Test>(tests);
  return (value) => isObject(value) && fields.every(([name, test]) => test((value as Record<string, unknown>)[name]));
};

const isNames = optional(listOf(isText));
const isDescribed: Test = (value) => isObject(value) && Object.values(value).every(isText);

const isActivation = shapeOf<StoredActivation>({
  name: isText,
  digest: isText,
  by: isText,
  arguments: optional(isText),
});

const isInstructions = shapeOf<StoredInstructions>({
  name: isText,
  digest: isText,
  changed: optional(isFlag),
  arguments: optional(isText),
  repeated: optional(isFlag),
});

const isCatalog = shapeOf<StoredCatalog>({
  text: isText,
  tokens: isAmount,
  skills: isDescribed,
  shortened: listOf(isText),
  nameOnly: listOf(isText),
  omitted: listOf(isText),
  budget: optional((value) => isObject(value) && Object.values(value).every(isAmount)),
  hasTools: isFlag,
  hasScripts: optional(isFlag),
  hasToolsets: optional(isFlag),
});

const isNotice = shapeOf<StoredNotice>({
  message: isText,
  after: optional(isText),
  position: isAmount,
  invoked: optional(listOf(isInstructions)),
  triggered: optional(listOf(isInstructions)),
  suggested: isNames,
  shortlisted: optional(isDescribed),
  given: optional(listOf(isInstructions)),
  text: optional(isText),
  added: optional(isDescribed),
  nameOnly: isNames,
  omitted: isNames,
  removed: isNames,
  active: isNames,
  changed: optional(listOf(shapeOf<{ name: string; digest: string }>({ name: isText, digest: isText }))),
});

const isState = shapeOf<SessionState>({
  version: isVersion,
  active: listOf(isActivation),
  spent: isAmount,
  catalog: optional(isCatalog),
  notices: listOf(isNotice),
});
