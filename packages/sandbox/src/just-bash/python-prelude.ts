/**
 * Runs a script as `python3 FILE` does: with the modules beside it, its path in tracebacks, and without the variables of
 * the interpreter, one of which contains a path of this machine. Streamed, lines appear while the script runs.
 */
export const PYTHON_PRELUDE = `
def _run():
    import os, sys, io
    for name in ("_", "USER", "LOGNAME", "PYTHONHOME", "PYTHONPATH"):
        os.environ.pop(name, None)
    class Stream(io.TextIOBase):
        encoding, errors = "utf-8", "replace"
        def __init__(self, number):
            self.path, self.text = "/dev/fd/%d" % number, ""
        def writable(self):
            return True
        def fileno(self):
            raise io.UnsupportedOperation("fileno")
        def write(self, text):
            if not isinstance(text, str):
                raise TypeError("write() argument must be str, not " + type(text).__name__)
            self.text += text
            if "\\n" in text or len(self.text) > 8192:
                self.flush()
            return len(text)
        def flush(self):
            text, self.text = self.text, ""
            if text:
                with open(self.path, "ab") as file:
                    file.write(text.encode("utf-8", "replace"))
        @property
        def buffer(self):
            return Bytes(self)
    class Bytes(io.RawIOBase):
        def __init__(self, stream):
            self.stream = stream
        def writable(self):
            return True
        def write(self, data):
            self.stream.flush()
            with open(self.stream.path, "ab") as file:
                file.write(data)
            return len(data)
    if sys.argv[1] == "streamed":
        sys.stdout, sys.stderr = Stream(1), Stream(2)
        import atexit
        atexit.register(lambda: (sys.stdout.flush(), sys.stderr.flush()))
    import json
    sys.argv = json.loads(sys.argv[2])
    path = os.path.join(os.getcwd(), sys.argv[0]) if not sys.argv[0].startswith("/") else sys.argv[0]
    sys.path[0] = "/host" + os.path.dirname(path)
    with open(path, "rb") as file:
        source = file.read()
    main = sys.modules["__main__"].__dict__
    del main["_run"]
    main["__file__"] = path
    return compile(source, path, "exec"), main
exec(*_run())
`;
