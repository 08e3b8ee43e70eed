export type Route =
  | { readonly page: "draft" }
  | { readonly page: "chat"; readonly id: string }
  | { readonly page: "skills" }
  | { readonly page: "skill"; readonly name: string }
  | { readonly page: "bin" }
  | { readonly page: "unknown" };

export function parseRoute(pathname: string): Route {
  const [first, second, ...rest] = pathname.split("/").filter(Boolean).map(decode);
  if (rest.length > 0) return { page: "unknown" };
  if (first === undefined) return { page: "draft" };
  if (first === "chat" && second) return { page: "chat", id: second };
  if (first === "skills") return second ? { page: "skill", name: second } : { page: "skills" };
  if (first === "bin" && second === undefined) return { page: "bin" };
  return { page: "unknown" };
}

export const chatPath = (id: string): string => `/chat/${encodeURIComponent(id)}`;
export const skillPath = (name: string): string => `/skills/${encodeURIComponent(name)}`;

export const skillFilePath = (name: string, path: string): string =>
  `${skillPath(name)}?file=${encodeURIComponent(path)}`;

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
