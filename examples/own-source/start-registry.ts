import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a registry with one skill on 127.0.0.1. */
export async function startRegistry() {
  const files: Record<string, string> = { "tea/references/kinds.md": "Green: 70 °C. Black: 95 °C.\n" };
  let index = [
    {
      folder: "tea",
      skillMd: "---\nname: tea\ndescription: Makes tea. Use when asked for tea.\n---\nSee references/kinds.md.\n",
      files: [{ path: "references/kinds.md", size: Buffer.byteLength(files["tea/references/kinds.md"] ?? "") }],
    },
  ];
  const requests: string[] = [];
  const server = createServer(({ method, url = "" }, response) => {
    const path = decodeURIComponent(url.slice(1));
    requests.push(`${method} ${path}`);
    const body = path === "index.json" ? JSON.stringify(index) : files[path];
    if (body === undefined) return response.writeHead(404).end();
    response.setHeader("etag", createHash("sha256").update(body).digest("hex"));
    return response.end(method === "HEAD" ? undefined : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    add: (folder: string, skillMd: string) => {
      index = [...index, { folder, skillMd, files: [] }];
    },
    close: () => server.close(),
  };
}
