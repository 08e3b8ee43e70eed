import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  type Facts,
  factOf,
  hostText,
  KINDS,
  type Kind,
  type Labels,
  levelOf,
  type Model,
  type ModelSkill,
  modelOf,
  NAMES,
  type Name,
  OPTIONS,
  type Options,
  ownHost,
  PROFILES,
  type ProfileName,
  profileOf,
  Refused,
  SETTINGS,
  type Setting,
  withHosts,
  withSkills,
} from "../../../../../test/set-model.ts";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { startScriptedAgent } from "../../../../testing/src/index.ts";
import { type Agent, connectAgent } from "../../acp/index.ts";
import { strictSkillsOf } from "../../compat/strict-skills.ts";
import { createSkillset, type Skillset } from "../../index.ts";
import { createSkillsServer, importSkills } from "../../mcp/index.ts";
import { openScripts } from "../../scripts/open-scripts.ts";
import type { ScriptRunner } from "../script/script.ts";
import { withScriptHost } from "../with-script-host.ts";

/*
 * Random trees of sets are derived in every way. After each step, all settings and what runs each skill are compared with
 * the model in test/set-model.ts.
 */
test("no way of making a set from others loses a setting, weakens a rule, or runs a skill elsewhere", async () => {
  const world = await openWorld();
  await fc.assert(
    fc.asyncProperty(TREE, async (tree) => {
      const made = await build(world, tree).catch((error) => {
        if (!(error instanceof Refused)) throw error;
      });
      if (made !== undefined) await runAll(made);
    }),
    { numRuns: 100 },
  );
});

const SCRIPT = "scripts/a.sh";

interface Made {
  readonly set: Skillset;
  readonly model: Model;
}

/** What trees share. */
interface World {
  readonly root: string;
  readonly agent: Agent;
  readonly labels: Labels;
  /** Returns a name that nothing else has. */
  next(word: string): string;
}

async function openWorld(): Promise<World> {
  const profiles = Object.fromEntries(Object.entries(PROFILES).map(([name, { json }]) => [name, json]));
  const root = temporaryFolder({ "skillset.json": JSON.stringify({ profiles }) });
  mkdirSync(join(root, ".git"));
  const scripted = await startScriptedAgent([{ say: "Done." }]);
  const agent = await connectAgent(scripted.app);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  let count = 0;
  return { root, agent, labels: new WeakMap(), next: (word) => `${word}${++count}` };
}

/** What runners were asked to run. */
const ran: string[] = [];

function runnerOf(id: string) {
  const runner: ScriptRunner = {
    level: levelOf(id),
    check: async () => undefined,
    run: async ({ script, args }) => {
      ran.push(`${args} in ${id}`);
      return { outcome: "exited", exitCode: 0, command: [script], stdout: "", stderr: "" };
    },
  };
  return { runner, consent: () => "always" as const };
}

const embed = async (texts: readonly string[]): Promise<number[][]> => texts.map(() => [1]);

/** Loads sets and a folder of skills. */
async function load(world: World, given: Options, kinds: readonly Kind[], inner: readonly Made[]): Promise<Made> {
  const id = world.next("set-");
  const options = withProfile(given, world);
  const folder = join(world.root, id);
  const skills = kinds.map((kind) => [`${id}-${kind}`, kind, join(folder, `${id}-${kind}`)] as const);
  for (const [name, kind, place] of skills)
    writeFiles(place, { "SKILL.md": skillMd(name, "One.", "Do.", KINDS[kind]), [SCRIPT]: "" });
  const { scripts, toolsets, embedding, profile, ...others } = options;
  const loading = createSkillset([...inner.map(({ set }) => set), ...(kinds.length > 0 ? [folder] : [])], {
    ...others,
    ...(scripts && { scripts: runnerOf(`${id}@${scripts}`) }),
    ...(toolsets && { toolsets }),
    ...(embedding && { embedding: { model: embed, id: embedding } }),
    ...(profile && { profile }),
    onProblem: () => {},
  });
  const model = await orRefused(loading, () =>
    modelOf(
      { options, id, skills },
      inner.map((one) => one.model),
    ),
  );
  const set = await loading;
  const host = ownHost(options, id);
  const own = host && set.settings.hosts?.[0];
  if (inner.length === 0) note(world, set.settings.index, `index of ${id}`);
  note(world, own?.scripts, host?.scripts);
  if (host?.toolsets !== "disabled") note(world, own?.toolsets, host?.toolsets);
  return { set, model };
}

