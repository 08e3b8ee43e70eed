import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Probe } from "./probe.ts";

// The scripts read the mark, or print THROUGH if they did something that leaves no mark. The test looks for both.

const sh = (name: string, script: string, more: Partial<Probe> = {}): Probe => ({
  name,
  language: "sh",
  script,
  control: "subprocess",
  ...more,
});
const py = (name: string, script: string, more: Partial<Probe> = {}): Probe => ({
  name,
  language: "py",
  script,
  control: "subprocess",
  ...more,
});
const js = (name: string, script: string, more: Partial<Probe> = {}): Probe => ({
  name,
  language: "js",
  script,
  control: "subprocess",
  ...more,
});
const root = { needsRoot: true };

const READS: readonly Probe[] = [
  sh("reads a file by its path", `cat @OUTSIDE@/canary`),
  sh("reads a file by a path with dots", `cat "$SKILL_DIR/../../../../../../../../@OUTSIDE@/canary"`),
  sh("reads a file through the root of the process", `cat /proc/self/root/@OUTSIDE@/canary`),
  sh(
    "reads a file through the working directory of the process",
    `cat /proc/self/cwd/../../../../../..@OUTSIDE@/canary`,
  ),
  sh(
    "reads a file through a link that it makes",
    `ln -s @OUTSIDE@ "$OUTPUT_DIR/link" && cat "$OUTPUT_DIR/link/canary"`,
  ),
  sh(
    "reads a file through a relative link",
    `ln -s ../../../../../../../..@OUTSIDE@/canary "$OUTPUT_DIR/link"; cat "$OUTPUT_DIR/link"`,
  ),
  sh("reads a file through a hard link", `ln @OUTSIDE@/canary "$OUTPUT_DIR/hard"; cat "$OUTPUT_DIR/hard"`),
  sh(
    "finds a file by its name",
    `cat $(find /tmp /var/tmp -maxdepth 4 -name canary -user "$(id -u)" 2>/dev/null | head -50) 2>/dev/null; cat @OUTSIDE@/can*`,
  ),
  sh("sources a file", `. @OUTSIDE@/canary 2>&1`),
  sh("copies a file", `cp @OUTSIDE@/canary "$OUTPUT_DIR/copy"; cat "$OUTPUT_DIR/copy"`),
  sh(
    "archives a folder",
    `tar cf "$OUTPUT_DIR/all.tar" -C / "$(echo @OUTSIDE@ | cut -c2-)" 2>/dev/null; tar xOf "$OUTPUT_DIR/all.tar"`,
  ),
  sh("searches in a folder", `grep -r . @OUTSIDE@`),
  sh("reads a file with sed", `sed -n p @OUTSIDE@/canary`),
  sh("reads a file with awk", `awk '{ print }' @OUTSIDE@/canary`),
  sh("redirects from a file", `while read -r line; do echo "$line"; done < @OUTSIDE@/canary`),
  sh("reads the original folder of the skill", `cat @SKILL@/SKILL.md | grep -q description && echo THROUGH`),
  sh("reads the passwords of the system", `cat /etc/shadow | grep -q root && echo THROUGH`, root),
  sh(
    "reads root's home",
    `ls -a /root | grep -q . && [ -e /root/.profile -o -e /root/.bashrc -o -e /root/.npm ] && echo THROUGH`,
    root,
  ),
  sh("reads the machine's identity", `[ -s /etc/machine-id -o -s /etc/hostname ] && echo THROUGH`),
  sh(
    "reads the machine's resolver",
    `[ -s /etc/resolv.conf ] && echo THROUGH || { [ -s /etc/hosts ] && echo THROUGH; }`,
  ),
  sh("reads the devices of the kernel", `[ -e /sys/kernel ] && echo THROUGH`),
  sh("reads the logs", `[ -e /var/log/dpkg.log -o -e /var/log/apt ] && echo THROUGH`),
  py("reads a file from Python", `print(open("@OUTSIDE@/canary").read())`),
  py(
    "reads a file from Python by a descriptor",
    `import os\nfd = os.open("/", os.O_RDONLY)\nprint(os.read(os.open("@OUTSIDE@/canary"[1:], os.O_RDONLY, dir_fd=fd), 100))`,
  ),
  py(
    "reads a file from Python through a link",
    `import os\nos.symlink("@OUTSIDE@/canary", os.environ["OUTPUT_DIR"] + "/link")\nprint(open(os.environ["OUTPUT_DIR"] + "/link").read())`,
  ),
  py(
    "imports a module from outside",
    `import sys\nsys.path.insert(0, "@OUTSIDE@")\nimport canary_module\nprint(canary_module.MARK)`,
  ),
  py("runs a file from outside", `import runpy\nprint(runpy.run_path("@OUTSIDE@/canary_module.py")["MARK"])`),
  py("lists a folder from Python", `import os\n"canary" in os.listdir("@OUTSIDE@") and print("THROUGH")`),
  py(
    "maps a file into memory",
    `import mmap\nf = open("@OUTSIDE@/canary", "rb")\nprint(mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)[:])`,
  ),
  js(
    "reads a file from JavaScript",
    `import { readFileSync } from "node:fs";\nconsole.log(readFileSync("@OUTSIDE@/canary", "utf8"));`,
  ),
  js(
    "reads a file by a URL",
    `import { readFileSync } from "node:fs";\nconsole.log(readFileSync(new URL("file://@OUTSIDE@/canary"), "utf8"));`,
  ),
  js("imports a module by its path", `console.log((await import("@OUTSIDE@/canary.mjs")).MARK);`),
  js("imports a module with an import statement", `import { MARK } from "@OUTSIDE@/canary.mjs";\nconsole.log(MARK);`),
  js(
    "imports JSON from outside",
    `import data from "@OUTSIDE@/canary.json" with { type: "json" };\nconsole.log(data);`,
  ),
  js(
    "imports a module from a module that it writes",
    `import { writeFileSync } from "node:fs";\nconst path = process.env.OUTPUT_DIR + "/written.mjs";\nwriteFileSync(path, 'export { MARK } from "@OUTSIDE@/canary.mjs";');\nconsole.log((await import(path)).MARK);`,
  ),
  js(
    "imports a module from a module in its address",
    `console.log((await import('data:text/javascript,export { MARK } from "file://@OUTSIDE@/canary.mjs"')).MARK);`,
  ),
  js(
    "requires a module by its path",
    `import { createRequire } from "node:module";\nconsole.log(createRequire(import.meta.url)("@OUTSIDE@/canary.cjs").MARK);`,
  ),
  js(
    "reads a file through a link",
    `import { readFileSync, symlinkSync } from "node:fs";\nconst link = process.env.OUTPUT_DIR + "/link";\nsymlinkSync("@OUTSIDE@/canary", link);\nconsole.log(readFileSync(link, "utf8"));`,
  ),
  js(
    "opens a stream of a file",
    `import { createReadStream } from "node:fs";\ncreateReadStream("@OUTSIDE@/canary").pipe(process.stdout);`,
  ),
  js(
    "lists a folder",
    `import { readdirSync } from "node:fs";\nif (readdirSync("@OUTSIDE@").includes("canary")) console.log("THROUGH");`,
  ),
  js(
    "reads a file in a worker",
    `import { Worker } from "node:worker_threads";\nnew Worker("console.log(require('fs').readFileSync('@OUTSIDE@/canary', 'utf8'))", { eval: true });`,
  ),
];

