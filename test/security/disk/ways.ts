/** A way to use more of the disk than the limit, as a script. Each line `held N` says how many bytes it has now. */
export interface WayToFill {
  readonly name: string;
  readonly script: string;
}

/** With a limit of 4 MB, each of these holds 60 MB in a plain process. */
export const GOAL = 60_000_000;

const PYTHON = `
import os, sys, mmap, time
out = os.environ["OUTPUT_DIR"] + "/"
MB = 1_000_000
block = os.urandom(MB)
held = 0
def hold(n):
    global held
    held += n
    print("held", held, flush=True)
def create(name, data=block):
    with open(out + name, "wb") as file:
        file.write(data)
    hold(len(data))
kept = []
def unlinked(name, write):
    file = open(out + name, "w+b", buffering=0)
    os.unlink(out + name)
    write(file)
    kept.append(file)
`;

const python = (name: string, body: string): WayToFill => ({ name, script: `${PYTHON}\n${body}\ntime.sleep(1)\n` });

/** For a sandbox with the programs of the system. */
export const SYSTEM_WAYS: readonly WayToFill[] = [
  python("many files", "for i in range(60): create(str(i))"),
  python(
    "files in nested folders",
    "for i in range(60):\n    os.makedirs(out + 'd/' * (i % 8)  + 'd', exist_ok=True); create('d/' * (i % 8) + str(i))",
  ),
  python(
    "unlinked files that stay open",
    "for i in range(60):\n    unlinked(str(i), lambda file: file.write(block)); hold(MB)",
  ),
  python(
    "space that is reserved",
    "fd = os.open(out + 'a', os.O_CREAT | os.O_RDWR)\nfor i in range(20):\n    fd = os.open(out + str(i), os.O_CREAT | os.O_RDWR); os.posix_fallocate(fd, 0, 3 * MB); hold(3 * MB)",
  ),
  python(
    "reserved space without a name",
    "for i in range(20):\n    unlinked(str(i), lambda file: os.posix_fallocate(file.fileno(), 0, 3 * MB)); hold(3 * MB)",
  ),
  python(
    "thousands of empty files first",
    "for i in range(9_000): open(out + 'e%d' % i, 'w').close()\nfor i in range(60): create(str(i))",
  ),
  python(
    "many processes at once",
    "for i in range(20):\n    if os.fork() == 0:\n        open(out + str(i), 'wb').write(block * 3); time.sleep(1); os._exit(0)\nfor i in range(20): os.wait()\nhold(sum(os.stat(out + name).st_blocks * 512 for name in os.listdir(out)))",
  ),
  python(
    "a map of a file",
    "for i in range(20):\n    file = open(out + str(i), 'w+b'); file.truncate(3 * MB); area = mmap.mmap(file.fileno(), 3 * MB); area[:] = block * 3; kept.append(area); hold(3 * MB)",
  ),
  python(
    "hard links to files that are removed",
    "os.mkdir(out + 'links')\nfor i in range(60):\n    create(str(i)); os.link(out + str(i), out + 'links/' + str(i)); os.unlink(out + str(i))",
  ),
  python(
    "files moved out of a removed folder",
    "for i in range(60):\n    os.mkdir(out + 'd'); create('d/x'); os.rename(out + 'd/x', out + str(i)); os.rmdir(out + 'd')",
  ),
  python("a locked folder", "os.mkdir(out + 'd')\nfor i in range(60): create('d/' + str(i))\nos.chmod(out + 'd', 0)"),
  python(
    "names that are not text",
    "for i in range(60):\n    with open(os.fsencode(out) + b'\\xff%d' % i, 'wb') as file: file.write(block)\n    hold(MB)",
  ),
  python(
    "files in a removed working directory",
    "os.mkdir(out + 'd'); os.chdir(out + 'd')\nfor i in range(60):\n    file = open('x', 'wb'); os.unlink('x'); file.write(block); file.flush(); kept.append(file); hold(MB)",
  ),
  python(
    "blocks behind holes",
    "for i in range(20):\n    file = open(out + str(i), 'wb')\n    for j in range(3): file.seek(j * 1_300_000); file.write(block)\n    file.flush(); hold(3 * MB)",
  ),
  python("links with long targets", "for i in range(15_000): os.symlink('x' * 4_000, out + str(i)); hold(4_096)"),
  python(
    "files below a path that is too long",
    "os.chdir(out)\nfor i in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)\nfor i in range(60):\n    with open(str(i), 'wb') as file: file.write(block)\n    hold(MB)",
  ),
  python(
    "a file that grows in small pieces",
    "for i in range(60):\n    for j in range(100):\n        with open(out + 'a', 'ab') as file: file.write(block[:10_000])\n    hold(MB)",
  ),
  python(
    "copies that the kernel makes",
    "create('a')\nfor i in range(60):\n    with open(out + 'a', 'rb') as source, open(out + str(i), 'wb') as file: hold(os.sendfile(file.fileno(), source.fileno(), 0, MB))",
  ),
];

