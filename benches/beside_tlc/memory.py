"""Bytes that each side keeps of a state."""

import contextlib
import statistics
import threading

from beside_tlc import ratios, searches

# A file of TLC's queue holds so many states (tlc2.tool.queue.DiskStateQueue); those that are still being written hold fewer.
IN_FILE = 8192
# TLC's name of a state.
FINGERPRINT = 8

WIDTHS = (26, 11, 10, 9, 9, 9, 9, 9, 9)
HEAD = (("model", "distinct", "longest", "states", "values", "queue", "Primed", "TLC", "Primed"),
        ("", "states", "queue", "B/state", "B/state", "B/state", "B/state", "B/state", "/ TLC"))


class QueueFiles:
    """Looks at the files of TLC's queue while it runs."""

    def __init__(self):
        self.largest = 0

    @contextlib.contextmanager
    def __call__(self, folder):
        ended = threading.Event()

        def look():
            while not ended.wait(0.05):
                for file in folder.glob("*/[0-9]*"):
                    # Files come and go; others have longer names.
                    with contextlib.suppress(OSError):
                        if file.name.isdigit():
                            self.largest = max(self.largest, file.stat().st_size)

        looking = threading.Thread(target=look)
        looking.start()
        try:
            yield
        finally:
            ended.set()
            looking.join()


def figures(model, theirs, ours, files):
    states, memory = ours.distinct or 1, ours.memory
    in_queue = files.largest / IN_FILE
    tlc = FINGERPRINT + in_queue * memory["queued"] / states
    return {"model": model.name, "distinct": ours.distinct, "queued": memory["queued"], "tlc_bytes_in_queue": in_queue or None,
            **{what: memory[what] / states for what in ("states", "values", "queue")},
            "primed": ours.kept / states, "tlc": tlc, "ratio": ours.kept / states / tlc}


def line(said):
    # Without a file the queue never left TLC's memory.
    unknown = "" if said["tlc_bytes_in_queue"] else "+"
    return ratios.row((said["model"], f"{said['distinct'] or 0:,}", f"{said['queued']:,}",
                       *(f"{said[what]:.1f}" for what in ("states", "values", "queue", "primed")), f"{said['tlc']:.1f}{unknown}",
                       f"{said['ratio']:.2f}"), WIDTHS)


def main(options):
    """Prints the bytes; whether both sides agree on every model."""
    say, good, done = ratios.writer(options), True, []
    jar = searches.jar(options.tlc_jar)
    tlc = searches.Tlc(jar, options.collector, options.tlc_memory, 1, options.limit)
    primed = searches.Primed(searches.primed(), 1, options.limit)
    if options.json != "-":
        print("\n".join(ratios.row(cells, WIDTHS) for cells in HEAD))
    for model in ratios.chosen(options, ""):
        files = QueueFiles()
        theirs, ours = tlc.search(model, files), primed.search(model)
        try:
            ratios.compare(model, theirs, ours, 1)
        except ratios.Differs as difference:
            good = False
            say({"model": model.name, "differs": str(difference)}, f"DIFFERS: {model.name}: {difference}")
            continue
        done.append(figures(model, theirs, ours, files))
        say(done[-1], line(done[-1]))
    if done:
        mean = statistics.geometric_mean([said["ratio"] for said in done])
        fewer = sum(said["ratio"] <= 1 for said in done)
        say({"models": len(done), "ratio": mean, "no_more": fewer},
            f"{len(done)} models, {fewer} with no more bytes than TLC; geometric mean of the ratios {mean:.2f}\n"
            "+: the queue was never long enough for TLC to write it to a file; only the fingerprint is counted")
    return good