const LINKS: readonly Probe[] = [
  sh("follows a link of the skill to a file", `cat "$SKILL_DIR/data.txt"`, {
    links: { "data.txt": "@OUTSIDE@/canary" },
  }),
  sh("follows a link of the skill to a folder", `cat "$SKILL_DIR/data/canary"`, { links: { data: "@OUTSIDE@" } }),
  py(
    "follows a link of the skill from Python",
    `import os\nprint(open(os.environ["SKILL_DIR"] + "/data.txt").read())`,
    { links: { "data.txt": "@OUTSIDE@/canary" } },
  ),
  js(
    "follows a link of the skill from JavaScript",
    `import { readFileSync } from "node:fs";\nconsole.log(readFileSync(process.env.SKILL_DIR + "/data.txt", "utf8"));`,
    { links: { "data.txt": "@OUTSIDE@/canary" }, control: "deno without the copy" },
  ),
  js(
    "follows a link of the skill to a folder from JavaScript",
    `import { readFileSync } from "node:fs";\nconsole.log(readFileSync(process.env.SKILL_DIR + "/data/canary", "utf8"));`,
    { links: { data: "@OUTSIDE@" }, control: "deno without the copy" },
  ),
  js(
    "imports through a link of the skill",
    `console.log((await import(process.env.SKILL_DIR + "/code/canary.mjs")).MARK);`,
    { links: { code: "@OUTSIDE@" }, control: "deno without the copy" },
  ),
];

