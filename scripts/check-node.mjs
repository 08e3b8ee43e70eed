// Runs on any Node, before anything else does.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(
    `This needs Node 22.12 or newer, and ran on ${process.versions.node}. ` +
      "Run 'npm install' without --ignore-scripts: it brings the Node that the project is pinned to.",
  );
  process.exit(1);
}
