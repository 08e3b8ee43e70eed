import { resolve } from "node:path";
import fc from "fast-check";
import type { SkillHost } from "../packages/skillset/src/core/host/skill-host.ts";
import type { SetSettings } from "../packages/skillset/src/core/set/set-settings.ts";
import type { CreateSkillsetOptions } from "../packages/skillset/src/index.ts";

/*
 * A small model of the rules for sets inside others that docs/loading.md and docs/scripts.md describe.
 */

export type Name = keyof Required<SetSettings>;

/** Who brought a host or an index. */
export type Labels = WeakMap<object, string>;

/** The options of a set, as data. */
export interface Options
  extends Pick<CreateSkillsetOptions, "catalog" | "allowedTools" | "toolNames" | "cwd" | "requirements"> {
  /** The level of the runner. */
  readonly scripts?: string | undefined;
  readonly toolsets?: "sandbox" | "in-process" | undefined;
  /** The id of the model. */
  readonly embedding?: string;
  readonly profile?: ProfileName;
}

/** What is known of one setting: how options set it, how a set shows it, and its rule for sets inside others. */
export interface Setting<Fact> {
  /** Options that set it. */
  readonly options: fc.Arbitrary<Options>;
  /** What a set has by its options and its profile. A leaf has no sets inside. */
  own(options: Options, id: string, isLeaf: boolean): Fact | undefined;
  seen(settings: SetSettings, labels: Labels): Fact | undefined;
  /** Throws `Refused` if the sets inside contradict each other. */
  rule(own: Fact | undefined, inner: readonly (Fact | undefined)[]): Fact | undefined;
}

export interface Facts extends Record<Name, unknown> {
  readonly pins: readonly string[];
  readonly allowedTools: Policy;
  /** The authors' names of each tool. */
  readonly toolNames: Readonly<Record<string, string>>;
  readonly hosts: readonly Host[];
}

type Known = { readonly [One in Name]?: Facts[One] | undefined };

/** The message is the option that an error must name. */
export class Refused extends Error {}

const POLICIES = ["off", "log", "enforce"] as const;
type Policy = (typeof POLICIES)[number];

const strictest = (policies: readonly (Policy | undefined)[]): Policy | undefined =>
  POLICIES.findLast((one) => policies.includes(one));
const isSet = <Fact>(fact: Fact | undefined): boolean => fact !== undefined;
const first = <Fact>(own: Fact | undefined, inner: readonly (Fact | undefined)[]) => own ?? inner.find(isSet);

/** The outer set decides. Otherwise, all that say something must say the same. */
const agreed = (option: string) => (own: unknown, inner: readonly unknown[]) => {
  const different = new Set(inner.filter(isSet).map((one) => JSON.stringify(one)));
  if (own === undefined && different.size > 1) throw new Refused(option);
  return first(own, inner);
};

export const profileOf = ({ profile }: Options): ProfileFacts =>
  profile === undefined ? { json: {} } : PROFILES[profile];

const NO_OPTION = fc.constant<Options>({});

