import { join } from "node:path";
import type { InstallItem } from "../../packages/skillset/src/node/index.ts";

/** A skill in code, and the skill in the folder. */
export function itemsFrom(source: string): readonly InstallItem[] {
  return [
    {
      name: "small",
      source: "inline",
      content: "---\nname: small\ndescription: Is small. Use for small things.\n---\n",
    },
    { name: "big", source: "ref", folder: join(source, "big") },
  ];
}
