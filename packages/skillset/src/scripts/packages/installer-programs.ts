/** Where the proxy's socket is in the sandbox. */
export const PROXY_SOCKET = "/opt/skillset/registry.sock";

/**
 * Programs that run pip and npm in the sandbox, in their own process.
 *
 * pip and npm need a proxy with an address, and the sandbox has only a socket: each program listens on the sandbox's own
 * loopback and passes connections to the socket.
 *
 * To install a wheel or a package without scripts takes no other program. To build a package, to clone a repository and
 * to run a lifecycle script does. The programs refuse to start any, because the options of pip and npm do not cover all
 * cases: pip builds a source that a wheel names with its address in spite of `--only-binary`, and npm starts `git`
 * for a repository that a package depends on, in spite of `--ignore-scripts`.
 */
export const RUN_PIP = `
import os, re, runpy, socket, sys, threading
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
STARTS = ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.spawn", "os.fork", "os.forkpty", "os.system", "pty.spawn")
def refuse(event, args):
    if event not in STARTS: return
    # On Alpine, pip asks the loader of the system for its version.
    if event in STARTS[:2] and [args[0]] == args[1] and re.fullmatch("/lib/ld-musl-[a-z0-9_]+[.]so[.]1", str(args[0])): return
    raise PermissionError("a package without a wheel is not installed, because its build would run code of the package")
sys.addaudithook(refuse)
os.makedirs("/output/tmp", exist_ok=True)
os.environ.update(PIP_PROXY="http://127.0.0.1:%d" % listener.getsockname()[1], TMPDIR="/output/tmp")
sys.argv[0] = "pip"
runpy.run_module("pip", run_name="__main__", alter_sys=True)
`;

/** The first argument is the path of npm. */
export const RUN_NPM = `
const { connect, createServer } = require("node:net");
const { copyFileSync, mkdirSync } = require("node:fs");
const children = require("node:child_process");
const refuse = () => { throw new Error("a package that needs another program, such as git, is not installed"); };
for (const name of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"]) children[name] = refuse;
children.ChildProcess.prototype.spawn = refuse;
const server = createServer({ allowHalfOpen: true }, (client) => {
  const remote = connect({ path: ${JSON.stringify(PROXY_SOCKET)}, allowHalfOpen: true });
  for (const [one, other] of [[client, remote], [remote, client]])
    one.on("error", () => other.destroy()).on("close", () => other.destroy()).pipe(other);
});
server.listen(0, "127.0.0.1", () => {
  const address = "http://127.0.0.1:" + server.address().port;
  mkdirSync("/output/tmp", { recursive: true });
  Object.assign(process.env, { npm_config_proxy: address, npm_config_https_proxy: address, TMPDIR: "/output/tmp" });
  process.chdir("/output");
  copyFileSync("/skill/package.json", "package.json");
  server.unref();
  require(process.argv[1]);
});
`;
