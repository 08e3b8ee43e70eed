import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../apps/chat/server/config/config.ts";
import { checkReach } from "../../apps/chat/server/http/guard.ts";

// Without Docker, names in the files can still be checked: images, commands, ports, paths and variables.

interface Service {
  readonly build?: string;
  readonly image?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly mem_limit: string;
  readonly pids_limit: number;
  readonly read_only?: boolean;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const text = read("compose.yaml");
const compose = parse(text, { strict: true, uniqueKeys: true }) as {
  readonly services: { readonly chat: Service; readonly database: Service };
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: {
    readonly default: {
      readonly ipam: { readonly config: readonly { readonly subnet: string; readonly gateway: string }[] };
    };
  };
};
const { chat, database } = compose.services;
const dockerfile = read("Dockerfile").replace(/\\\n/g, " ").split("\n");
const config = readConfig(join(ROOT, "apps/chat/config.team.toml"));

/** Returns the parts of an instruction, of the last stage or of all. */
const instructions = (name: string, lines: readonly string[] = dockerfile) =>
  lines.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1).trim()] : []));
const lastStage = dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith("FROM ")));
const workdir = instructions("WORKDIR", lastStage)[0] ?? "/";

test("the settings for a team are valid, and allow access from outside the container once a token is set", () => {
  expect(config.warnings).toEqual([]);
  expect(() => checkReach(config.server, true, "ADMIN_TOKEN")).not.toThrow();
  expect(() => checkReach(config.server, false, "ADMIN_TOKEN")).toThrow("ADMIN_TOKEN");
});

test("the only trusted proxy is this machine, by its address in the container's network", () => {
  const [network] = compose.networks.default.ipam.config;
  expect(config.server.trustedProxies).toEqual([network?.gateway]);
  expect(network?.subnet).toBe(network?.gateway.replace(/\.1$/, ".0/24"));
});

test.each(["chat", "database"] as const)("the container of the %s has no unneeded rights", (name) => {
  const service = compose.services[name];
  expect(service.cap_drop).toEqual(["ALL"]);
  expect(service.security_opt).toEqual(["no-new-privileges:true"]);
  expect(service.mem_limit).toMatch(/^\d+g$/);
  expect(service.pids_limit).toBeGreaterThan(0);
  expect(service.read_only ?? false).toBe(name === "chat");
});

