import { dirname, resolve } from "node:path";
import { type ProblemCode, SEVERITIES, type Severity } from "../../core/base/problem.ts";
import { refuses, resolvePolicy } from "../../core/manifest/policy.ts";
import { toValue, type YamlNode } from "../../core/manifest/yaml-node.ts";
import { realPath } from "../files/real-path.ts";
import { type ConfigSource, configError, hint, readCount, readFields } from "./config-section.ts";
import { RULE_HELP } from "./rule-help.ts";

/** How `skillset validate` reports a rule. */
export type RuleLevel = "off" | Severity;

/** The `validate` section of a skillset.json. */
export interface ValidateConfig {
  readonly rules: ReadonlyMap<ProblemCode, RuleLevel>;
  readonly maxWarnings?: number;
  /** Globs of folders that are not searched: names, or absolute paths. */
  readonly ignore?: readonly string[];
}

export const RULES = Object.keys(RULE_HELP) as readonly ProblemCode[];

/** Returns the levels that a rule may have. Problems that prevent loading are always reported. */
export function levelsOf(rule: ProblemCode): readonly RuleLevel[] {
  return refuses(LENIENT, rule) ? LEVELS : ["off", ...LEVELS];
}

const LENIENT = resolvePolicy({ policy: "lenient" });
const LEVELS = SEVERITIES.toReversed();

export function readValidateConfig(node: YamlNode | undefined, source: ConfigSource): ValidateConfig {
  if (node === undefined) return { rules: new Map() };
  const section = { what: "'validate'", kind: "key", known: ["rules", "maxWarnings", "ignore"] } as const;
  const fields = readFields(node, section, source);
  const rules = readRules(fields.get("rules")?.value, source);
  const [most, ignore] = [fields.get("maxWarnings"), fields.get("ignore")];
  return {
    rules,
    ...(most && { maxWarnings: readCount("maxWarnings", most.value, source) }),
    ...(ignore && { ignore: readIgnored(ignore.value, source) }),
  };
}

/** Paths are relative to the file. */
function readIgnored(node: YamlNode, source: ConfigSource): readonly string[] {
  if (node.kind !== "sequence") throw configError("'ignore' must be an array of globs.", node.at, source);
  const folder = realPath(dirname(source.path));
  return node.items.map((item) => {
    const glob = toValue(item);
    if (typeof glob !== "string" || glob === "")
      throw configError("A glob in 'ignore' must be a string that is not empty.", item.at, source);
    return glob.includes("/") ? resolve(folder, glob) : glob;
  });
}

function readRules(node: YamlNode | undefined, source: ConfigSource): ReadonlyMap<ProblemCode, RuleLevel> {
  if (node === undefined) return new Map();
  const rules = readFields(node, { what: "'rules'", kind: "rule", known: RULES }, source);
  return new Map(Array.from(rules, ([rule, { value }]) => [rule, readLevel(rule, value, source)]));
}

function readLevel(rule: ProblemCode, node: YamlNode, source: ConfigSource): RuleLevel {
  const value = toValue(node);
  const levels = levelsOf(rule);
  const level = levels.find((one) => one === value);
  if (level !== undefined) return level;
  if (value === "off") {
    const message = `'${rule}' cannot be 'off', because no agent can load such a skill. Use 'warning' or 'info'.`;
    throw configError(message, node.at, source);
  }
  const shown = typeof value === "string" ? value : "";
  const names = levels.map((one) => `'${one}'`).join(", ");
  throw configError(`'${rule}' must be one of ${names}${hint(shown, levels)}`, node.at, source);
}
