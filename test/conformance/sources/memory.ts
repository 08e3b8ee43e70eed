import type { SkillSource, SourceEntry } from "../../../packages/skillset/src/index.ts";
import type { ContractSource } from "../../../packages/testing/src/index.ts";

/** A source that keeps everything in memory, with and without a fingerprint and a watcher. */
export function memory({ isFollowed }: { readonly isFollowed: boolean }): ContractSource {
  return {
    name: isFollowed ? "memory" : "memory, only list and read",
    lacks: isFollowed ? {} : { watch: "It has no watch()." },
    open: async (given) => {
      const files = new Map(Object.entries(given));
      const listeners = new Set<() => void>();
      let version = 0;
      let isBroken = false;
      const check = (): void => {
        if (isBroken) throw new Error("The memory is broken.");
      };
      const input: SkillSource = {
        name: "memory of the test",
        list: async () => {
          check();
          return listEntries(files);
        },
        read: async (folder, path) => {
          check();
          return files.get(`${folder}/${path}`);
        },
        ...(isFollowed && {
          fingerprint: async () => {
            check();
            return String(version);
          },
          watch: (onChange: () => void) => {
            listeners.add(onChange);
            return { close: () => void listeners.delete(onChange) };
          },
        }),
      };
      return {
        input,
        write: async (path, content) => {
          if (content === undefined) files.delete(path);
          else files.set(path, content);
          version++;
          for (const onChange of listeners) onChange();
        },
        setBroken: async (value) => {
          isBroken = value;
        },
        close: async () => {},
      };
    },
  };
}

/** A skill's path ends before the last `/SKILL.md`, whatever its folder is called. */
function listEntries(files: ReadonlyMap<string, string | Uint8Array>): readonly SourceEntry[] {
  const manifests = [...files].filter(([path]) => path.endsWith("/SKILL.md"));
  return manifests.map(([path, skillMd]) => {
    const folder = path.slice(0, -"/SKILL.md".length);
    const inside = [...files].filter(([other]) => other.startsWith(`${folder}/`) && other !== path);
    const listed = inside.map(([other, content]) => ({
      path: other.slice(folder.length + 1),
      size: Buffer.byteLength(content),
    }));
    return { folder, skillMd, files: listed };
  });
}
