"""Both sides in turns on each model: ratios of medians, memory, states per second."""

import json
import os
import re
import statistics
import sys
import tempfile

import tlc_2_15 as tlc
from beside_tlc import models, searches

WIDTHS = (26, 11, 9, 9, 8, 8, 12, 10, 8, 9, 8)
HEAD = (("model", "distinct", "TLC", "Primed", "CPU", "wall", "Primed", "TLC", "Primed", "Primed", "kept"),
        ("", "states", "CPU s", "CPU s", "ratio", "ratio", "states/s", "peak MB", "peak MB", "B/state", "B/state"))


def row(cells, widths=WIDTHS):
    """A line of a table: the first cell to the left, the others to the right."""
    first, *rest = (str(cell) for cell in cells)
    return f"{first[:widths[0] - 1]:{widths[0]}}" + "".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:]))


class Differs(Exception):
    """The two sides, or TLC and what is on file, do not answer the same."""


def compare(model, theirs, ours, workers):
    """Raises unless both answer the same, and what is recorded."""
    for name, run in (("TLC", theirs), ("Primed", ours)):
        if run.distinct is None and run.exit >= 150:
            why = re.search(r"^.*(Cannot|Could not|rror|Unknown|unsupported).*$", run.said, re.M)
            said = why.group(0).strip() if why else "no reason given"
            raise Differs(f"{name} searches nothing and ends with {run.exit}: {said}")
    theirs, ours = theirs.answer(workers), ours.answer(workers)
    if theirs != ours:
        raise Differs(f"TLC {theirs}, Primed {ours}")
    for key, value in model.recorded.items():
        if (model.recorded["exit"] == 0 or key == "exit") and ours.get(key, value) != value:
            raise Differs(f"on file is {key} {value}, both say {ours[key]}")


def medians(runs):
    return {key: statistics.median(getattr(run, key) for run in runs) for key in ("cpu", "wall", "peak")}


def in_turns(model, sides, turns, workers):
    """A B A B ...: the runs of each side, every answer compared."""
    runs = {name: [] for name in sides}
    for _ in range(turns):
        for name, side in sides.items():
            runs[name].append(side.search(model))
        compare(model, runs["tlc"][-1], runs["primed"][-1], workers)
    return runs


def net(run, start, key):
    """What a search cost beyond a start. It is at least a millisecond, or a byte: less is not measured."""
    return max(run[key] - start[key], 1 if key == "peak" else 0.001)


def figures(model, runs, starts):
    theirs, ours = medians(runs["tlc"]), medians(runs["primed"])
    first = runs["primed"][0]
    states = first.distinct or 1
    cost = {(name, key): net(side, starts[name], key)
            for name, side in (("tlc", theirs), ("primed", ours)) for key in ("cpu", "wall", "peak")}
    return {
        "model": model.name, "exit": first.exit, "generated": first.generated, "distinct": first.distinct, "depth": first.depth,
        "tlc_cpu": cost["tlc", "cpu"], "primed_cpu": cost["primed", "cpu"], "tlc_wall": cost["tlc", "wall"],
        "primed_wall": cost["primed", "wall"], "cpu_ratio": cost["tlc", "cpu"] / cost["primed", "cpu"],
        "wall_ratio": cost["tlc", "wall"] / cost["primed", "wall"],
        "cpu_ratio_with_start": theirs["cpu"] / max(ours["cpu"], 0.001),
        "tlc_states_per_second": (first.generated or 0) / cost["tlc", "cpu"],
        "primed_states_per_second": (first.generated or 0) / cost["primed", "cpu"],
        "tlc_peak": int(theirs["peak"]), "primed_peak": int(ours["peak"]),
        "primed_bytes_per_state": cost["primed", "peak"] / states, "kept_bytes_per_state": first.kept / states,
    }


def line(said):
    return row((said["model"], f"{said['distinct'] or 0:,}", f"{said['tlc_cpu']:.2f}", f"{said['primed_cpu']:.3f}",
                f"{said['cpu_ratio']:.1f}", f"{said['wall_ratio']:.1f}", f"{said['primed_states_per_second']:,.0f}",
                f"{said['tlc_peak'] / 1e6:,.0f}", f"{said['primed_peak'] / 1e6:,.0f}", f"{said['primed_bytes_per_state']:,.0f}",
                f"{said['kept_bytes_per_state']:,.1f}"))


def start(sides, turns, say):
    """What a start costs each side: a model of one state, from the command to the verdict."""
    with tempfile.TemporaryDirectory(prefix="primed-bench-") as folder:
        runs = in_turns(models.trivial(folder), sides, max(turns, 3), 1)
    starts = {name: medians(of) for name, of in runs.items()}
    theirs, ours = starts["tlc"], starts["primed"]
    say({"model": "trivial", "tlc_cpu": theirs["cpu"], "primed_cpu": ours["cpu"], "cpu_ratio": theirs["cpu"] / ours["cpu"],
         "wall_ratio": theirs["wall"] / ours["wall"], "tlc_version": sides["tlc"].version},
        f"TLC {sides['tlc'].version}, {' '.join(sides['tlc'].flags)}, {sides['tlc'].workers} worker(s)\n"
        f"a model of one state, from command to verdict: TLC {theirs['cpu']:.2f} s, Primed {ours['cpu']:.4f} s of CPU, "
        f"ratio {theirs['cpu'] / ours['cpu']:,.0f}; in time {theirs['wall']:.2f} s, {ours['wall']:.4f} s, "
        f"ratio {theirs['wall'] / ours['wall']:,.0f}")
    return starts


