import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ALLOWED_TOOLS_POLICIES } from "../../packages/skillset/src/core/allowed-tools/decide-call.ts";
import { SEVERITIES } from "../../packages/skillset/src/core/base/problem.ts";
import { CATALOG_FORMATS } from "../../packages/skillset/src/core/catalog/catalog-format.ts";
import { CATALOG_LOCATIONS } from "../../packages/skillset/src/core/catalog/catalog-location.ts";
import { POLICY_NAMES } from "../../packages/skillset/src/core/manifest/policy.ts";
import { RUNNER_NAMES, SANDBOXES } from "../../packages/skillset/src/core/script/runner-names.ts";
import { TRIGGER_MODES } from "../../packages/skillset/src/core/session/options.ts";
import { COLLISION_RULES } from "../../packages/skillset/src/core/source/select.ts";
import { SKILL_MODES } from "../../packages/skillset/src/prompt/section/section.ts";

// Each list of members in the docs names all of them, with or without quotes.
test.each<readonly [page: string, what: string, members: readonly string[], lines: RegExp]>([
  ["docs/catalog.md", "catalog format", CATALOG_FORMATS, /^\| `format` \|.*/m],
  ["docs/cli.md", "catalog format", CATALOG_FORMATS, /`--format` is `xml`.*?\./],
  ["docs/catalog.md", "location", CATALOG_LOCATIONS, /^\| `location` \| shows \|\n.*?\n\n/ms],
  ["docs/cli.md", "location", CATALOG_LOCATIONS, /`--location` is .*?\./],
  ["docs/loading.md", "policy", POLICY_NAMES, /^\| `policy` \|.*/m],
  ["docs/loading.md", "policy", POLICY_NAMES, /^## Choose a policy\n.*?\n## /ms],
  ["docs/glossary.md", "policy", POLICY_NAMES, /^\| \*\*policy\*\* \|.*/m],
  ["docs/loading.md", "rule for collisions", COLLISION_RULES, /^\| `collisions` \|.*/m],
  ["docs/ci.md", "level of a rule", ["off", ...SEVERITIES], /^- .*Its level is .*/m],
  ["docs/compiled-skills.md", "level of a rule", ["off", ...SEVERITIES], /^\| `rules` \|.*/m],
  ["docs/allowed-tools.md", "policy", ALLOWED_TOOLS_POLICIES, /^\| `allowedTools` \|.*?\n\n/ms],
  ["docs/profiles.md", "policy for `allowed-tools`", ALLOWED_TOOLS_POLICIES, /^\| `allowedTools` \| `"off".*/m],
  ["docs/chat.md", "policy for `allowed-tools`", ALLOWED_TOOLS_POLICIES, /^\| `allowed_tools` \|.*/m],
  ["docs/triggers.md", "mode", TRIGGER_MODES, /^\| `triggers` \|.*?\n\n/ms],
  ["docs/chat.md", "mode of triggers", TRIGGER_MODES, /^\| `triggers` \|.*/m],
  ["docs/prompt.md", "mode", SKILL_MODES, /^\| `mode` \|.*/m],
  ["docs/cli.md", "runner", RUNNER_NAMES, /^\| `--runner NAME` \|.*/m],
  ["docs/cli.md", "sandbox", SANDBOXES, /^\| `--minimum NAME` \|.*/m],
  ["docs/cli.md", "runner", RUNNER_NAMES, /`--scripts RUNNER` \(.*?\)/],
  ["docs/mcp.md", "runner", RUNNER_NAMES, /^`RUNNER` is .*/m],
  ["docs/chat.md", "runner", RUNNER_NAMES, /^\| `scripts` \|.*/m],
  ["docs/profiles.md", "runner", RUNNER_NAMES, /The order is .*/],
  ["docs/scripts.md", "runner", RUNNER_NAMES, /^\| \| `bubblewrap` \|.*?^- `minimum.*?$/ms],
  ["docs/glossary.md", "runner", RUNNER_NAMES.filter((name) => name !== "auto"), /^\| \*\*runner\*\* \|.*/m],
])("%s names every %s", (page, _what, members, lines) => {
  const [text = ""] = lines.exec(readFileSync(page, "utf8")) ?? [];
  const named = [...text.matchAll(/`"?([\w-]+)"?`/g)].map(([, word]) => word);
  expect(members.filter((member) => !named.includes(member))).toEqual([]);
});