const wrote = (world: { outside: string }): boolean => existsSync(join(world.outside, "written"));

const WRITES: readonly Probe[] = [
  sh("writes a file by its path", `echo x > @OUTSIDE@/written`, { isThrough: wrote }),
  sh("writes a file with tee", `echo x | tee @OUTSIDE@/written`, { isThrough: wrote }),
  sh("writes a file through a link", `ln -s @OUTSIDE@ "$OUTPUT_DIR/link"; echo x > "$OUTPUT_DIR/link/written"`, {
    isThrough: wrote,
  }),
  sh("moves a file out", `echo x > "$OUTPUT_DIR/mine"; mv "$OUTPUT_DIR/mine" @OUTSIDE@/written`, { isThrough: wrote }),
  sh("removes a file", `rm @OUTSIDE@/victim`, { isThrough: ({ outside }) => !existsSync(join(outside, "victim")) }),
  sh("creates a folder", `mkdir @OUTSIDE@/written`, { isThrough: wrote }),
  sh("changes the original skill", `echo changed >> @SKILL@/SKILL.md`, {
    isThrough: ({ skill }) => readFileSync(join(skill, "SKILL.md"), "utf8").includes("changed"),
  }),
  sh("writes to the programs of the system", `touch /usr/bin/.probe-@PID@`, {
    needsRoot: true,
    isThrough: ({ pid }) => existsSync(`/usr/bin/.probe-${pid}`),
  }),
  sh("writes to the settings of the system", `touch /etc/.probe-@PID@`, {
    needsRoot: true,
    isThrough: ({ pid }) => existsSync(`/etc/.probe-${pid}`),
  }),
  sh("writes to the system's temporary folder", `echo x > @OUTSIDE@/../$(basename @OUTSIDE@)/written`, {
    isThrough: wrote,
  }),
  sh(
    "unpacks an archive that leaves its folder",
    `cd "$OUTPUT_DIR" && echo x > written && tar cPf a.tar --transform "s,^written,@OUTSIDE@/written," written 2>/dev/null && tar xPf a.tar`,
    { isThrough: wrote },
  ),
  py("writes a file from Python", `open("@OUTSIDE@/written", "w").write("x")`, { isThrough: wrote }),
  py(
    "moves a file from Python",
    `import os, shutil\nopen(os.environ["OUTPUT_DIR"] + "/mine", "w").write("x")\nshutil.move(os.environ["OUTPUT_DIR"] + "/mine", "@OUTSIDE@/written")`,
    { isThrough: wrote },
  ),
  py(
    "creates a file that other users can run as its owner",
    `import os\np = "@OUTSIDE@/written"\nopen(p, "w").write("x")\nos.chmod(p, 0o4755)`,
    { isThrough: wrote },
  ),
  js(
    "writes a file from JavaScript",
    `import { writeFileSync } from "node:fs";\nwriteFileSync("@OUTSIDE@/written", "x");`,
    { isThrough: wrote },
  ),
  js(
    "copies a file from JavaScript",
    `import { cpSync } from "node:fs";\ncpSync("@OUTSIDE@/canary", process.env.OUTPUT_DIR + "/copy");\nconsole.log((await import("node:fs")).readFileSync(process.env.OUTPUT_DIR + "/copy", "utf8"));`,
  ),
];

