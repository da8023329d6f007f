"""One search by one program: its answer, what it cost in CPU seconds, in time and in memory."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import tlc_2_15 as tlc

ROOT = Path(__file__).resolve().parent.parent.parent
# With one worker the serial collector costs TLC least CPU (`against-tlc --collectors`: the parallel one 3 % more, G1 15 %).
COLLECTOR = {True: "-XX:+UseSerialGC", False: "-XX:+UseParallelGC"}
STATES = re.compile(r"^([\d,]+) states generated, ([\d,]+) distinct states found", re.M)
DEPTH = re.compile(r"^The depth of the complete state graph search is ([\d,]+)", re.M)
# Who is asked to end takes along what it started.
signal.signal(signal.SIGTERM, signal.default_int_handler)
VERSION = re.compile(r"^TLC2 Version (.+?)(?: of .*)?$", re.M)


@dataclass
class Run:
    """What a search said and what it cost. Counts are None if the program did not print them; `kept` are the
    bytes of states and what belongs to them, and `memory` what they consist of, if it said so."""
    exit: int
    generated: int
    distinct: int
    depth: int
    cpu: float
    wall: float
    peak: int
    said: str
    kept: int = 0
    memory: dict = None

    def answer(self, workers):
        """What both sides must agree on: where a search ends early, counts depend on the order of many workers, and
        so does the depth that TLC reports."""
        if self.exit != 0 and workers > 1:
            return {"exit": self.exit}
        counts = {"generated": self.generated, "distinct": self.distinct}
        if workers == 1 and self.depth is not None:
            counts["depth"] = self.depth
        return {"exit": self.exit, **counts}


def costs(command, folder, limit):
    """Runs a command: exit status, output, CPU seconds, seconds and the most memory in bytes. Memory is the kernel's figure for
    the process; it is never less than this script's own when it started it, some 15 MB."""
    environment = {k: v for k, v in os.environ.items() if k != "JAVA_TOOL_OPTIONS"}
    with tempfile.TemporaryFile() as output:
        begin = time.monotonic()
        process = subprocess.Popen([str(c) for c in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True, env=environment)
        late = threading.Timer(limit, lambda: os.killpg(process.pid, signal.SIGKILL))
        late.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            late.cancel()
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    if process.returncode == -signal.SIGKILL:
        raise tlc.Trouble(f"{' '.join(map(str, command))}\ndid not end within {limit:.0f} s, or was killed")
    return process.returncode, said, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024


def number(text):
    return int(text.replace(",", ""))


class Tlc:
    """The real TLC. `jar` may be a class path."""

    def __init__(self, jar, collector, memory, workers, limit):
        self.jar, self.workers, self.limit = jar, workers, limit
        self.flags = [f"-XX:+Use{collector}GC" if collector else COLLECTOR[workers == 1], f"-Xmx{memory}"]
        self.version = "of an unknown version"

    def search(self, model, watching=contextlib.nullcontext):
        """`watching` gets the folder that TLC writes to."""
        library = [f"-DTLA-Library={os.pathsep.join(model.libraries)}"] if model.libraries else []
        with tempfile.TemporaryDirectory(prefix="primed-bench-") as folder:
            command = [tlc.java(), *self.flags, f"-Djava.io.tmpdir={folder}", *library, "-cp", self.jar, "tlc2.TLC", "-workers",
                       self.workers, "-metadir", folder, "-lncheck", "final", *model.arguments, "-config", model.config,
                       model.spec.name]
            with watching(Path(folder)):
                exit_code, said, cpu, wall, peak = costs(command, model.spec.parent, self.limit)
        counts, depth, version = STATES.findall(said), DEPTH.findall(said), VERSION.search(said)
        if version:
            self.version = version.group(1)
        generated, distinct = map(number, counts[-1]) if counts else (None, None)
        return Run(exit_code, generated, distinct, number(depth[-1]) if depth else None, cpu, wall, peak, said)


class Primed:
    """`primed check`."""

    def __init__(self, program, workers, limit):
        self.program, self.workers, self.limit = program, workers, limit
        said = subprocess.run([program, "check", "--help"], capture_output=True, text=True).stdout
        # An older program that is measured beside this one does not have it.
        self.more = ["--bytes"] if "--bytes" in said else []

    def search(self, model):
        deadlock = ["--no-deadlock"] if "-deadlock" in model.arguments else []
        libraries = [word for library in model.libraries for word in ("--library", library)]
        command = [self.program, "check", model.spec.name, "--config", model.config, "--workers", self.workers, "--json", "-", *self.more,
                   *deadlock, *libraries]
        exit_code, said, cpu, wall, peak = costs(command, model.spec.parent, self.limit)
        line = next((line for line in said.splitlines() if line.startswith('{"verdict"')), None)
        if line is None:
            return Run(exit_code, None, None, None, cpu, wall, peak, said)
        result = json.loads(line)
        memory = result.get("memory", {})
        kept = sum(memory.get(what, 0) for what in ("states", "values", "queue"))
        return Run(exit_code, result["generated"], result["distinct"], result["depth"], cpu, wall, peak, said, kept, memory)


def primed():
    """The program that is measured: PRIMED, or the release build of this repository, which is built first."""
    if "PRIMED" in os.environ:
        found = shutil.which(os.environ["PRIMED"])
        if not found:
            raise tlc.Trouble(f"PRIMED names {os.environ['PRIMED']}, which is no program")
        return os.path.abspath(found)
    subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "primed-cli"], cwd=ROOT, check=True)
    return str(Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "release" / "primed")


def jar(given):
    """The jar or class path of the real TLC: given, or named by TLA2TOOLS_JAR, or the installed one."""
    found = given or os.environ.get("TLA2TOOLS_JAR")
    if not found:
        return str(tlc.installed_jar())
    for part in found.split(os.pathsep):
        if not Path(part).exists():
            raise tlc.Trouble(f"{part} does not exist")
    return os.pathsep.join(os.path.abspath(part) for part in found.split(os.pathsep))
