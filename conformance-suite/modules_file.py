"""`modules.txt`: many small modules in one file, each below a header, as README.md tells."""

import os
import re

import tlc_2_15 as tlc

HEADER = re.compile(r"^%% (\S+)(?: +(.*?))? *$")
# What is not UTF-8 stays as it is.
BYTES = {"encoding": "utf-8", "errors": "surrogateescape"}


def read_modules(path):
    """The blocks of a file of modules: [name, words of the header after the name, text]. The words of a file that is
    only there for others are ["file"]."""
    blocks = []
    with open(path, newline="", **BYTES) as file:
        for number, line in enumerate(file, 1):
            header = HEADER.match(line.rstrip("\n"))
            if header:
                name, words = header.group(1), (header.group(2) or "").split()
                if name in (block[0] for block in blocks):
                    raise tlc.Trouble(f"{path}:{number}: a second module {name}")
                blocks.append([name, words, ""])
            elif blocks:
                blocks[-1][2] += line
            elif line.strip() and not line.startswith("#"):
                raise tlc.Trouble(f"{path}:{number}: text before the first header")
    return blocks


def write_out(blocks, folder):
    """Writes each module to a file of its own."""
    for name, _, text in blocks:
        with open(os.path.join(folder, name + ".tla"), "w", newline="", **BYTES) as file:
            file.write(text)