const PROC: readonly Probe[] = [
  sh("reads another process's environment", `tr '\\0' '\\n' < /proc/@PID@/environ`),
  sh("reads another process's arguments", `tr '\\0' '\\n' < /proc/@PID@/cmdline`),
  sh("searches the arguments of all processes", `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep MARK`),
  sh("searches the environment of all processes", `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep MARK`),
  sh("reads a file through another process's root", `cat /proc/@PID@/root/@OUTSIDE@/canary`),
  sh("reads a file through another process's working directory", `cat /proc/@PID@/cwd/canary`),
  sh("reads an open file of another process", `cat /proc/@PID@/fd/3`),
  sh("lists another process's memory", `grep -q . /proc/@PID@/maps && echo THROUGH`),
  sh("lists processes", `[ -d /proc/@PID@ ] && echo THROUGH`),
  sh("sees the system's connections", `grep -qi "$(printf ':%04X' @PORT@)" /proc/net/tcp && echo THROUGH`),
  sh("may change how the system dumps processes", `[ -w /proc/sys/kernel/core_pattern ] && echo THROUGH`, root),
  sh("raises its priority", `[ "$(nice -n -5 nice 2>/dev/null)" -lt 0 ] && echo THROUGH`, root),
  sh(
    "reads the kernel's messages",
    `dmesg 2>/dev/null | grep -q . && echo THROUGH || { [ -r /proc/kmsg ] && echo THROUGH; }`,
    root,
  ),
  sh(
    "sees the host's mounts",
    `grep -q ' / ext4\\| / overlay\\| / xfs\\| / btrfs' /proc/self/mounts && echo THROUGH || { [ "$(wc -l < /proc/self/mounts)" -gt 0 ] && grep -q " /sys " /proc/self/mounts && echo THROUGH; }`,
  ),
  py(
    "reads another process's memory",
    `import os, re\npid = @PID@\nfor line in open(f"/proc/{pid}/maps"):\n    span, perms = line.split()[:2]\n    if "[stack]" in line or "[heap]" in line:\n        start, end = (int(x, 16) for x in span.split("-"))\n        m = open(f"/proc/{pid}/mem", "rb")\n        m.seek(start)\n        if b"MARK" in m.read(min(end - start, 8_000_000)): print("THROUGH"); break`,
  ),
  py("reads another process's environment from Python", `print(open("/proc/@PID@/environ").read())`),
  js(
    "reads another process's environment from JavaScript",
    `import { readFileSync } from "node:fs";\nconsole.log(readFileSync("/proc/@PID@/environ", "utf8"));`,
  ),
  js(
    "reads its own process's environment by its file",
    `import { readFileSync } from "node:fs";\nconsole.log(readFileSync("/proc/self/cmdline", "utf8") && readFileSync("/proc/@PID@/cmdline", "utf8"));`,
  ),
];

const SOCKETS: readonly Probe[] = [
  sh("connects to a server with bash", `bash -c 'exec 3<>/dev/tcp/127.0.0.1/@PORT@; head -c 200 <&3'`),
  py(
    "connects to a server",
    `import socket\ns = socket.create_connection(("127.0.0.1", @PORT@), 3)\nprint(s.recv(200))`,
  ),
  py(
    "connects to a server by the name localhost",
    `import socket\ns = socket.create_connection(("localhost", @PORT@), 3)\nprint(s.recv(200))`,
  ),
  py(
    "sends a datagram",
    `import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.settimeout(3)\ns.sendto(b"x", ("127.0.0.1", @UDPPORT@))\nprint(s.recv(200))`,
  ),
  py(
    "connects to a Unix socket",
    `import socket\ns = socket.socket(socket.AF_UNIX)\ns.settimeout(3)\ns.connect("@SOCKET@")\nprint(s.recv(200))`,
  ),
  py(
    "connects to an abstract Unix socket",
    `import socket\ns = socket.socket(socket.AF_UNIX)\ns.settimeout(3)\ns.connect(chr(0) + "@ABSTRACT@")\nprint(s.recv(200))`,
  ),
  py(
    "fetches a page",
    `import urllib.request\nprint(urllib.request.urlopen("http://127.0.0.1:@PORT@/", timeout=3).read())`,
  ),
  py(
    "opens a raw socket",
    `import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)\nprint("THROUGH")`,
    root,
  ),
  py(
    "lists network interfaces",
    `import socket\n[n for _, n in socket.if_nameindex() if n != "lo"] and print("THROUGH")`,
  ),
  js(
    "connects to a server from JavaScript",
    `import { connect } from "node:net";\nconnect(@PORT@, "127.0.0.1").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code));`,
  ),
  js("fetches a page from JavaScript", `console.log(await (await fetch("http://127.0.0.1:@PORT@/")).text());`),
  js(
    "requests a page from JavaScript",
    `import { get } from "node:http";\nget("http://127.0.0.1:@PORT@/", (r) => r.pipe(process.stdout)).on("error", (e) => console.log(e.code));`,
  ),
  js(
    "connects to a Unix socket from JavaScript",
    `import { connect } from "node:net";\nconnect("@SOCKET@").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code));`,
  ),
  js(
    "sends a datagram from JavaScript",
    `import { createSocket } from "node:dgram";\nconst s = createSocket("udp4");\ns.on("message", (m) => { console.log(String(m)); process.exit(); });\ns.send("x", @UDPPORT@, "127.0.0.1");\nsetTimeout(() => process.exit(), 2000);`,
  ),
  js(
    "opens a port that others can reach",
    `import { createServer } from "node:net";\nimport { networkInterfaces } from "node:os";\nif (Object.keys(networkInterfaces()).some((n) => n !== "lo")) createServer().listen(0, "0.0.0.0", function () { console.log("THROUGH"); this.close(); });`,
  ),
];