def chosen(options, version):
    """The models asked for; those that cannot be measured are named."""
    found = list(models.ours(options.scaling))
    if options.examples:
        if not models.TABLE.exists():
            raise tlc.Trouble(f"--examples needs the table {models.TABLE}")
        libraries = [os.path.abspath(library) for library in options.library]
        found += models.examples(options.examples, options.least, libraries, version)
    if options.only:
        found = [model for model in found if any(part in model.name for part in options.only)]
    for model in (model for model in found if model.skip):
        print(f"skipped: {model.name}: {model.skip}", file=sys.stderr)
    found = [model for model in found if not model.skip]
    if not found:
        raise tlc.Trouble("there is no such model")
    return found


def writer(options):
    """Says things to people, or writes them down as JSON."""
    out = None if not options.json else sys.stdout if options.json == "-" else open(options.json, "w", encoding="utf-8")

    def say(said, text):
        if out:
            print(json.dumps(said), file=out, flush=True)
        if out is not sys.stdout:
            print(text, flush=True)

    return say


def main(options):
    """Measures the models; whether all agree."""
    say, differ, done = writer(options), [], []
    jar, workers, limit = searches.jar(options.tlc_jar), options.workers, options.limit
    sides = {"tlc": searches.Tlc(jar, options.collector, options.tlc_memory, workers, limit),
             "primed": searches.Primed(searches.primed(), workers, limit)}
    starts = start(sides, options.turns, say)
    if options.json != "-":
        print("\n".join(map(row, HEAD)))
    for model in chosen(options, sides["tlc"].version):
        try:
            runs = in_turns(model, sides, options.turns, options.workers)
        except Differs as difference:
            differ.append(model.name)
            say({"model": model.name, "differs": str(difference)}, f"DIFFERS: {model.name}: {difference}")
            continue
        done.append(figures(model, runs, starts))
        say(done[-1], line(done[-1]))
    summary(done, differ, options, say)
    return not differ


def summary(done, differ, options, say):
    """The geometric means, and what differed."""
    if done:
        cpu, wall = (statistics.geometric_mean([d[key] for d in done]) for key in ("cpu_ratio", "wall_ratio"))
        least = min(done, key=lambda d: d["cpu_ratio"])
        say({"models": len(done), "cpu_ratio": cpu, "wall_ratio": wall, "least_cpu_ratio": least["cpu_ratio"],
             "least": least["model"], "differ": differ},
            f"{len(done)} models, geometric mean of the ratios: CPU {cpu:.1f}, wall {wall:.1f}; least CPU ratio "
            f"{least['cpu_ratio']:.1f} ({least['model']})\n"
            f"Medians of {options.turns} turn(s), less what a start costs; the peaks are those of the whole processes.")
    if differ:
        print(f"{len(differ)} differ: {', '.join(differ)}", file=sys.stderr)


def scaling(options):
    """Primed with one worker and with several, in turns, in time; whether the counts are the same."""
    say, ratios, good = writer(options), [], True
    program = searches.primed()
    many = max(options.workers, 2)
    sides = {workers: searches.Primed(program, workers, options.limit) for workers in (1, many)}
    for model in chosen(options, ""):
        runs = {workers: [] for workers in sides}
        for _ in range(options.turns):
            for workers, side in sides.items():
                runs[workers].append(side.search(model))
        alone, shared = medians(runs[1]), medians(runs[many])
        same = len({str(run.answer(2)) for side in runs.values() for run in side}) == 1
        good &= same
        ratio = alone["wall"] / shared["wall"]
        ratios.append(ratio)
        say({"model": model.name, "same": same, "workers": many, "wall_1": alone["wall"], "wall": shared["wall"],
             "ratio": ratio, "cpu_1": alone["cpu"], "cpu": shared["cpu"]},
            f"{'' if same else 'DIFFERS: '}{model.name[:25]:26}1 worker {alone['wall']:7.2f} s, {many} workers "
            f"{shared['wall']:7.2f} s: {ratio:.2f} times as fast, with {shared['cpu'] / alone['cpu']:.2f} times the CPU")
    mean = statistics.geometric_mean(ratios)
    load = os.getloadavg()[0]
    say({"models": len(ratios), "ratio": mean, "load": load},
        f"geometric mean {mean:.2f}; load of the machine {load:.1f} on {os.cpu_count()} processors "
        f"(a load of more than {many}: not to be trusted)")
    return good


def collectors(options):
    """TLC alone with each of Java's collectors, in turns, in CPU seconds."""
    say, found = writer(options), []
    jar = searches.jar(options.tlc_jar)
    names, workers = ("Serial", "Parallel", "G1"), options.workers
    sides = {name: searches.Tlc(jar, name, options.tlc_memory, workers, options.limit) for name in names}
    for model in chosen(options, ""):
        runs = {name: [] for name in sides}
        for _ in range(options.turns):
            for name, side in sides.items():
                runs[name].append(side.search(model))
        cost = {name: medians(of) for name, of in runs.items()}
        found.append({name: of["cpu"] for name, of in cost.items()})
        say({"model": model.name, **cost}, f"{model.name[:25]:26}" + ", ".join(
            f"{name} {of['cpu']:.2f} s of CPU, {of['peak'] / 1e6:.0f} MB" for name, of in cost.items()))
    means = {name: statistics.geometric_mean([f[name] / f["Serial"] for f in found]) for name in sides}
    said = ", ".join(f"{name} {mean:.2f}" for name, mean in means.items())
    say(means, f"CPU seconds as parts of the serial collector's: {said}")
    return True