/** A profile is in the world's folder. It refuses to start a weaker runner, so what it narrows are the sets inside. */
function withProfile({ scripts, toolsets, ...others }: Options, { root }: World): Options {
  const { least = "none" } = profileOf(others);
  return {
    ...others,
    ...(least === "none" && { scripts, toolsets }),
    ...(others.profile !== undefined && { cwd: root }),
  };
}

/** Sets that contradict each other are an error that names the setting, and end a tree. */
async function orRefused(loading: Promise<unknown>, toModel: () => Model): Promise<Model> {
  try {
    return toModel();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const message = expect.stringContaining(`'${error.message}'`);
    await expect(loading).rejects.toMatchObject({ code: "option-invalid", message });
    throw error;
  }
}

function note({ labels }: World, brought: object | undefined, label: string | undefined): void {
  if (brought !== undefined && label !== undefined && !labels.has(brought)) labels.set(brought, label);
}

type Derive = (made: Made, world: World, options: Options) => Promise<Made>;

/** Every way of making a set from another one, and profiles below. */
const WAYS: Readonly<Record<string, Derive>> = {
  "createSkillset([set])": (made, world, options) => load(world, options, [], [made]),
  "createSkillset([set, folder])": (made, world, options) => load(world, options, ["plain"], [made]),
  "filter()": async ({ set, model }) => {
    const [first, second] = set.names;
    const left = second === undefined ? "none" : (first ?? "");
    const filtered = set.filter({ disabled: [left] });
    return { set: filtered, model: withSkills(model, (skill, name) => (name === left ? disabled(skill) : skill)) };
  },
  "reload()": async ({ set, model }) => ({ set: (await set.reload()).skillset, model }),
  "a change on disk and reload()": async ({ set, model }) => {
    const changed = change(model);
    return { set: (await set.reload()).skillset, model: changed };
  },
  "a change on disk and watch()": async ({ set, model }) => {
    const changed = change(model);
    if (changed === model) return { set, model };
    const { promise, resolve: hear } = Promise.withResolvers<void>();
    const watcher = set.watch(() => hear(), { debounce: 0 });
    await promise;
    await watcher.close();
    return { set: watcher.current, model: changed };
  },
  "the strict view": async ({ set, model }) => ({
    set: strictSkillsOf(set).skillset,
    model: withSkills(model, (skill) => (skill.kind === "odd" && skill.status === "enabled" ? disabled(skill) : skill)),
  }),
  "connectAgent({ scripts })": async ({ set, model }, world) => {
    const scripts = `${world.next("agent-")}@subprocess`;
    const { host } = await openScripts(runnerOf(scripts));
    note(world, host, scripts);
    const added = withHosts(model, (one) => (one.scripts !== undefined || one.off ? one : { ...one, scripts }));
    const hosts = [...(added.settings.hosts ?? []), { scripts }];
    return { set: withScriptHost(set, host), model: { ...added, settings: { ...added.settings, hosts } } };
  },
  "importSkills()": ({ set, model }, world) => importSet(set, model, world),
  "think().skill(set)": (made, world, options) => think(made, world, options),
};
const PROFILE_WAYS = (Object.keys(PROFILES) as ProfileName[]).map((profile): [string, Derive] => [
  `createSkillset([set]) with the profile '${profile}'`,
  (made, world, options) => load(world, { ...options, profile }, [], [made]),
]);
const ALL_WAYS: Readonly<Record<string, Derive>> = { ...WAYS, ...Object.fromEntries(PROFILE_WAYS) };

const disabled = (skill: ModelSkill): ModelSkill => ({ ...skill, status: "disabled" });

/** Writes a new description of an enabled skill in a folder, if there is one. */
function change(model: Model): Model {
  const found = [...model.skills].find(([, { status, folder }]) => status === "enabled" && folder !== undefined);
  if (found === undefined) return model;
  const [name, { folder = "", kind, description: before }] = found;
  const description = `${before} More.`;
  writeFileSync(join(folder, "SKILL.md"), skillMd(name, description, "Do.", KINDS[kind]));
  return withSkills(model, (skill, one) => (one === name ? { ...skill, description } : skill));
}

/** The set of another program: only its skills arrive, without anything that runs them. */
async function importSet(served: Skillset, { skills }: Model, world: World): Promise<Made> {
  const server = world.next("server");
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createSkillsServer(served).connect(theirs as never);
  const client = new Client({ name: "host", version: "1" });
  await client.connect(ours);
  const set = await importSkills(client, { server, approve: () => true });
  note(world, set.settings.index, `index of ${server}`);
  const published = [...skills].filter(([, { status, folder }]) => status === "enabled" && folder !== undefined);
  const imported = published.map(([name, skill]): [string, ModelSkill] => [
    `${server}:${name}`,
    { ...skill, folder: undefined, host: {} },
  ]);
  return { set, model: { settings: { index: `index of ${server}`, requirements: false }, skills: new Map(imported) } };
}

