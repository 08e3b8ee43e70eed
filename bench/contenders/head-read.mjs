// What any safe loader does at least: checks that each SKILL.md is a regular file, opens it without following links,
// reads its first 2 KiB and decodes the frontmatter, without parsing it.
import { closeSync, constants, lstatSync, openSync, readdirSync, readSync } from "node:fs";

const [folder] = process.argv.slice(2);
const buffer = Buffer.allocUnsafe(2048);
let count = 0;
for (const entry of readdirSync(folder, { withFileTypes: true })) {
  const path = `${folder}/${entry.name}/SKILL.md`;
  if (!entry.isDirectory() || !lstatSync(path).isFile()) continue;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const length = readSync(fd, buffer, 0, buffer.length, null);
  closeSync(fd);
  const end = buffer.indexOf("\n---", 3, "latin1");
  buffer.toString("utf8", 0, end === -1 ? length : Math.min(end, length));
  count++;
}
console.log(count);
