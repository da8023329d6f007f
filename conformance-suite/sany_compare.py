"""Primed's analysis beside the real SANY's (of TLC 2.15): one Java process reads many files, and both answers are compared."""

import json
import os
import re
import subprocess

import sany_2_15
import tlc_2_15

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "..", "target", "release", "primed")
PLACE = re.compile(r"^(line \d+, col \d+ to line \d+, col \d+) of module (\w+)$", re.M)
UNESCAPED = {"n": "\n", "t": "\t"}


def files_below(folders):
    """Every .tla file below folders, and files named themselves."""
    for folder in folders:
        if os.path.isfile(folder):
            yield os.path.abspath(folder)
        for parent, _, names in os.walk(folder):
            yield from (os.path.abspath(os.path.join(parent, n)) for n in names if n.endswith(".tla"))


def java_command(libraries, jar=None):
    """The process that answers for every line of its input: a file and, after tabs, its own further folders."""
    jar = jar or str(tlc_2_15.installed_jar())
    return ["java", "-Xss16m", "-XX:+UseSerialGC", "-cp", jar, os.path.join(HERE, "SanyVerdicts.java"), *libraries]


def ask_sany(lines, libraries, jar=None):
    """SANY's verdict and words for each line, in order."""
    answers, todo = [], list(lines)
    while todo:
        done = subprocess.run(java_command(libraries, jar), input="\n".join(todo) + "\n", capture_output=True, text=True,
                              check=False, encoding="utf-8", errors="replace")
        found = []
        for line in done.stdout.split("\n"):
            cells = line.split("\t")
            if len(cells) == 3:
                found.append((cells[1], re.sub(r"\\(.)", lambda m: UNESCAPED.get(m[1], m[1]), cells[2])))
        # A file on which SANY ends the whole process is no verdict; the rest is asked again.
        if len(found) < len(todo):
            found.append(("EXC", done.stderr[-2000:]))
        answers += found
        todo = todo[len(found):]
    return answers


def ask_primed(program, path, libraries):
    """Primed's verdict, and its complaints as `primed sany --json` gives them."""
    command = [program, "sany", "--json", "-", "--error-codes"]
    for library in libraries:
        command += ["--library", library]
    try:
        done = subprocess.run([*command, path], capture_output=True, text=True, check=False, timeout=60)
        answer = json.loads(done.stdout)
    except (ValueError, subprocess.TimeoutExpired) as trouble:
        return "BROKEN", [{"code": 0, "severity": "error", "message": str(trouble), "module": "", "line": 0, "column": 0,
                           "end_line": 0, "end_column": 0}]
    return answer["verdict"], answer["diagnostics"]


def told(complaints):
    """The first errors on one line."""
    errors = [d for d in complaints if d["severity"] == "error"]
    said = "; ".join(f"{d['code']} {d['module']}:{d['line']}:{d['column']} {d['message']}" for d in errors[:3])
    return said.replace("\n", " ")


def sany_codes(said, root):
    """Codes with their places of the errors that SANY told; None if it used words that the table of codes does not have."""
    try:
        messages = sany_2_15.messages(said, root)
    except tlc_2_15.Trouble:
        return None
    found = set()
    for code, line, column, module in messages:
        if code not in sany_2_15.WARNINGS:
            found.add((4205 if code == 4273 else code, line, column, module or root))
    return found


def primed_codes(complaints, root):
    """The same of Primed's complaints."""
    return {(4205 if d["code"] == 4273 else d["code"], d["line"], d["column"], d["module"] or root)
            for d in complaints if d["severity"] == "error"}