const JAVASCRIPT = `
const out = process.env.OUTPUT_DIR + "/";
const MB = 1_000_000;
const block = crypto.getRandomValues(new Uint8Array(50_000));
const megabyte = new Uint8Array(MB).map((_, index) => block[index % 50_000]);
let held = 0;
const hold = (n) => console.log("held " + (held += n));
const kept = [];
`;

const javascript = (name: string, body: string): WayToFill => ({
  name,
  // What was not stopped meanwhile is held until the end.
  script: `${JAVASCRIPT}\n${body}\nawait new Promise((resolve) => setTimeout(resolve, 3_000));\n`,
});

/** For embedded interpreters. */
export const EMBEDDED_WAYS: readonly WayToFill[] = [
  javascript("many files", "for (let i = 0; i < 60; i++) { Deno.writeFileSync(out + i, megabyte); hold(MB); }"),
  javascript(
    "unlinked files that stay open",
    "for (let i = 0; i < 60; i++) { const file = Deno.openSync(out + i, { write: true, create: true }); Deno.removeSync(out + i); for (let at = 0; at < MB; ) at += file.writeSync(megabyte.subarray(at)); kept.push(file); hold(MB); }",
  ),
  javascript(
    "the Cache API",
    "const cache = await caches.open('x'); for (let i = 0; i < 60; i++) { await cache.put('http://x/' + i, new Response(megabyte)); hold(MB); }",
  ),
  javascript(
    "temporary tables of a database",
    "const { DatabaseSync } = await import('node:sqlite'); const db = new DatabaseSync(out + 'x.db'); db.exec('pragma temp_store = 1; pragma cache_size = 10; create temp table t(x)'); for (let i = 0; i < 60; i++) { db.exec('insert into t values (randomblob(1000000))'); hold(MB); }",
  ),
  javascript(
    "temporary tables in another folder",
    "const { DatabaseSync } = await import('node:sqlite'); const db = new DatabaseSync(out + 'x.db'); db.exec(`pragma temp_store_directory = '/var/tmp'; pragma temp_store = 1; pragma cache_size = 10; create temp table t(x)`); for (let i = 0; i < 60; i++) { db.exec('insert into t values (randomblob(1000000))'); hold(MB); }",
  ),
  javascript(
    "thousands of empty files first",
    "for (let i = 0; i < 9_000; i++) Deno.writeFileSync(out + 'e' + i, new Uint8Array()); for (let i = 0; i < 60; i++) { Deno.writeFileSync(out + i, megabyte); hold(MB); }",
  ),
  javascript(
    "copies of a file",
    "Deno.writeFileSync(out + 'a', megabyte); for (let i = 0; i < 60; i++) { Deno.copyFileSync(out + 'a', out + i); hold(MB); }",
  ),
  javascript(
    "a file that grows",
    "for (let i = 0; i < 60; i++) { Deno.writeFileSync(out + 'a', megabyte, { append: true }); hold(MB); }",
  ),
  javascript(
    "files by node:fs",
    "const fs = await import('node:fs'); for (let i = 0; i < 60; i++) { fs.mkdirSync(out + i); fs.appendFileSync(out + i + '/a', megabyte); hold(MB); }",
  ),
  javascript(
    "rows of a database",
    "const { DatabaseSync } = await import('node:sqlite'); const db = new DatabaseSync(out + 'x.db'); db.exec('create table t(x)'); for (let i = 0; i < 60; i++) { db.exec('insert into t values (randomblob(1000000))'); hold(MB); }",
  ),
];