const NAMESPACES: readonly Probe[] = [
  sh(
    "mounts a file system",
    `mkdir -p "$OUTPUT_DIR/m" && mount -t tmpfs none "$OUTPUT_DIR/m" && echo THROUGH; umount "$OUTPUT_DIR/m" 2>/dev/null`,
    root,
  ),
  sh(
    "binds a folder",
    `mkdir -p "$OUTPUT_DIR/m" && mount --bind / "$OUTPUT_DIR/m" && cat "$OUTPUT_DIR/m/@OUTSIDE@/canary"; umount "$OUTPUT_DIR/m" 2>/dev/null`,
    root,
  ),
  sh(
    "makes its skill's folder writable",
    `mount -o remount,rw,bind / 2>/dev/null && echo THROUGH; mount -o remount,bind,rw "$SKILL_DIR" 2>/dev/null && echo THROUGH`,
    root,
  ),
  sh("creates a user namespace", `unshare -U true && echo THROUGH`),
  sh("creates a user and a mount namespace", `unshare -Urm true && echo THROUGH`),
  sh("creates a network namespace", `unshare -n true && echo THROUGH`, root),
  sh("enters another process's namespaces", `nsenter -t @PID@ -m -- cat @OUTSIDE@/canary`, root),
  sh("changes its root", `chroot /proc/@PID@/root cat @OUTSIDE@/canary`, root),
  py(
    "changes the hostname",
    `import ctypes, socket\nname = socket.gethostname().encode()\nctypes.CDLL(None).sethostname(name, len(name)) == 0 and print("THROUGH")`,
    root,
  ),
  py(
    "enters another process's namespace from Python",
    `import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nfd = os.open("/proc/@PID@/ns/user", os.O_RDONLY)\nfd2 = os.open("/proc/@PID@/ns/mnt", os.O_RDONLY)\nlibc.setns(fd2, 0) == 0 and print("THROUGH")`,
    root,
  ),
  py(
    "creates a namespace by a system call",
    `import ctypes\nctypes.CDLL(None).unshare(0x10000000) == 0 and print("THROUGH")`,
  ),
  py(
    "becomes root",
    `import os\nos.setuid(0)\nos.setgid(0)\nopen("/proc/self/uid_map").read().split()[1] == "0" and print("THROUGH")`,
    root,
  ),
];

const ENVIRONMENT: readonly Probe[] = [
  sh("prints its environment", `env`),
  sh("prints its variables", `set`),
  sh("reads its environment by its file", `tr '\\0' '\\n' < /proc/self/environ`),
  sh(
    "reads its parent's environment",
    `tr '\\0' '\\n' < /proc/$PPID/environ; cat /proc/1/environ 2>/dev/null | tr '\\0' '\\n'`,
  ),
  py("prints its environment from Python", `import os\nprint(dict(os.environ))`),
  js("prints its environment from JavaScript", `console.log(JSON.stringify(process.env));`),
];

const DEVICES: readonly Probe[] = [
  sh(
    "reads a disk",
    `for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/xvda /dev/loop0; do [ -r $d ] && head -c 1 $d >/dev/null && echo THROUGH; done`,
    root,
  ),
  sh("creates a device", `mknod "$OUTPUT_DIR/d" c 1 5 && head -c 1 "$OUTPUT_DIR/d" >/dev/null && echo THROUGH`, root),
  sh("reads the memory of the machine", `[ -r /dev/mem ] && echo THROUGH || [ -r /dev/kmsg ] && echo THROUGH`, root),
  sh("sees devices", `ls /dev | grep -qE '^(loop|vda|sda|nvme|tty[0-9]|cpu|rtc|snapshot|vcs|mapper)' && echo THROUGH`),
  sh(
    "writes to shared memory of the machine",
    `echo x > /dev/shm/skillset-probe-@PID@; [ -e /dev/shm/skillset-probe-@PID@ ] && echo written`,
    {
      isThrough: ({ pid }) => existsSync(`/dev/shm/skillset-probe-${pid}`),
    },
  ),
];

