import { skillset, turbopackRules } from "@skillset/unplugin";
import type { NextConfig } from "next";
import recipe from "./recipe.config.ts";

// The packages are in the repository, not in this folder.
const root = process.env.WORKSPACE_ROOT ?? "";

// Of real skills, some are broken: they are left out.
const plugin = { types: false, errors: "warn" } as const;

const config: NextConfig = {
  ...recipe,
  outputFileTracingRoot: root,
  turbopack: { root, rules: turbopackRules(plugin) },
  webpack: (webpack) => {
    webpack.plugins.push(skillset.webpack(plugin));
    return webpack;
  },
};

export default config;
