import { buildTarball } from "../../packages/archives.ts";

/** A skill's declarations that try to reach a canary: a server, or a file that code of a package writes. */
export interface HostileCase {
  readonly title: string;
  readonly tool: "pip" | "npm";
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

export interface Canaries {
  /** The address of a server that only counts connections. */
  readonly server: string;
  /** The folder of the declarations. */
  readonly folder: string;
  /** A file that code of a package would write. */
  readonly file: string;
}

/** A project whose build writes the canary. It needs no other package to be built. */
export function pythonProject(file: string): Readonly<Record<string, string>> {
  return {
    "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
    "backend.py": `open(${JSON.stringify(file)}, "w").write("ran")\n`,
    "PKG-INFO": "Metadata-Version: 2.1\nName: source\nVersion: 1.0\n",
  };
}

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

export function hostileCases({ server, folder, file }: Canaries): readonly HostileCase[] {
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
  const hook = `echo ran > ${file}`;
  const hooked = (name: string): string => JSON.stringify({ name, version: "1.0.0", scripts: { postinstall: hook } });
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
      npm(`its own ${name}`, { scripts: { [name]: hook }, dependencies: { loud: "^2.0.0" } }),
    ),
    npm("postinstall of a package", { dependencies: { hooked: "^1.0.0" } }),
    npm("a registry in .npmrc", { dependencies: { x: "^1.0.0" } }, { ".npmrc": `registry=${server}/\n` }),
    npm("a lockfile", { dependencies: { loud: "^2.0.0" } }, lock("package-lock.json")),
    npm("a shrinkwrap", { dependencies: { loud: "^2.0.0" } }, lock("npm-shrinkwrap.json")),
    npm("overrides", { dependencies: { shout: "^1.0.0" }, overrides: { loud: `${server}/loud.tgz` } }),
    npm("workspaces", { workspaces: ["evil"] }, { "evil/package.json": hooked("x") }),
    npm("optionalDependencies", { optionalDependencies: { x: `${server}/x.tgz` } }),
    npm("a dependency of a package on another host", { dependencies: { trojan: "^1.0.0" } }),
    npm("a tarball of the registry on another host", { dependencies: { elsewhere: "^1.0.0" } }),
  ];
}
