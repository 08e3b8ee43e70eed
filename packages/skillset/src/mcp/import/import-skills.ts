import type { Client } from "@modelcontextprotocol/client";
import type { Skill as PublishedSkill } from "@modelcontextprotocol/client/ext/skills";
import { SkillError } from "../../core/base/errors.ts";
import type { Problem } from "../../core/base/problem.ts";
import { checkManifest } from "../../core/manifest/manifest.ts";
import { ManifestReport } from "../../core/manifest/manifest-report.ts";
import { resolvePolicy } from "../../core/manifest/policy.ts";
import { fromValue } from "../../core/manifest/yaml-node.ts";
import { SharedIndex } from "../../core/search/shared-index.ts";
import { makeSkillset, type Skillset, type SkillsetLoader } from "../../core/skillset.ts";
import { type SkillCandidate, selectSkills } from "../../core/source/select.ts";
import { checkOptions, type OptionTable } from "../../core/text/check-options.ts";
import { checkMethods } from "../../core/text/describe-value.ts";
import { Approvals, type ApproveSkill, digestOf } from "./approvals.ts";
import { boundListing } from "./bounded-listing.ts";
import { ImportedSkill } from "./imported-skill.ts";

/** Options for `importSkills`. */
export interface ImportSkillsOptions {
  /** The server's name in this program: it prefixes the skill names (`acme:pdf`) and is shown to models. */
  readonly server: string;
  /** Called on the first use of a skill, and again whenever one of its files has changed. */
  readonly approve: ApproveSkill;
  /** Cancels the listing. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the skills that an MCP server publishes through the Skills extension, as a source for `createSkillset`. Only
 * the listing is fetched. Instructions and files are fetched on use, after approval, and verified against the listed
 * digest and size.
 *
 * @example
 * ```ts
 * import type { Client } from "@modelcontextprotocol/client";
 * import { createSkillset } from "skillset";
 * import { importSkills } from "skillset/mcp";
 *
 * declare const client: Client;
 * declare const approved: ReadonlySet<string>;
 *
 * const imported = await importSkills(client, {
 *   server: "acme",
 *   approve: ({ digest }) => digest !== undefined && approved.has(digest),
 * });
 * const skillset = await createSkillset([imported]);
 * console.log(skillset.names);
 * ```
 */
export async function importSkills(client: Client, options: ImportSkillsOptions): Promise<Skillset> {
  checkMethods("The first argument of importSkills()", client, ["getServerCapabilities", "request"], CONNECT);
  checkOptions("importSkills()", options ?? null, OPTIONS);
  const { server, approve, signal } = options;
  if (!/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(server)) {
    const message = `'server' must be a short name of lowercase letters, digits and hyphens; got ${JSON.stringify(server)}.`;
    throw new SkillError("option-invalid", message);
  }
  if (typeof approve !== "function") throw new SkillError("option-invalid", "'approve' must be a function.");
  // Loaded lazily: few programs import skills.
  const { SkillsClient } = await import("@modelcontextprotocol/client/ext/skills");
  const skills = new SkillsClient(client, { skipInvalid: true });
  const approvals = new Approvals(server, approve);
  const index = new SharedIndex();
  const load = async ({ signal }: { readonly signal?: AbortSignal }): Promise<Skillset> => {
    if (!skills.supported)
      throw new SkillError("source-unreadable", `MCP server '${server}' does not support the Skills extension.`);
    const bounded = boundListing(client);
    const lister = new SkillsClient(bounded.client, { skipInvalid: true });
    const listing = await listAll(server, () => lister.list({}, signal && { signal }), signal);
    const problems: Problem[] = listing.invalid.map(({ uri = "an entry", reason }) =>
      invalidEntry(server, uri, reason),
    );
    if (bounded.isCut()) problems.push(tooMany(server, listing.skills.length));
    const candidates: SkillCandidate[] = [];
    for (const [index, entry] of listing.skills.entries()) {
      // Thousands of entries take seconds: yield, so that other work continues and the signal is checked.
      if (index % TAKEN_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      signal?.throwIfAborted();
      const manifest = readManifest(entry, server, problems);
      if (manifest === undefined) continue;
      const skill = new ImportedSkill(manifest, entry, await digestOf(entry), { server, skills, approvals });
      candidates.push({ kind: "skill", skill });
    }
    const selection = selectSkills(candidates);
    const loader: SkillsetLoader = {
      reload: load,
      // The protocol notifies clients of changes, not this library: reload the set when your client is notified.
      watch: (current) => ({ current, ready: Promise.resolve(), close: async () => {} }),
    };
    return makeSkillset({
      ...selection,
      problems: [...problems, ...selection.problems],
      // What skills require is checked where they are loaded: only a platform knows what it has.
      settings: { index, requirements: false },
      loader,
    });
  };
  return load(signal === undefined ? {} : { signal });
}

const CONNECT = "Pass a client that is connected to the server, such as that of connectHttp().";

const TAKEN_AT_ONCE = 500;

async function listAll<Listing>(server: string, list: () => Promise<Listing>, signal?: AbortSignal): Promise<Listing> {
  try {
    return await list();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SkillError) throw error;
    const message = `The skills of MCP server '${server}' cannot be listed: ${(error as Error).message}`;
    throw new SkillError("source-unreadable", message, { cause: error });
  }
}

/** Frontmatter from a server is validated like that of a file. */
function readManifest({ uri, frontmatter }: PublishedSkill, server: string, problems: Problem[]) {
  const node = fromValue(frontmatter);
  const report = new ManifestReport({ policy: resolvePolicy(), path: uri });
  const manifest = checkManifest(node.kind === "mapping" ? node.entries : [], report);
  problems.push(...report.problems.map((problem) => ({ ...problem, skill: `${server}:${frontmatter.name}` })));
  return manifest;
}

function tooMany(server: string, taken: number): Problem {
  return {
    code: "skill-not-imported",
    severity: "error",
    message: `MCP server '${server}' lists too many skills and files; only the first ${taken} skills were imported.`,
  };
}

function invalidEntry(server: string, uri: string, reason: string): Problem {
  return {
    code: "skill-not-imported",
    severity: "error",
    message: `MCP server '${server}' lists ${uri}, which breaks the rules of the Skills extension: ${reason}`,
    fix: "Ask the server's maintainer to correct the entry.",
  };
}

const OPTIONS: OptionTable<ImportSkillsOptions> = {
  server: true,
  approve: true,
  signal: true,
};