const SIGNALS: readonly Probe[] = [
  sh("sees whether a process is alive", `kill -0 @PID@ && echo THROUGH`),
  py("sends a signal to a process", `import os\nos.kill(@PID@, 18)\nprint("THROUGH")`),
  js("sends a signal to a process from JavaScript", `process.kill(@PID@, "SIGCONT");\nconsole.log("THROUGH");`),
  py(
    "attaches to a process",
    `import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nlibc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]\nif libc.ptrace(16, @PID@, None, None) == 0:\n    os.waitpid(@PID@, 0x40000000)\n    libc.ptrace(17, @PID@, None, None)\n    print("THROUGH")`,
  ),
  py(
    "reads a process's memory by a system call",
    `import ctypes\nclass V(ctypes.Structure): _fields_ = [("b", ctypes.c_void_p), ("l", ctypes.c_size_t)]\nstart = int([l for l in open("/proc/@PID@/maps") if "[stack]" in l or "[heap]" in l][0].split("-")[0], 16)\nb = ctypes.create_string_buffer(16)\nlocal, far = V(ctypes.addressof(b), 16), V(start, 16)\nlibc = ctypes.CDLL(None)\nlibc.process_vm_readv(@PID@, ctypes.byref(local), 1, ctypes.byref(far), 1, 0) == 16 and print("THROUGH")`,
  ),
  py("changes a process's priority", `import os\nos.setpriority(os.PRIO_PROCESS, @PID@, 1)\nprint("THROUGH")`),
];

const PROCESSES: readonly Probe[] = [
  sh(
    "starts two hundred processes",
    `i=0; n=0; while [ $i -lt 200 ]; do sleep 2 & [ $? = 0 ] && n=$((n+1)); i=$((i+1)); done 2>/dev/null; set -- /proc/[0-9]*; [ "$(ps 2>/dev/null | wc -l)" -gt 150 -o $# -gt 150 ] && [ $n = 200 ] && echo THROUGH`,
  ),
  py(
    "starts two hundred threads",
    `import threading, time\nts = [threading.Thread(target=time.sleep, args=(1,)) for _ in range(200)]\nfor t in ts: t.start()\nprint("THROUGH")`,
  ),
  py(
    "starts two hundred processes from Python",
    `import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n        time.sleep(2)\n        os._exit(0)\nprint("THROUGH")`,
  ),
  js(
    "starts a program",
    `import { execFileSync } from "node:child_process";\nconsole.log(String(execFileSync("/bin/cat", ["@OUTSIDE@/canary"])));`,
  ),
  js(
    "starts a shell",
    `import { execSync } from "node:child_process";\nconsole.log(String(execSync("cat @OUTSIDE@/canary")));`,
  ),
  js("loads a native library", `process.dlopen({ exports: {} }, "@OUTSIDE@/canary");`, {
    script: `import { readFileSync } from "node:fs";\ntry { process.dlopen({ exports: {} }, "@OUTSIDE@/canary"); } catch (error) { if (/invalid ELF|file too short|not a mach-o/i.test(String(error.message))) console.log("THROUGH"); }`,
  }),
  py(
    "loads a native library from Python",
    `import ctypes\ntry:\n    ctypes.CDLL("@OUTSIDE@/canary")\nexcept OSError as e:\n    ("invalid ELF" in str(e) or "too short" in str(e)) and print("THROUGH")`,
  ),
  py(
    "starts a program from Python",
    `import subprocess\nprint(subprocess.run(["cat", "@OUTSIDE@/canary"], capture_output=True, text=True).stdout)`,
  ),
];

/** A link in the skill at the place of a mount makes an older bubblewrap create folders outside: CVE-2026-87766. */
const MOUNTS: readonly Probe[] = ["cache", "tmp", "output", "node_modules", ".venv", "home"].map((name) =>
  sh(`has a link where a folder would be mounted: ${name}`, "true", {
    control: "naive bubblewrap",
    links: { [name]: "/oldroot@OUTSIDE@" },
    isThrough: wrote,
  }),
);

export const PROBES: readonly Probe[] = [
  ...READS,
  ...LINKS,
  ...WRITES,
  ...PROC,
  ...SOCKETS,
  ...NAMESPACES,
  ...ENVIRONMENT,
  ...DEVICES,
  ...SIGNALS,
  ...PROCESSES,
  ...MOUNTS,
];