// A new setting does not compile without its entry.
export const SETTINGS: { readonly [One in Name]: Setting<Facts[One]> } = {
  budget: {
    options: fc
      .constantFrom({ tokens: 900 }, { tokens: 800 }, { characters: 900 })
      .map((budget) => ({ catalog: { budget } })),
    own: (options) => options.catalog?.budget ?? profileOf(options).budget,
    seen: ({ budget }) => budget,
    rule: agreed("catalog.budget"),
  },
  pins: {
    options: fc.subarray(["pin-a", "pin-b", "pin-c"]).map((pins) => ({ catalog: { pins } })),
    own: (options) => [...(options.catalog?.pins ?? []), ...(profileOf(options).pins ?? [])],
    seen: ({ pins }) => pins,
    rule: (own = [], inner) => [...new Set([...own, ...inner.flatMap((pins = []) => pins)])],
  },
  allowedTools: {
    options: fc.constantFrom(...POLICIES).map((allowedTools) => ({ allowedTools })),
    own: (options) => strictest([options.allowedTools, profileOf(options).allowedTools]),
    seen: ({ allowedTools }) => allowedTools,
    // Beside sets with a policy, those without have the default one, except if the outer set has one for them.
    rule: (own, inner) =>
      strictest(own === undefined && inner.some(isSet) ? inner.map((one) => one ?? "log") : [own, ...inner]),
  },
  toolNames: {
    options: fc
      .record(
        {
          Bash: fc.subarray(["shell", "exec"], { minLength: 1 }),
          Read: fc.subarray(["shell", "cat"], { minLength: 1 }),
        },
        { requiredKeys: [] },
      )
      .map((toolNames) => ({ toolNames })),
    own: ({ toolNames }) => meaningsOf(toolNames),
    seen: ({ toolNames }) => meaningsOf(toolNames),
    rule: (own = {}, inner) => {
      const meanings = { ...own };
      for (const [tool, names] of inner.flatMap((set = {}) => Object.entries(set))) {
        if ((meanings[tool] ?? names) !== names) throw new Refused("toolNames");
        meanings[tool] = names;
      }
      return meanings;
    },
  },
  cwd: {
    options: fc.constantFrom("one", "two").map((cwd) => ({ cwd })),
    own: ({ cwd = "." }) => resolve(cwd),
    seen: ({ cwd }) => cwd,
    rule: first,
  },
  home: { options: NO_OPTION, own: () => "home", seen: ({ home }) => home && "home", rule: first },
  embedding: {
    options: fc.constantFrom("acme/one", "acme/two").map((embedding) => ({ embedding })),
    own: ({ embedding }) => embedding && `the model '${embedding}'`,
    seen: ({ embedding }) => embedding?.name,
    rule: agreed("embedding"),
  },
  index: {
    options: NO_OPTION,
    own: (_, id, isLeaf) => (isLeaf ? `index of ${id}` : undefined),
    seen: ({ index }, labels) => index && labels.get(index),
    rule: first,
  },
  hosts: {
    options: fc.constantFrom<Options>(
      { scripts: "subprocess" },
      { scripts: "subprocess", toolsets: "in-process" },
      { scripts: "embedded", toolsets: "sandbox" },
      { scripts: "bubblewrap", toolsets: "sandbox" },
      { toolsets: "in-process" },
    ),
    own: (options, id) => [ownHost(options, id) ?? []].flat(),
    seen: ({ hosts }, labels) => hosts?.map((host) => factOf(host, labels)),
    rule: (own = [], inner) => [...own, ...inner.flatMap((hosts = []) => hosts)],
  },
  requirements: {
    options: fc.constantFrom(false, false, true).map((requirements) => ({ requirements })),
    own: ({ requirements }) => requirements,
    seen: ({ requirements }) => requirements,
    rule: (own) => own,
  },
};
export const NAMES = Object.keys(SETTINGS) as readonly Name[];

function meaningsOf(toolNames: SetSettings["toolNames"] = {}): Facts["toolNames"] {
  const meanings: Record<string, string> = {};
  for (const name of Object.keys(toolNames).sort())
    for (const tool of [toolNames[name] ?? []].flat()) meanings[tool] = [meanings[tool], name].filter(isSet).join();
  return meanings;
}

/** What runs the code of a skill: who brought it, and its level. */
export interface Host {
  readonly scripts?: string | undefined;
  readonly toolsets?: string | undefined;
  /** A profile turned scripts off. */
  readonly off?: boolean | undefined;
}

export function ownHost(options: Options, id: string): Host | undefined {
  const { scripts, toolsets, profile } = options;
  if (scripts === undefined && toolsets === undefined) return undefined;
  const level = toolsets === "sandbox" ? scripts : toolsets;
  const host = { scripts: scripts && `${id}@${scripts}`, toolsets: toolsets && `${id}@${level}` };
  return narrow(host, profile);
}

export function factOf({ scripts, toolsets, scriptsOff }: SkillHost, labels: Labels): Host {
  return {
    scripts: scripts && (labels.get(scripts) ?? "unknown"),
    toolsets: toolsets && (labels.get(toolsets) ?? "disabled"),
    off: scriptsOff,
  };
}

export const hostText = ({ scripts, toolsets, off }: Host): string =>
  `scripts: ${off ? "off" : scripts}, toolsets: ${toolsets}`;

/** What a profile says: in skillset.json, and to the model. */
interface ProfileFacts {
  readonly json: object;
  readonly budget?: unknown;
  readonly pins?: readonly string[];
  readonly allowedTools?: Policy;
  /** The weakest level that may run code. */
  readonly least?: string;
}

const LEVELS = ["in-process", "subprocess", "embedded", "bubblewrap", "none"];
export const levelOf = (id: string): string => id.split("@")[1] ?? "";

