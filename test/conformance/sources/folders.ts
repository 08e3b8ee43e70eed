import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createSkillset } from "../../../packages/skillset/src/index.ts";
import { createSkillsServer, importSkills } from "../../../packages/skillset/src/mcp/index.ts";
import type { ContractFiles, ContractSource, OpenedSource } from "../../../packages/testing/src/index.ts";

const NO_NAMES = "A file system does not allow such names.";
const FROM_CALLER = "A path that does not exist is the caller's mistake, and throws.";
const OWN_READS = "Files are read from the disk, which does not fail temporarily.";

export const folder: ContractSource = {
  name: "folder",
  lacks: { "hostile-paths": NO_NAMES, "first-failure": FROM_CALLER, "read-failure": OWN_READS },
  open: async (files) => {
    const place = openFolder(files);
    return { ...place, input: place.path };
  },
};

export const skillset: ContractSource = {
  name: "another skillset",
  lacks: {
    "hostile-paths": NO_NAMES,
    "first-failure": "It is loaded already.",
    "read-failure": OWN_READS,
    watch: "A set among the inputs is checked when the outer set reloads.",
    // Problems and policy belong to the set that loaded the skill.
    "invalid-skills": "Its skills were validated when it was loaded, with its own policy.",
  },
  open: async (files) => {
    const place = openFolder(files);
    return { ...place, input: await createSkillset(place.path) };
  },
};

export const mcp: ContractSource = {
  name: "MCP server",
  lacks: {
    "hostile-paths": NO_NAMES,
    "invalid-skills": "A server of the Skills extension publishes valid skills only.",
    "large-files": "A server of the Skills extension publishes no larger files.",
    "first-failure": "importSkills() throws before a set exists.",
    watch: "The client is notified of changes, and the program reloads.",
  },
  open: async (files) => {
    const place = openFolder(files);
    let served = await createSkillset(place.path);
    const server = createSkillsServer(served);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far as never);
    const client = new Client({ name: "contract", version: "1.0.0" });
    await client.connect(near);
    let isBroken = false;
    const request = client.request.bind(client);
    client.request = ((...given: Parameters<typeof request>) =>
      isBroken ? Promise.reject(new Error("The connection is broken.")) : request(...given)) as typeof client.request;
    return {
      ...place,
      input: await importSkills(client, { server: "acme", approve: () => true }),
      nameOf: (skill) => `acme:${skill}`,
      write: async (path, content) => {
        await place.write(path, content);
        served = (await served.reload()).skillset;
        await server.update(served);
      },
      setBroken: async (value) => {
        isBroken = value;
      },
      close: async () => {
        await client.close();
        await server.close();
        await place.close();
      },
    };
  },
};

interface OpenedFolder extends Omit<OpenedSource, "input"> {
  readonly path: string;
}

function openFolder(files: ContractFiles): OpenedFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "skillset-sources-")));
  const path = join(root, "skills");
  const write = async (file: string, content: string | Uint8Array | undefined): Promise<void> => {
    if (content === undefined) return rmSync(join(path, file));
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), content);
  };
  mkdirSync(path);
  for (const [file, content] of Object.entries(files)) void write(file, content);
  return {
    path,
    write,
    setBroken: async (isBroken) =>
      renameSync(...((isBroken ? [path, `${path}-gone`] : [`${path}-gone`, path]) as [string, string])),
    close: async () => rmSync(root, { recursive: true, force: true }),
  };
}
