// Runs first, on any version of Node.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(
    `Requires Node 22.12 or newer; this is ${process.versions.node}. ` +
      "Run 'npm install' without --ignore-scripts to install the pinned Node.",
  );
  process.exit(1);
}