export type ProfileName = "off" | "auto" | "strong" | "enforce" | "loose" | "short";
export const PROFILES: Readonly<Record<ProfileName, ProfileFacts>> = {
  off: { json: { scripts: "off" }, least: "none" },
  auto: { json: { scripts: { runner: "auto" } }, least: "embedded" },
  strong: { json: { scripts: { minimum: "bubblewrap" } }, least: "bubblewrap" },
  enforce: { json: { allowedTools: "enforce" }, allowedTools: "enforce" },
  // The profile of a project never weakens the default.
  loose: { json: { allowedTools: "off" }, allowedTools: "log" },
  short: { json: { catalog: { tokens: 700, pins: ["pin-p"] } }, budget: { tokens: 700 }, pins: ["pin-p"] },
};

function narrow(host: Host, profile: ProfileName | undefined): Host {
  const { least = "in-process" } = profile === undefined ? {} : PROFILES[profile];
  const allows = (id = "@none"): boolean => id === "disabled" || LEVELS.indexOf(levelOf(id)) >= LEVELS.indexOf(least);
  return {
    ...host,
    ...(!allows(host.scripts) && { scripts: undefined, off: true }),
    ...(!allows(host.toolsets) && { toolsets: "disabled" }),
  };
}

export const KINDS = {
  plain: "",
  /** Requires what no machine has. */
  needy: "metadata:\n  env: NO_SUCH_VARIABLE\n",
  /** Breaks a rule of the strict policy. */
  odd: "odd: true\n",
};
export type Kind = keyof typeof KINDS;

/** A skill of a set, as the model knows it. */
export interface ModelSkill {
  readonly kind: Kind;
  readonly status: "enabled" | "disabled" | "unavailable";
  readonly description: string;
  readonly host: Host;
  /** Undefined for a skill of an MCP server. */
  readonly folder?: string | undefined;
}

/** What a set must be. */
export interface Model {
  readonly settings: Known;
  readonly skills: ReadonlyMap<string, ModelSkill>;
}

interface OwnPart {
  readonly options: Options;
  readonly id?: string;
  readonly skills?: readonly (readonly [name: string, kind: Kind, folder: string])[];
}

/** What a set must be that is made of others. */
export function modelOf({ options, id = "", skills = [] }: OwnPart, inner: readonly Model[]): Model {
  const { profile, requirements = true } = options;
  const found = new Map(inner.flatMap((model) => [...withHosts(model, (host) => narrow(host, profile)).skills]));
  for (const [name, kind, folder] of skills)
    found.set(name, { kind, status: "enabled", description: "One.", host: ownHost(options, id) ?? {}, folder });
  // What skills require is checked again.
  for (const [name, skill] of found)
    if (skill.kind === "needy" && skill.status !== "disabled")
      found.set(name, { ...skill, status: requirements ? "unavailable" : "enabled" });
  const narrowed = inner.map((model) => withHosts(model, (host) => narrow(host, profile)).settings);
  const merge = <One extends Name>(name: One): Facts[One] | undefined => {
    const { own, rule }: Setting<Facts[One]> = SETTINGS[name];
    return rule(
      own(options, id, inner.length === 0),
      narrowed.map((settings) => settings[name]),
    );
  };
  return { settings: Object.fromEntries(NAMES.map((name) => [name, merge(name)])), skills: found };
}

export function withSkills(model: Model, map: (skill: ModelSkill, name: string) => ModelSkill): Model {
  return { ...model, skills: new Map(Array.from(model.skills, ([name, skill]) => [name, map(skill, name)])) };
}

export function withHosts(model: Model, map: (host: Host) => Host): Model {
  const { settings, skills } = withSkills(model, (skill) => ({ ...skill, host: map(skill.host) }));
  return { settings: { ...settings, hosts: settings.hosts?.map(map) }, skills };
}

export const OPTIONS: fc.Arbitrary<Options> = fc
  .tuple(
    ...NAMES.map((name) =>
      fc.oneof({ weight: 3, arbitrary: NO_OPTION }, { weight: 2, arbitrary: SETTINGS[name].options }),
    ),
  )
  .map((all: readonly Options[]) => {
    const catalog = Object.assign({}, ...all.map((one) => one.catalog));
    return { ...Object.assign({}, ...all), catalog };
  });
