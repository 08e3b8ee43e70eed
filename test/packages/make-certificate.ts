import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** The file with the authority that signed it. */
  readonly authority: string;
}

/** Creates a certificate for localhost, and an authority that no machine trusts. Needs openssl. */
export function makeCertificate(): Certificate {
  const folder = temporaryFolder({ "names.txt": "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n" });
  const openssl = (...args: readonly string[]): unknown =>
    execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const usage = "keyUsage=critical,keyCertSign";
  openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=Test",
    "-days",
    "2",
    "-addext",
    usage,
  );
  openssl("req", ...key, "-keyout", "own.key", "-out", "own.csr", "-subj", "/CN=localhost");
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names.txt", "-days", "2"];
  openssl("x509", "-req", "-in", "own.csr", ...signed, "-out", "own.pem");
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { key: read("own.key"), cert: read("own.pem"), authority: join(folder, "ca.pem") };
}
