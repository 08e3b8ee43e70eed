/** The header of a download: the name in ASCII for old clients, and in full, encoded so that it cannot end the header. */
export function attachmentHeader(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toWellFormed();
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${name.replace(/[^\w.-]/g, "_")}"; filename*=UTF-8''${encoded}`;
}
