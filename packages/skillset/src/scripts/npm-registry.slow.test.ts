import { expect, test } from "vitest";
import { cacheFolder } from "../../../../test/packages/cache-folder.ts";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { findRegistries } from "./packages/registries.ts";
import { bubblewrap } from "./runners/bubblewrap.ts";

const hasSandbox = (await bubblewrap().check()) === undefined;

test.skipIf(!hasSandbox)(
  "packages are installed from the npm registry of this machine",
  async ({ skip }) => {
    const { npmRegistry } = await findRegistries({}, { python: [], npm: ["ms@2.1.3"] });
    const answer = await fetch(new URL("ms", npmRegistry), { signal: AbortSignal.timeout(20_000) }).catch(
      () => undefined,
    );
    await answer?.body?.cancel();
    if (answer?.ok !== true) return skip(`${npmRegistry} cannot be reached`);
    const folder = temporaryFolder({
      "SKILL.md": skillMd("tea"),
      "package.json": JSON.stringify({ dependencies: { debug: "4.4.1" } }),
      "scripts/a.mjs": "import debug from 'debug';\nimport ms from 'ms';\nconsole.log(typeof debug, ms('2 days'));\n",
    });
    const skills = await createSkillset([folder], {
      onProblem: () => {},
      scripts: { runner: "bubblewrap", consent: () => "once", packages: { folder: cacheFolder() } },
    });
    const session = await skills.session();
    expect(await session.scripts.prepare("tea")).toMatchObject({ outcome: "installed" });
    expect(await session.scripts.run("tea", "scripts/a.mjs")).toMatchObject({
      exitCode: 0,
      stdout: "function 172800000\n",
    });
  },
  120_000,
);
