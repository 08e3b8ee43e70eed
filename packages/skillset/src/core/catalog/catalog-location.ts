import { checkChoice } from "../base/check-choice.ts";
import { SkillError } from "../base/errors.ts";
import { findHiddenText } from "../text/hidden-text.ts";
import type { CatalogSkill } from "./catalog.ts";

type Locator = (skill: CatalogSkill, mount: string) => string | undefined;

/** What finds the location of a skill, by name. */
const LOCATORS = {
  none: () => undefined,
  relative: ({ name }, mount) => (isOneSegment(name) ? `${mount}/${name}` : undefined),
  path: ({ basePath }) => (basePath === undefined ? undefined : `${basePath}/SKILL.md`),
  uri: ({ name }) => (isEncodable(name) ? `skill://${encodeURIComponent(name)}/SKILL.md` : undefined),
} satisfies Record<string, Locator>;

/**
 * The location that the catalog shows for a skill: none, its folder under the mount path, the absolute path of its
 * SKILL.md (skills in code have none), its `skill://` address, or the result of a function.
 */
export type CatalogLocation = keyof typeof LOCATORS | ((skill: CatalogSkill) => string | undefined);
export const CATALOG_LOCATIONS = Object.keys(LOCATORS) as readonly (keyof typeof LOCATORS)[];

/** Returns undefined for a location that cannot be shown exactly, because an altered one would name another place. */
export function locationsOf(location: CatalogLocation, mountPath: string): (skill: CatalogSkill) => string | undefined {
  if (typeof location !== "function") checkChoice("location", location, CATALOG_LOCATIONS);
  const mount = checkedMountPath(mountPath);
  const locate: Locator = typeof location === "function" ? (skill) => location(skill) : LOCATORS[location];
  return (skill) => {
    const place = locate(skill, mount);
    return place !== undefined && isShownExactly(place) ? place : undefined;
  };
}

function checkedMountPath(mountPath: string): string {
  const isRelative = mountPath !== "" && !/^[/\\~]|^[a-z][a-z0-9+.-]*:/i.test(mountPath);
  if (!isRelative || mountPath.split(/[/\\]/).includes("..") || !isShownExactly(mountPath)) {
    throw new SkillError(
      "option-invalid",
      `mountPath must be a relative path without "..", not ${JSON.stringify(mountPath)}.`,
    );
  }
  return mountPath.replace(/(?<!\/)\/+$/, "");
}

/** Lenient loading keeps names that the standard forbids, such as `..`. */
function isOneSegment(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\]/.test(name);
}

function isEncodable(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/\p{Surrogate}/u.test(name);
}

function isShownExactly(place: string): boolean {
  return !/[\t\n\r\u2028\u2029\uFFFE\uFFFF]/.test(place) && findHiddenText(place) === undefined;
}
