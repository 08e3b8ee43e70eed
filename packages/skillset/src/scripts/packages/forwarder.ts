/** Where the proxy's socket is in the sandbox. */
export const PROXY_SOCKET = "/opt/skillset/registry.sock";

/**
 * Programs that run in the sandbox around pip and npm. pip and npm need a proxy with an address, and the sandbox has only
 * a socket: each program listens on the sandbox's own loopback and passes connections to the socket. It sets the
 * proxy's address, runs the command in its arguments, and exits with its exit code.
 */
export const PYTHON_FORWARDER = `
import os, socket, subprocess, sys, threading
listener = socket.create_server(("127.0.0.1", 0), backlog=64)
def copy(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data: break
            target.sendall(data)
    except OSError:
        pass
    for one, how in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        try: one.shutdown(how)
        except OSError: pass
def accept():
    while True:
        client, _ = listener.accept()
        remote = socket.socket(socket.AF_UNIX)
        try:
            remote.connect(${JSON.stringify(PROXY_SOCKET)})
        except OSError:
            client.close()
            continue
        for pair in ((client, remote), (remote, client)):
            threading.Thread(target=copy, args=pair, daemon=True).start()
threading.Thread(target=accept, daemon=True).start()
address = "http://127.0.0.1:%d" % listener.getsockname()[1]
os.makedirs("/output/tmp", exist_ok=True)
env = dict(os.environ, PIP_PROXY=address, TMPDIR="/output/tmp")
sys.exit(subprocess.call(sys.argv[1:], env=env, stdin=subprocess.DEVNULL))
`;

export const NODE_FORWARDER = `
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { mkdirSync } = require("node:fs");
const server = createServer({ allowHalfOpen: true }, (client) => {
  const remote = connect({ path: ${JSON.stringify(PROXY_SOCKET)}, allowHalfOpen: true });
  for (const [one, other] of [[client, remote], [remote, client]])
    one.on("error", () => other.destroy()).on("close", () => other.destroy()).pipe(other);
});
server.listen(0, "127.0.0.1", () => {
  const address = "http://127.0.0.1:" + server.address().port;
  mkdirSync("/output/tmp", { recursive: true });
  const [program, ...args] = process.argv.slice(1);
  const env = { ...process.env, npm_config_proxy: address, npm_config_https_proxy: address, TMPDIR: "/output/tmp" };
  const child = spawn(program, args, { env, stdio: ["ignore", "inherit", "inherit"], cwd: "/output" });
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 128));
  child.on("error", (error) => { console.error(error.message); process.exit(127); });
});
`;
