import { expect, test, vi } from "vitest";
import { buildWheel } from "../../../../test/packages/archives.ts";
import { cacheFolder } from "../../../../test/packages/cache-folder.ts";
import { makeCertificate } from "../../../../test/packages/make-certificate.ts";
import { servePackages } from "../../../../test/packages/package-registry.ts";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import type { PackageOptions } from "../core/script/packages.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { onPath } from "./process/find-interpreter.ts";
import { bubblewrap } from "./runners/bubblewrap.ts";

const canRun = (await bubblewrap().check()) === undefined && onPath("openssl").length > 0;

const WHEELS = {
  "words-2.1-py3-none-any.whl": buildWheel("words", "2.1", { "words.py": "HELLO = 'hello over TLS'\n" }),
};

const NPM = {
  loud: { version: "2.0.1", files: { "index.js": "module.exports = (text) => text.toUpperCase();\n" } },
};

const PYTHON = { "requirements.txt": "words\n", "scripts/a.py": "import words\nprint(words.HELLO)\n" };
const JAVASCRIPT = {
  "package.json": JSON.stringify({ dependencies: { loud: "^2.0.0" } }),
  "scripts/a.cjs": "console.log(require('loud')('tls'));\n",
};

async function open(files: Readonly<Record<string, string>>, packages: PackageOptions) {
  const folder = temporaryFolder({ "SKILL.md": skillMd("tea"), ...files });
  const skills = await createSkillset([folder], {
    onProblem: () => {},
    scripts: { runner: "bubblewrap", consent: () => "once", packages: { folder: cacheFolder(), ...packages } },
  });
  return skills.session();
}

test.skipIf(!canRun).each([
  ["pip", "PIP_CERT", PYTHON, "scripts/a.py", "hello over TLS\n"],
  ["npm", "NODE_EXTRA_CA_CERTS", JAVASCRIPT, "scripts/a.cjs", "TLS\n"],
])("%s installs from a registry over TLS whose authority is in %s", async (_tool, name, files, script, stdout) => {
  const { authority, ...tls } = makeCertificate();
  const { addresses, requests } = await servePackages(WHEELS, NPM, {}, tls);
  expect(new URL(addresses.pythonIndex).protocol).toBe("https:");
  vi.stubEnv(name, authority);
  const session = await open(files, addresses);
  expect(await session.scripts.prepare("tea")).toMatchObject({ outcome: "installed" });
  expect(await session.scripts.run("tea", script)).toMatchObject({ exitCode: 0, stdout });
  expect(requests).not.toEqual([]);
});

test.skipIf(!canRun).each([
  ["pip", PYTHON],
  ["npm", JAVASCRIPT],
])("%s installs nothing from a registry over TLS whose authority is unknown", async (_tool, files) => {
  const { addresses, requests } = await servePackages(WHEELS, NPM, {}, makeCertificate());
  const session = await open(files, addresses);
  expect(await session.scripts.prepare("tea")).toMatchObject({ outcome: "failed" });
  expect(requests).toEqual([]);
});
