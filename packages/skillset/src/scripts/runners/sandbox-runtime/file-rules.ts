import { existsSync } from "node:fs";
import { SHARED_FOLDER } from "./shared-folder.ts";

/** What a script may read and write, as the sandbox runtime takes it. A path to read wins over a folder that is denied. */
export interface FileRules {
  readonly denyRead: string[];
  readonly allowRead: string[];
  readonly allowWrite: string[];
  readonly denyWrite: string[];
}

/** What one run needs besides the system's programs and libraries. */
export interface RunPaths {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Whether it may use the network, for which it needs the system's certificates. */
  readonly hasNetwork: boolean;
}

/**
 * On Linux, everything is denied and the system's programs are allowed. On macOS, programs need files all over the
 * system, so only the folders with files of people are denied.
 */
export function fileRules({ reads, writes, hasNetwork }: RunPaths, platform = process.platform): FileRules {
  const isMac = platform === "darwin";
  const system = isMac ? [] : [...SYSTEM, ...(hasNetwork ? CERTIFICATES : [])].filter((path) => existsSync(path));
  return {
    denyRead: isMac ? PEOPLE : ["/", "/sys"],
    allowRead: [...system, ...reads, ...writes],
    allowWrite: [...writes],
    // On Linux this would have no effect.
    denyWrite: isMac ? [SHARED_FOLDER, `/private${SHARED_FOLDER}`] : [],
  };
}

/** Nothing of /etc has names, addresses or secrets of the host. */
const SYSTEM = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"],
  ...["/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl/openssl.cnf"],
];

const CERTIFICATES = ["/etc/ssl/certs", "/etc/ca-certificates", "/etc/pki/ca-trust/extracted", "/etc/pki/tls/certs"];

const PEOPLE = [
  ...["/Users", "/Volumes", "/private/var/root", "/private/var/folders", "/private/var/tmp", "/private/tmp"],
  ...["/private/etc/ssh", "/private/var/log", "/Library/Keychains"],
];
