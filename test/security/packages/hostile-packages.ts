import { buildTarball, buildWheel } from "../../packages/archives.ts";
import type { NpmPackage } from "../../packages/package-registry.ts";
import { INSTALL_CANARY } from "../../packages/watched-runner.ts";
import { inlineCases } from "./hostile-blocks.ts";

/** A skill's declarations that try to reach a canary: a server, or a file that code of a package writes. */
export interface HostileCase {
  readonly title: string;
  readonly tool: "pip" | "npm" | "block";
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** More options for pip in the control. */
  readonly options?: readonly string[];
}

export interface Canaries {
  /** The address of a server that only counts connections. */
  readonly server: string;
  /** The folder of the declarations. */
  readonly folder: string;
  /** A file that code of a package would write. */
  readonly file: string;
}

/**
 * A project whose build writes the canary. It needs no other package to be built. In the sandbox that file cannot be
 * written, so the build leaves a file in the folder of the packages, and asks the proxy.
 */
function pythonProject(file: string): Readonly<Record<string, string>> {
  const code = [
    "import socket",
    `for path in (${JSON.stringify(file)}, "/output/${INSTALL_CANARY}"):`,
    "    try: open(path, 'w').write('ran')",
    "    except OSError: pass",
    "try:",
    "    proxy = socket.socket(socket.AF_UNIX)",
    '    proxy.connect("/opt/skillset/registry.sock")',
    `    proxy.sendall(b"GET http://127.0.0.1:9/${INSTALL_CANARY} HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")`,
    "    proxy.recv(100)",
    "except OSError: pass",
  ];
  return {
    "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
    "backend.py": `${code.join("\n")}\n`,
    "PKG-INFO": "Metadata-Version: 2.1\nName: source\nVersion: 1.0\n",
  };
}

/** The command of a lifecycle script that writes the canary. */
function hook(file: string): string {
  return `echo ran > /output/${INSTALL_CANARY}; echo ran > ${file}`;
}

/** Wheels and sources of the index, which is at `address`. */
export function hostileWheels({ server, file }: Canaries, address: string): Readonly<Record<string, Buffer>> {
  const source = `${address}/files/source-1.0.tar.gz`;
  const wheel = (name: string, requires: readonly string[] = []): Readonly<Record<string, Buffer>> => ({
    [`${name}-1.0-py3-none-any.whl`]: buildWheel(name, "1.0", { [`${name}.py`]: "" }, requires),
  });
  return {
    "words-2.1-py3-none-any.whl": buildWheel("words", "2.1", { "words.py": "" }),
    "source-1.0.tar.gz": buildTarball(below("source-1.0", pythonProject(file))),
    ...wheel("trojan", [`source @ ${source}`]),
    ...wheel("courier", [`trojan @ ${address}/files/trojan-1.0-py3-none-any.whl`]),
    ...wheel("cloner", [`x @ git+${server}/x.git`]),
    ...wheel("linked", [`x @ ${server}/x-1.0-py3-none-any.whl`]),
  };
}

export function hostileModules({ server, file }: Canaries): Readonly<Record<string, NpmPackage>> {
  return {
    loud: { version: "2.0.1", files: { "index.js": "" } },
    shout: { version: "1.2.0", manifest: { dependencies: { loud: "^2.0.0" } }, files: { "index.js": "" } },
    hooked: { version: "1.0.0", manifest: { scripts: { postinstall: hook(file) } }, files: {} },
    trojan: { version: "1.0.0", manifest: { dependencies: { y: `${server}/y.tgz` } }, files: {} },
    cloner: { version: "1.0.0", manifest: { dependencies: { y: `git+${server}/y.git` } }, files: {} },
    elsewhere: { version: "1.0.0", manifest: { dist: { tarball: `${server}/elsewhere.tgz` } }, files: {} },
  };
}

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

