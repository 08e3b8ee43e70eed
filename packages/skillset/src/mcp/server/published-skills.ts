import { type Resource, ResourceNotFoundError } from "@modelcontextprotocol/server";
import {
  DIRECTORY_MIME_TYPE,
  type Skill as PublishedSkill,
  type SkillSource,
} from "@modelcontextprotocol/server/ext/skills";
import { DEFAULTS } from "../../core/base/limits.ts";
import type { Problem } from "../../core/base/problem.ts";
import type { Skill } from "../../core/skill/skill.ts";
import type { Skillset } from "../../core/skillset.ts";
import { mediaTypeOf } from "../../core/text/media-type.ts";
import { itemsAfter, pageOf, toCursor } from "./page.ts";
import { addressOf, type Publication, Publisher } from "./publisher.ts";

/** Options for `PublishedSkills`. */
export interface PublishOptions {
  /**
   * The number of skills on a page.
   * @default 20
   */
  readonly pageSize?: number | undefined;
  /** Called when a skill cannot be published. */
  readonly onProblem?: ((problem: Problem) => void) | undefined;
}

/**
 * A skillset as a source for the Skills extension. Files are read and hashed only on request, one page at a time.
 * Skills that the extension rejects are omitted, and the reason is recorded.
 */
export class PublishedSkills implements SkillSource {
  readonly #current: () => Skillset;
  readonly #pageSize: number;
  readonly #onProblem: ((problem: Problem) => void) | undefined;
  readonly #problems = new Map<string, Problem>();
  readonly #publisher = new Publisher();
  #sorted: { readonly skillset: Skillset; readonly skills: readonly Skill[] } | undefined;

  constructor(current: () => Skillset, { pageSize = DEFAULTS.skillsInPage, onProblem }: PublishOptions = {}) {
    this.#current = current;
    this.#pageSize = pageSize;
    this.#onProblem = onProblem;
  }

  get problems(): readonly Problem[] {
    return [...this.#problems.values()];
  }

  async list({ cursor }: { cursor?: string }): Promise<{ skills: PublishedSkill[]; nextCursor?: string }> {
    const rest = itemsAfter(this.#skills(), cursor, ({ name }) => name);
    const page = rest.slice(0, this.#pageSize);
    const published = await Promise.all(page.map((skill) => this.#publish(skill)));
    const skills = published.flatMap((one) => (one === undefined ? [] : [one.entry]));
    const last = page.at(-1);
    return rest.length > page.length && last !== undefined ? { skills, nextCursor: toCursor(last.name) } : { skills };
  }

  async get(uri: string): Promise<PublishedSkill | undefined> {
    const place = placeOf(uri);
    if (place?.path !== "SKILL.md") return undefined;
    const entry = (await this.#find(place.name))?.entry;
    // A URI that is spelled differently is a different URI.
    return entry?.uri === uri ? entry : undefined;
  }

  /** Returns the current file. A client with an older digest detects the change and requests the skill again. */
  async read(uri: string) {
    const place = placeOf(uri);
    const published = place && (await this.#find(place.name));
    if (place === undefined || published === undefined) return undefined;
    if (!published.files.has(place.path)) {
      if (childrenOf(published, place.path) === undefined) return undefined;
      throw new ResourceNotFoundError(uri, `${uri} is a directory; use resources/directory/read`);
    }
    const bytes = await published.read(place.path);
    const text = textOf(bytes);
    const mimeType = mediaTypeOf(place.path);
    return text === undefined ? { bytes, mimeType } : { text, mimeType };
  }

  async readDirectory(
    uri: string,
    { cursor }: { cursor?: string },
  ): Promise<{ resources: Resource[]; nextCursor?: string } | undefined> {
    const place = placeOf(uri);
    const published = place && (await this.#find(place.name));
    const children = published && childrenOf(published, place.path);
    if (children === undefined) return undefined;
    const { items, nextCursor } = pageOf(children, cursor, Math.max(this.#pageSize, 100), (child) => child.uri);
    return { resources: [...items], nextCursor };
  }

  /** Returns only the first page: `skills/list` returns all skills. */
  async listResources(): Promise<Resource[]> {
    const { skills } = await this.list({});
    return skills.map(({ uri, frontmatter: { name, description }, resources }) => {
      const size = resources === "dynamic" ? undefined : resources.find((one) => one.uri === uri)?.size;
      return { uri, name, description, mimeType: "text/markdown", size };
    });
  }

  #skills(): readonly Skill[] {
    const skillset = this.#current();
    if (this.#sorted?.skillset !== skillset) {
      const skills = skillset.skills.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      this.#sorted = { skillset, skills };
    }
    return this.#sorted.skills;
  }

  async #find(name: string): Promise<Publication | undefined> {
    const skill = this.#current().get(name);
    return skill && this.#publish(skill);
  }

  async #publish(skill: Skill): Promise<Publication | undefined> {
    const result = await this.#publisher.publish(skill);
    if (!("reason" in result)) {
      this.#problems.delete(skill.name);
      return result;
    }
    const problem: Problem = {
      code: "skill-not-published",
      severity: "warning",
      message: `'${skill.name}' is not published through the MCP Skills extension: ${result.reason}. It is still available through the tools.`,
      skill: skill.name,
      path: skill.location,
      fix: result.fix,
    };
    if (this.#problems.get(skill.name)?.message !== problem.message) {
      this.#problems.set(skill.name, problem);
      this.#onProblem?.(problem);
    }
    return undefined;
  }
}

/** Parses a URI into the skill and file that it names; an empty path is the skill's folder. */
function placeOf(uri: string): { readonly name: string; readonly path: string } | undefined {
  const [, name, rest] = /^skill:\/\/([^/?#]+)(?:\/([^?#]*))?$/.exec(uri) ?? [];
  if (name === undefined) return undefined;
  try {
    return { name: decodeURIComponent(name), path: (rest ?? "").split("/").map(decodeURIComponent).join("/") };
  } catch {
    return undefined;
  }
}

/** Returns the direct children of a skill's folder; undefined if the folder does not exist. */
function childrenOf({ entry, files }: Publication, directory: string): Resource[] | undefined {
  const prefix = directory === "" ? "" : `${directory}/`;
  const children = new Map<string, Resource>();
  for (const [path, { uri, size }] of files) {
    if (!path.startsWith(prefix)) continue;
    const [name = "", ...deeper] = path.slice(prefix.length).split("/");
    if (deeper.length === 0) children.set(name, { uri, name, mimeType: mediaTypeOf(path), size });
    else
      children.set(name, {
        uri: addressOf(entry.frontmatter.name, `${prefix}${name}`),
        name,
        mimeType: DIRECTORY_MIME_TYPE,
      });
  }
  return children.size === 0 ? undefined : [...children.values()];
}

/** Returns the bytes as text if they are valid UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