test("the port is the same in the settings, the image, the mapping and the health check, and is bound to this machine", () => {
  const { port } = config.server;
  expect(chat.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  expect(instructions("EXPOSE", lastStage)).toEqual([String(port)]);
  const [address = ""] = /http:\/\/[^"]+/.exec(chat.healthcheck.test.join(" ")) ?? [];
  expect(new URL(address).port).toBe(String(port));
  expect(read("apps/chat/server/routes/operator-routes.ts")).toContain(`"${new URL(address).pathname}"`);
});

test("the chat's health check runs, and fails if nothing listens", async () => {
  const [kind, program, flag, code = ""] = chat.healthcheck.test;
  expect([kind, program, flag]).toEqual(["CMD", "node", "-e"]);
  const { spawnSync } = await import("node:child_process");
  const run = (body: string) => spawnSync(process.execPath, ["-e", body]).status;
  expect(run(code.replace(/:\d+\//, ":9/"))).toBe(1);
  expect(run(code.replace(/fetch\([^)]*\)/, "Promise.resolve({ ok: true })"))).toBe(0);
  expect(run(code.replace(/fetch\([^)]*\)/, "Promise.resolve({ ok: false })"))).toBe(1);
});

test("the chat and its database agree on user, password, name and port", () => {
  const url = new URL(String(chat.environment.DATABASE_URL).replace(/\$\{POSTGRES_PASSWORD[^}]*\}/, "word"));
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = database.environment;
  expect([url.protocol, url.hostname, url.port]).toEqual(["postgres:", "database", "5432"]);
  expect([url.username, url.pathname]).toEqual([POSTGRES_USER, `/${POSTGRES_DB}`]);
  expect(chat.environment.DATABASE_URL).toContain(`:${POSTGRES_PASSWORD}@`);
  expect(database.healthcheck.test).toEqual(["CMD", "pg_isready", "-U", POSTGRES_USER, "-d", POSTGRES_DB]);
  expect(Object.keys(chat.depends_on ?? {})).toEqual(["database"]);
  expect(chat.depends_on?.database?.condition).toBe("service_healthy");
});

test("every variable is documented, secrets have no default, and the server reads each variable", () => {
  const page = read("docs/chat-team.md");
  const asked = [...text.matchAll(/\$\{(\w+)(:[?-])?/g)];
  expect(asked.length).toBeGreaterThan(3);
  for (const [, name = "", kind] of asked) {
    expect(page).toContain(`\`${name}\``);
    expect(kind, name).toBe(name.endsWith("_API_KEY") ? ":-" : ":?");
  }
  const server = readdirSync(join(ROOT, "apps/chat/server"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => read(`apps/chat/server/${file}`))
    .join("\n");
  for (const name of Object.keys(chat.environment)) expect(server, name).toContain(name);
});

test("mounted and copied files exist, and settings and skills are read-only", () => {
  expect(existsSync(join(ROOT, chat.build ?? "", "Dockerfile"))).toBe(true);
  const binds = chat.volumes.map((volume) => volume.split(":"));
  for (const [source = "", target = "", mode] of binds) {
    expect(existsSync(join(ROOT, source)), source).toBe(true);
    expect(posix.join(workdir, source)).toBe(target);
    expect(mode).toBe("ro");
  }
  expect(binds.map(([, target]) => target)).toContain(chat.environment.CONFIG);
  for (const volume of database.volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
  const copied = instructions("COPY").flatMap((line) => {
    const words = line.split(/\s+/);
    const sources = words.filter((word) => !word.startsWith("--")).slice(0, -1);
    return sources.map((source) => source.replace("/app/", ""));
  });
  // Build output exists only after a build.
  for (const source of copied.filter((path) => !path.endsWith("/dist"))) {
    expect(existsSync(join(ROOT, source)), source).toBe(true);
  }
  const ignored = read(".dockerignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".env", "**/node_modules", ".git"]));
});

test("the image has the program and the Node version that the chat needs, and does not run as root", () => {
  const [command = "[]"] = instructions("CMD", lastStage);
  const [program, file = ""] = JSON.parse(command) as string[];
  expect(program).toBe("node");
  expect(existsSync(join(ROOT, file))).toBe(true);
  expect(instructions("COPY", lastStage).some((line) => line.split(/\s+/)[0] === posix.dirname(file))).toBe(true);
  expect(instructions("USER", lastStage)).toEqual(["node"]);
  for (const image of instructions("FROM")) expect(image).toMatch(/^node:24-slim\b/);
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { link?: boolean }> };
  const workspaces = Object.keys(packages).filter((path) => /^(?:apps|packages)\/[^/]+$/.test(path));
  // Without the package.json of every workspace, the lockfile does not match.
  for (const workspace of workspaces) {
    expect(instructions("COPY", lastStage)).toContain(`${workspace}/package.json ${workspace}/`);
  }
});

test("the stop timeout is longer than answers may take to finish", () => {
  const [, goodbye = ""] = /LONGEST_GOODBYE = ([\d_]+)/.exec(read("apps/chat/server/start.ts")) ?? [];
  const grace = Number(/^(\d+)s$/.exec(chat.stop_grace_period ?? "")?.[1]) * 1000;
  expect(grace).toBeGreaterThan(Number(goodbye.replaceAll("_", "")) + 5_000);
});

test("every file that the page on team setups names exists", () => {
  for (const [, path = ""] of read("docs/chat-team.md").matchAll(/\]\(([^)#:]+)\)/g)) {
    expect(existsSync(join(ROOT, "docs", path)), path).toBe(true);
  }
  for (const [path] of read("docs/chat-team.md").matchAll(/\b(?:scripts|apps|packages)\/[\w./-]+\.(?:ts|toml)/g)) {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
});
