import { DEFAULT_POLICY, strictestOf } from "../allowed-tools/tool-rules.ts";
import { SkillError } from "../base/errors.ts";
import type { CatalogBudget } from "../catalog/catalog.ts";
import { mergeToolNames } from "./merge-tool-names.ts";
import type { SetSettings } from "./set-settings.ts";

/**
 * Returns the settings of a skillset that is made of others, from its own and from theirs. Throws if theirs contradict
 * each other: which one applies must not depend on their order.
 */
export function mergeSettings(own: SetSettings, inner: readonly SetSettings[]): SetSettings {
  const names = Object.keys(MERGE) as readonly (keyof SetSettings)[];
  const merged = names.map((name) => [name, mergeOne(name, own, inner)] as const);
  return Object.fromEntries(merged.filter(([, setting]) => setting !== undefined));
}

/** Returns one setting of the outer set. `undefined` is a setting that nobody made. */
type MergeRule<Setting> = (own: Setting | undefined, inner: readonly (Setting | undefined)[]) => Setting | undefined;

/** Every setting, made. */
type Made = Required<SetSettings>;

const MERGE: { readonly [Name in keyof Made]: MergeRule<Made[Name]> } = {
  budget: (own, inner) => own ?? onlyOne("catalog.budget", inner, BUDGETS),
  // Pins name skills, so all of them apply.
  pins: (own, inner) => union([own, ...inner]),
  allowedTools: (own, inner) => {
    const isSet = inner.some((policy) => policy !== undefined);
    // Next to a policy of the outer set, those that have none count for nothing: otherwise, they have the default.
    const counted = own === undefined && isSet ? inner.map((policy) => policy ?? DEFAULT_POLICY) : inner;
    return strictestOf([own, ...counted]);
  },
  toolNames: mergeToolNames,
  // A program works in one folder: that of the outer set.
  cwd: (own, inner) => own ?? firstOf(inner),
  home: (own, inner) => own ?? firstOf(inner),
  embedding: (own, inner) => own ?? onlyOne("embedding", inner, EMBEDDINGS),
  index: (own, inner) => own ?? firstOf(inner),
  // None of them runs a skill that its entry does not name.
  hosts: (own, inner) => union([own, ...inner]),
  // Other sources may have what a skill requires, so it is checked again.
  requirements: (own) => own,
};

function mergeOne<Name extends keyof Made>(
  name: Name,
  own: Partial<Made>,
  inner: readonly Partial<Made>[],
): Made[Name] | undefined {
  const rule: MergeRule<Made[Name]> = MERGE[name];
  const settings = inner.map((one) => one[name]);
  return rule(own[name], settings);
}

/** How two settings are compared, and named in an error. */
interface Kind<Setting> {
  isSame(one: Setting, other: Setting): boolean;
  describe(setting: Setting): string;
}

const BUDGETS: Kind<CatalogBudget> = {
  isSame: (one, other) => BUDGETS.describe(one) === BUDGETS.describe(other),
  describe: (budget) => ("tokens" in budget ? `${budget.tokens} tokens` : `${budget.characters} characters`),
};

const EMBEDDINGS: Kind<NonNullable<SetSettings["embedding"]>> = {
  isSame: (one, other) => one.isSame(other),
  describe: ({ name }) => name,
};

/** Returns the setting of the inner sets. Throws if two of them differ. */
function onlyOne<Setting>(
  option: string,
  inner: readonly (Setting | undefined)[],
  { isSame, describe }: Kind<Setting>,
): Setting | undefined {
  const [first, ...others] = inner.filter((one) => one !== undefined);
  const other = others.find((one) => first !== undefined && !isSame(first, one));
  if (first === undefined || other === undefined) return first;
  const message = `'${option}' is ${describe(first)} in one skillset and ${describe(other)} in another. Set '${option}' for the skillset that is made of them.`;
  throw new SkillError("option-invalid", message);
}

function firstOf<Setting>(inner: readonly (Setting | undefined)[]): Setting | undefined {
  return inner.find((one) => one !== undefined);
}

function union<Item>(lists: readonly (readonly Item[] | undefined)[]): readonly Item[] | undefined {
  const items = new Set(lists.flatMap((list) => list ?? []));
  return items.size === 0 ? undefined : Object.freeze([...items]);
}