/** The set of a run in a conversation that has other skills. */
async function think(made: Made, world: World, options: Options): Promise<Made> {
  // A run refuses skills whose requirements are not met.
  const isUnmet = [...made.model.skills.values()].some(({ kind, status }) => kind === "needy" && status !== "disabled");
  if (isUnmet || made.set.size === 0) return made;
  const lasting = await load(world, options, ["plain"], []);
  const session = await lasting.set.session();
  const used = vi.spyOn(session, "use");
  await using chat = world.agent.session({ skills: session });
  const running = chat.think().skill(made.set).text("Hi.").run();
  const model = await orRefused(running, () => {
    const brought = modelOf({ options: {} }, [made.model]);
    const { budget = lasting.model.settings.budget, embedding = lasting.model.settings.embedding } = brought.settings;
    const others = { ...lasting.model, settings: { ...lasting.model.settings, budget, embedding } };
    return modelOf({ options: { requirements: false } }, [brought, others]);
  });
  await running;
  return { set: used.mock.calls[0]?.[0] as Skillset, model };
}

interface Tree {
  readonly options: Options;
  readonly kinds: readonly Kind[];
  readonly inner: readonly Tree[];
  readonly ways: readonly { readonly way: string; readonly options: Options }[];
}

const { tree: TREE } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    options: OPTIONS,
    kinds: fc.subarray(Object.keys(KINDS) as Kind[], { minLength: 1 }),
    inner: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie("tree"), { minLength: 1, maxLength: 2 })),
    ways: fc.array(fc.record({ way: fc.constantFrom(...Object.keys(ALL_WAYS)), options: OPTIONS }), {
      maxLength: 4,
      size: "max",
    }),
  }),
}));

async function build(world: World, { options, kinds, inner, ways }: Tree): Promise<Made> {
  const sets: Made[] = [];
  for (const tree of inner) sets.push(await build(world, tree));
  let made = await load(world, options, kinds, sets);
  await check(made, world);
  for (const { way, options: given } of ways) {
    made = await (ALL_WAYS[way] as Derive)(made, world, given);
    await check(made, world);
  }
  return made;
}

/** A reload changes nothing, and derives again what was derived. */
async function check(made: Made, world: World): Promise<void> {
  compare(made, world);
  compare({ ...made, set: (await made.set.reload()).skillset }, world);
}

function compare({ set, model }: Made, world: World): void {
  const seen = <One extends Name>(name: One): Facts[One] | undefined => {
    const setting: Setting<Facts[One]> = SETTINGS[name];
    return setting.seen(set.settings, world.labels);
  };
  const all = (fact: (name: Name) => unknown) => Object.fromEntries(NAMES.map((name) => [name, plain(fact(name))]));
  expect(all(seen)).toEqual(all((name) => model.settings[name]));
  const entries = set.entries.map((entry) => {
    if (entry.status === "invalid") return [entry.name, entry.reason];
    const { name, status, skill, host = {} } = entry;
    return [name, `${status}: ${skill.description} ${hostText(factOf(host, world.labels))}`];
  });
  const skills = Array.from(model.skills, ([name, { status, description, host }]) => {
    return [name, `${status}: ${description} ${hostText(host)}`];
  });
  expect(Object.fromEntries(entries)).toEqual(Object.fromEntries(skills));
}

/** Nothing and a list of nothing are the same. The order of hosts has no meaning. */
function plain(fact: unknown): unknown {
  if (typeof fact !== "object" || fact === null) return fact;
  if (Object.keys(fact).length === 0) return undefined;
  const isHosts = Array.isArray(fact) && typeof fact[0] === "object";
  return isHosts ? [...new Set(fact.map(hostText))].sort() : fact;
}

/** Runs a script of every skill in one session. */
async function runAll({ set, model }: Made): Promise<void> {
  ran.length = 0;
  const session = await set.session();
  await Promise.all(set.names.map((name) => session.scripts.run(name, SCRIPT, { args: [name] }).catch(isDisabled)));
  const runs = [...model.skills].filter(([, { status, folder }]) => status === "enabled" && folder !== undefined);
  const expected = runs.flatMap(([name, { host }]) => (host.scripts === undefined ? [] : `${name} in ${host.scripts}`));
  expect(ran.toSorted()).toEqual(expected.sort());
}

const isDisabled = ({ code }: { readonly code: string }): void => expect(code).toBe("scripts-disabled");
