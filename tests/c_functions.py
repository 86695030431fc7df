"""Functions of Python translated to C, compiled without a warning, and called from Python."""

import ast
import ctypes
import shutil
import subprocess
from textwrap import dedent

import pytest

from perfectplay.compiler.c.c_rules import Program, analysed
from perfectplay.compiler.intervals.interval import Interval

WORD = Interval(0, (1 << 20) - 1)

needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")


def translated(source, ranges, names):
    """The program in C of functions in Python, called with numbers in these ranges, and the functions."""
    trees = ast.parse(dedent(source)).body
    rules, roots = analysed(trees, lambda rules: [rules.call(name, ranges)[0] for name in names])
    return Program("t", rules, roots), roots


def compiled(tmp_path, source, ranges, names, *more):
    """For each name its function in C, as Python calls it."""
    program, roots = translated(source, ranges, names)
    lines = ["#include <stdint.h>", *program.lines()]
    for name, root in zip(names, roots, strict=True):
        given = [argument.arg for argument in root.tree.args.args]
        kept = ", ".join(one for one in given if one in program.kept[root])
        unused = "".join(f" (void){one};" for one in given if one not in program.kept[root])
        parameters = ", ".join(f"int64_t {one}" for one in given)
        member = ".a + 1000 * " + f"{program.name(root)}({kept}).b" if isinstance(root.result, tuple) else ""
        lines += [
            f"int64_t {name}_c({parameters});",
            f"int64_t {name}_c({parameters}) {{{unused} return {program.name(root)}({kept}){member}; }}",
        ]
    file, library = tmp_path / "rules.c", tmp_path / "rules.so"
    file.write_text("\n".join(lines))
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Os", "-fsanitize=undefined", "-fno-sanitize-recover"]
    flags = [*flags, "-fsanitize-undefined-trap-on-error", "-shared", "-fPIC", *more]
    done = subprocess.run(["gcc", *flags, file, "-o", library], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = ctypes.CDLL(str(library))
    found = {}
    for name in names:
        function = loaded[f"{name}_c"]
        function.restype = ctypes.c_int64
        function.argtypes = [ctypes.c_int64] * len(ranges)
        found[name] = function
    return found


def in_python(source):
    """The functions as Python has them."""
    names = {}
    exec(dedent(source), names)
    return names
