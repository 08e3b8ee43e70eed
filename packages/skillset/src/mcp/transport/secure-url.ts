/** Whether nobody between two machines can read or change what is sent to a URL. */
export function isSecureUrl(text: string): boolean {
  return findUrlFault(text) === undefined;
}

/** What is wrong with a URL that must be secure. The answer never contains a password, so it can be printed. */
export function findUrlFault(text: string | URL): string | undefined {
  const url = URL.parse(String(text));
  // Without a host, any part may be a password: 'user:password@host' is a URL with the protocol 'user:'.
  if (url === null || url.hostname === "") return "it must be a URL with https, or with http on this machine";
  const { protocol, hostname, username, password } = url;
  if (username !== "" || password !== "") return `the URL of '${hostname}' must not contain a user name or password`;
  if (protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))) return undefined;
  return `'${protocol}//${hostname}' must use https; http is only accepted on this machine`;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
