import type { Client } from "@modelcontextprotocol/client";
import { LIMITS } from "../../core/base/limits.ts";

/** A client with bounded skill listings. */
export interface BoundedListing {
  readonly client: Client;
  /** Whether the server listed more than the limit. */
  isCut(): boolean;
}

/**
 * Limits the number of skills and files in one listing, across all its pages. The rest is dropped before validation,
 * which takes most of the time and memory.
 */
export function boundListing(client: Client, most = LIMITS.hard.listedByServer): BoundedListing {
  let left = most;
  let isCut = false;
  const cut = (page: Page): Page => {
    const taken = page.skills.findIndex((entry) => {
      left -= weightOf(entry);
      return left < 0;
    });
    if (taken === -1) return page;
    isCut = true;
    const { nextCursor: _, ...rest } = page;
    return { ...rest, skills: page.skills.slice(0, taken) };
  };
  const request = async (...given: Parameters<Client["request"]>): Promise<unknown> => {
    const result: unknown = await client.request(...given);
    return isPage(result) ? cut(result) : result;
  };
  const bounded = new Proxy(client, {
    get: (target, key) => {
      if (key === "request") return request;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { client: bounded, isCut: () => isCut };
}

interface Page {
  readonly skills: readonly unknown[];
  readonly nextCursor?: string;
}

function isPage(result: unknown): result is Page {
  return typeof result === "object" && result !== null && "skills" in result && Array.isArray(result.skills);
}

/** Entries are not validated yet, so an entry may be anything. */
function weightOf(entry: unknown): number {
  const { resources } = (entry ?? {}) as { readonly resources?: unknown };
  return 1 + (Array.isArray(resources) ? resources.length : 0);
}
