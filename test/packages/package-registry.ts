import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { buildTarball, integrityOf } from "./archives.ts";

/** A package of the npm registry. */
export interface NpmPackage {
  readonly version: string;
  readonly manifest?: object;
  readonly files: Readonly<Record<string, string>>;
}

export interface PackageRegistry {
  /** Its addresses, as the option `packages` has them. */
  readonly addresses: { readonly pythonIndex: string; readonly npmRegistry: string };
  /** The paths that were requested. */
  readonly requests: readonly string[];
}

/** Serves wheels as a simple index, and packages of npm, on loopback. Ends with the test. */
export async function servePackages(
  python: Readonly<Record<string, Buffer>> = {},
  npm: Readonly<Record<string, NpmPackage>> = {},
  /** Projects of the index whose only file is at another address. */
  elsewhere: Readonly<Record<string, string>> = {},
  /** Serves https with this certificate. */
  tls?: { readonly key: string; readonly cert: string },
): Promise<PackageRegistry> {
  const requests: string[] = [];
  const tarballs = new Map(
    Object.entries(npm).map(([name, { version, manifest, files }]) => {
      const own = { ...manifest, name, version };
      const packed = Object.entries({ ...files, "package.json": JSON.stringify(own) });
      return [name, buildTarball(Object.fromEntries(packed.map(([path, text]) => [`package/${path}`, text])))];
    }),
  );
  const listener: RequestListener = (request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push(path);
    const send = (type: string, body: string | Buffer): unknown =>
      response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
    const project = /^\/simple\/([^/]+)\/$/.exec(path)?.[1];
    const file = /^\/files\/(.+)$/.exec(path)?.[1];
    const tarball = /^\/npm\/(.+)\/-\/.*\.tgz$/.exec(path)?.[1];
    const name = /^\/npm\/(.+)$/.exec(path)?.[1];
    const bytes = python[file ?? ""] ?? tarballs.get(tarball ?? "");
    if (bytes !== undefined) return send("application/octet-stream", bytes);
    const links = Object.keys(python).filter((one) => projectOf(one) === project);
    if (links.length > 0) return send("text/html", links.map((one) => `<a href="/files/${one}">${one}</a>`).join("\n"));
    const other = elsewhere[project ?? ""];
    if (other !== undefined) return send("text/html", `<a href="${other}">${other.replace(/^.*\//, "")}</a>`);
    const known = npm[name ?? ""];
    if (name !== undefined && known !== undefined)
      return send("application/json", JSON.stringify(packument(name, known)));
    return response.writeHead(404).end();
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  // npm does not accept a certificate for an address.
  const address = tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;

  function packument(name: string, { version, manifest }: NpmPackage): object {
    const bytes = tarballs.get(name) as Buffer;
    const dist = { tarball: `${address}/npm/${name}/-/${version}.tgz`, integrity: integrityOf(bytes) };
    return {
      name,
      "dist-tags": { latest: version },
      versions: {
        [version]: { ...manifest, name, version, dist: { ...dist, ...(manifest as { dist?: object })?.dist } },
      },
    };
  }
  return { addresses: { pythonIndex: `${address}/simple`, npmRegistry: `${address}/npm/` }, requests };
}

function projectOf(file: string): string {
  return (/^(.+?)-\d/.exec(file)?.[1] ?? "").replace(/[._-]+/g, "-").toLowerCase();
}
