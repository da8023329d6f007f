"""Primed beside the real TLC 2.15 on the same windows, in CPU seconds."""


import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

import tlc_2_15 as tlc

ROOT = Path(__file__).resolve().parent.parent.parent

SPIN = ROOT / "conformance-suite" / "systems" / "spin"


def record(window):
    """A window as a TLA+ record."""
    def text(value):
        if isinstance(value, dict):
            pairs = " @@ ".join(f'("{k}" :> {text(v)})' for k, v in value.items())
            return f"({pairs})"
        return json.dumps(value)

    return f'[actor |-> {text(window["actor"])}, pre |-> {text(window["pre_state"])}, post |-> {text(window["post_state"])}]'


def module(windows):
    """One module for the windows: a variable picks one in the initial state, its action follows."""
    chunks = [windows[i:i + 500] for i in range(0, len(windows), 500)]
    parts = "".join(f"Part{i} == <<\n  " + ",\n  ".join(map(record, chunk)) + "\n>>\n" for i, chunk in enumerate(chunks))
    action = windows[0]["action"]
    return ("---- MODULE Judge ----\nEXTENDS SpinLock, Naturals, Sequences, TLC\nVARIABLES window, after\n" + parts
            + "Windows == " + " \\o ".join(f"Part{i}" for i in range(len(chunks))) + "\n"
            "Start == /\\ window \\in 1..Len(Windows) /\\ after = FALSE\n"
            "         /\\ lockState = Windows[window].pre[\"lockState\"] /\\ pc = Windows[window].pre[\"pc\"]\n"
            f"Step == /\\ after = FALSE /\\ {action}(Windows[window].actor) /\\ after' = TRUE /\\ UNCHANGED window\n"
            "Post == after => ((lockState = Windows[window].post[\"lockState\"] /\\ pc = Windows[window].post[\"pc\"])\n"
            "                  => PrintT(<<\"W\", window>>))\n====\n")


def tlc_cpu(windows, threads, quick):
    """CPU seconds of one TLC process over the windows, and how many conform."""
    flags = ["-XX:+UseSerialGC"] + (["-XX:TieredStopAtLevel=1"] if quick else [])
    with tempfile.TemporaryDirectory(prefix="primed-bench-") as folder:
        shutil.copyfile(SPIN / "SpinLock.tla", Path(folder, "SpinLock.tla"))
        Path(folder, "Judge.tla").write_text(module(windows), encoding="utf-8")
        names = ", ".join(f'"{t}"' for t in threads)
        Path(folder, "Judge.cfg").write_text(
            f"INIT Start\nNEXT Step\nINVARIANT Post\nCONSTANT Threads = {{{names}}}\n", encoding="utf-8")
        command = [tlc.java(), *flags, f"-Djava.io.tmpdir={folder}", "-cp", str(tlc.installed_jar()), "tlc2.TLC", "-workers",
                   "1", "-deadlock", "-metadir", folder, "Judge.tla"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0:
        raise tlc.Trouble("TLC could not judge the windows:\n" + run.stdout[-2000:])
    conforming = len(set(re.findall(r'^<<"W", (\d+)>>', run.stdout, flags=re.M)))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, conforming


def primed_cpu(*arguments):
    run = subprocess.run([str(program()), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                         timeout=900)
    if run.returncode != 0:
        raise tlc.Trouble(f"Primed could not judge the windows: {run.stderr.strip()}")
    said = json.loads(run.stdout)
    return said["cpu"], said["conforming"]


def program():
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    return target / "release" / "examples" / "cpu"


def turns(rounds, sides):
    """Measures the sides in turns; the median of each, after comparing how many windows they found to conform."""
    times = {name: [] for name in sides}
    conforming = {}
    for _ in range(rounds):
        for name, measure in sides.items():
            seconds, found = measure()
            times[name].append(seconds)
            conforming[name] = found
    if len(set(conforming.values())) != 1:
        raise tlc.Trouble(f"the verdicts differ: {conforming}")
    return {name: statistics.median(t) for name, t in times.items()}, next(iter(conforming.values()))


def ratio(what, other, ours):
    print(f"  {what:66}{other / ours:>12,.0f} x")


def main(options):
    """Measures one window and many, and prints the ratios."""
    tlc.installed_jar()
    subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "primed-benches", "--example", "cpu"], cwd=ROOT, check=True)
    lines = (SPIN / "windows.ndjson").read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines, 1) if json.loads(line)["action"] == "AcquireSuccess")
    one = [json.loads(lines[number - 1])]
    seconds, _ = turns(options.turns, {
        "tlc": lambda: tlc_cpu(one, "012", True),
        "held": lambda: primed_cpu("held", number),
    })
    process = seconds["tlc"]
    print(f"one window: TLC {process:.2f} s, Primed {seconds['held'] * 1e9:,.0f} ns of CPU")
    ratio("one TLC process / Primed by name, held in memory", process, seconds["held"])
    made = subprocess.run([str(program()), "windows", str(options.windows)], check=True, capture_output=True, text=True)
    many = [json.loads(line) for line in made.stdout.splitlines()]
    seconds, conforming = turns(options.turns, {
        "tlc": lambda: tlc_cpu(many, "01234567", False),
        "names": lambda: primed_cpu("names", options.windows),
        "tv": lambda: primed_cpu("tv", options.windows),
    })
    print(f"{len(many):,} windows, {conforming:,} conform: one TLC run {seconds['tlc']:.2f} s, Primed by name "
          f"{seconds['names']:.3f} s, by TV module {seconds['tv']:.3f} s of CPU")
    for name, said in (("names", "by name from NDJSON"), ("tv", "by TV module")):
        ratio(f"one TLC process a window / Primed {said}", process * len(many), seconds[name])
        ratio(f"one TLC run over all / Primed {said}", seconds["tlc"], seconds[name])
    print(f"Medians of {options.turns} turns on this machine.")
    return True
