"""The models that are measured: the conformance suite's `bench/`, and the slow ones of a checkout of tlaplus/Examples."""

import csv
import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = ROOT / "conformance-suite" / "bench"
# What the newest TLC took for each of the examples; no part of this repository.
TABLE = ROOT.parent / "shared" / "facts" / "examples.tsv"
TRIVIAL = "---- MODULE Trivial ----\nVARIABLE x\nInit == x = 0\nNext == x' = x\n====\n"


@dataclass
class Model:
    """A specification with its configuration. `recorded` is what the real TLC is known to answer."""
    name: str
    spec: Path
    config: str
    arguments: list
    libraries: list = field(default_factory=list)
    recorded: dict = field(default_factory=dict)
    skip: str = ""


def ours(longest=False):
    """The larger configurations of the conformance suite, or those that take Primed a second and more."""
    for file in sorted(OURS.glob("*/case.json")):
        case, folder = json.loads(file.read_text(encoding="utf-8")), file.parent
        size = "long" if longest and "long" in case else "large"
        recorded = folder / f"{size}.json"
        yield Model(folder.name, folder / case["spec"], case[size], case.get("arguments", []),
                    recorded=json.loads(recorded.read_text(encoding="utf-8")) if recorded.exists() else {})


def examples(folder, least, libraries, version):
    """Rows of the table that took TLC so many CPU seconds. Those that this TLC cannot do carry the reason."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        if not row["tlc_cpu"] or float(row["tlc_cpu"]) < least:
            continue
        arguments = shlex.split(row["args"])
        if "-lncheck" in arguments:
            del arguments[(at := arguments.index("-lncheck")):at + 2]
        recorded = {key: int(row[key]) for key in ("exit", "generated", "distinct", "depth") if row[key]}
        spec = Path(folder, row["dir"], row["spec"] + ".tla").resolve()
        name = f"{Path(row['dir']).name}/{Path(row['cfg']).stem}"
        model = Model(name, spec, row["cfg"], arguments, libraries, recorded)
        if not model.spec.exists():
            model.skip = f"{model.spec} does not exist"
        elif "pluscal" in row["features"] and "BEGIN TRANSLATION" not in model.spec.read_text(encoding="utf-8"):
            model.skip = "its PlusCal is not translated"
        elif version == "2.15" and row["tlc215"] == "no":
            model.skip = "TLC 2.15 answers otherwise, or cannot read it; give a newer one with --tlc-jar"
        yield model


def trivial(folder):
    """A model of one state: what a start costs."""
    Path(folder, "Trivial.tla").write_text(TRIVIAL, encoding="utf-8")
    Path(folder, "Trivial.cfg").write_text("INIT Init\nNEXT Next\n", encoding="utf-8")
    return Model("trivial", Path(folder, "Trivial.tla"), "Trivial.cfg", ["-deadlock"])
