#!/usr/bin/env node
// Plain JavaScript, so that npm can link the command before the build, and old versions of Node can run the check.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`@skillset/chat needs Node 22.12 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
try {
  const { runProgram } = await import("../dist/server/program.js");
  await runProgram(process.argv.slice(2), { folder: process.cwd() });
} catch (error) {
  if (error?.code !== "ERR_MODULE_NOT_FOUND" || !String(error.message).includes("dist/server/program.js")) throw error;
  process.stderr.write("@skillset/chat is not built. In the repository, run 'npm start'.\n");
  process.exitCode = 1;
}