export function hostileCases(canaries: Canaries): readonly HostileCase[] {
  const { server, folder, file } = canaries;
  const wheel = `${server}/x-1.0-py3-none-any.whl`;
  const evil = below("evil", pythonProject(file));
  const pip = (title: string, text: string | Uint8Array, more: HostileCase["files"] = {}): HostileCase => ({
    title,
    tool: "pip",
    files: { "requirements.txt": text, ...more },
  });
  const npm = (title: string, manifest: object, more: HostileCase["files"] = {}): HostileCase => ({
    title,
    tool: "npm",
    files: { "package.json": JSON.stringify({ name: "a", version: "1.0.0", ...manifest }), ...more },
  });
  const depends = (title: string, range: string, more: HostileCase["files"] = {}): HostileCase =>
    npm(title, { dependencies: { x: range } }, more);
  const hooked = (name: string): string =>
    JSON.stringify({ name, version: "1.0.0", scripts: { postinstall: hook(file) } });
  // Shows that these options of pip alone are not enough.
  const wheelsOnly = { options: ["--only-binary", ":all:"] };
  const lock = (name: string): Record<string, string> => ({
    [name]: JSON.stringify({
      name: "a",
      version: "1.0.0",
      lockfileVersion: 3,
      packages: {
        "": { name: "a", version: "1.0.0", dependencies: { loud: "^2.0.0" } },
        "node_modules/loud": { version: "2.0.1", resolved: `${server}/loud.tgz` },
      },
    }),
  });
  const utf16 = new Uint8Array(
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`-i ${server}/simple\nx\n`, "utf16le")]),
  );
  return [
    pip("--index-url", `--index-url ${server}/simple\nx\n`),
    pip("--index-url with =", `--index-url=${server}/simple\nx\n`),
    pip("-i", `-i ${server}/simple\nx\n`),
    pip("--extra-index-url", `--extra-index-url ${server}/simple\nx\n`),
    pip("--find-links", `--find-links ${server}/links/\nx\n`),
    pip("-f", `-f ${server}/links/\nx\n`),
    pip("name @ url", `x @ ${wheel}\n`),
    pip("name@url", `x@${wheel}\n`),
    pip("url", `${wheel}\n`),
    pip("git", `git+${server}/x.git\n`),
    pip("name @ git", `x @ git+${server}/x.git\n`),
    pip("-e git", `-e git+${server}/x.git#egg=x\n`),
    pip("-r url", `-r ${server}/more.txt\n`),
    pip("--requirement=url", `--requirement=${server}/more.txt\n`),
    pip("-c url", `-c ${server}/constraints.txt\nwords\n`),
    pip("a folder", "./evil\n", evil),
    pip("-e folder", "-e ./evil\n", evil),
    pip("file url", `file://${folder}/evil\n`, evil),
    pip("name @ file url", `source @ file://${folder}/evil\n`, evil),
    pip("-r file", "-r more.txt\n", { "more.txt": "./evil\n", ...evil }),
    pip("an option over two lines", `--index-\\\nurl ${server}/simple\nx\n`),
    pip("a variable", `\${CANARY}/x-1.0-py3-none-any.whl\n`),
    pip("--no-index", `--no-index\n--find-links ${server}/links/\nx\n`),
    pip("--trusted-host", `--trusted-host 127.0.0.1\n-i ${server}/simple\nx\n`),
    pip("--no-binary with a source", "--no-binary :all:\n-f ./dist\nsource\n", {
      "dist/source-1.0.tar.gz": buildTarball(below("source-1.0", pythonProject(file))),
    }),
    pip("--pre", `--pre -i ${server}/simple\nx\n`),
    pip("a source distribution of the registry", "source\n"),
    pip("a wheel of the registry on another host", "elsewhere\n"),
    { ...pip("a wheel that names a source of the registry", "trojan\n"), ...wheelsOnly },
    { ...pip("a wheel that names such a wheel", "courier\n"), ...wheelsOnly },
    { ...pip("a wheel that names a repository", "cloner\n"), ...wheelsOnly },
    { ...pip("a wheel that names a wheel on another host", "linked\n"), ...wheelsOnly },
    pip("UTF-16", utf16),
    pip("a vertical tab between lines", `words\v-i ${server}/simple\nx\n`),
    pip("tabs", `\t--index-url\t${server}/simple\nx\n`),
    pip("a comment with a backslash", `# \\\n-i ${server}/simple\nx\n`),
    depends("a tarball", `${server}/x.tgz`),
    depends("a tarball, in capitals", `${server.toUpperCase()}/x.tgz`),
    depends("git", `git+${server}/x.git`),
    depends("git:", `${server.replace("http:", "git:")}/x.git`),
    depends("file:", "file:./evil", { "evil/package.json": hooked("x") }),
    depends("a folder", "./evil", { "evil/package.json": hooked("x") }),
    depends("a file", "evil.tgz", { "evil.tgz": buildTarball({ "package/package.json": hooked("x") }) }),
    depends("an alias", "npm:hooked@^1.0.0"),
    ...["preinstall", "install", "postinstall", "prepare"].map((name) =>
      npm(`its own ${name}`, { scripts: { [name]: hook(file) }, dependencies: { loud: "^2.0.0" } }),
    ),
    npm("postinstall of a package", { dependencies: { hooked: "^1.0.0" } }),
    npm("a registry in .npmrc", { dependencies: { x: "^1.0.0" } }, { ".npmrc": `registry=${server}/\n` }),
    npm("a lockfile", { dependencies: { loud: "^2.0.0" } }, lock("package-lock.json")),
    npm("a shrinkwrap", { dependencies: { loud: "^2.0.0" } }, lock("npm-shrinkwrap.json")),
    npm("overrides", { dependencies: { shout: "^1.0.0" }, overrides: { loud: `${server}/loud.tgz` } }),
    npm("workspaces", { workspaces: ["evil"] }, { "evil/package.json": hooked("x") }),
    npm("optionalDependencies", { optionalDependencies: { x: `${server}/x.tgz` } }),
    npm("a dependency of a package on another host", { dependencies: { trojan: "^1.0.0" } }),
    npm("a repository that a package depends on", { dependencies: { cloner: "^1.0.0" } }),
    npm("a tarball of the registry on another host", { dependencies: { elsewhere: "^1.0.0" } }),
    ...inlineCases(canaries, evil),
  ];
}
