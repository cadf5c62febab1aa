"""The command `fusescope`."""

from __future__ import annotations

import os
import runpy
import sys

from .capture import Refused
from .report import Recorded, clean, files_of, report, table

USAGE = """usage: fusescope COMMAND

    run [OPTIONS] SCRIPT [ARGUMENTS]        record a script (or -m MODULE) and report what matched and what nearly did
    report FILE...                          the same report for recordings, or for a folder of them: ranks in one table
    baseline FILE...                        how often each pass matched on each graph, as a text file for review
    check FILE... --baseline FILE [--junit OUT] [--markdown OUT]
                                            compare recordings of a new run with it; exit status 1 if matches are lost
    show FILE [--pattern FILE] [--port N] [--no-browser] [--html OUT]
                                            open a recording, a graph or any dump in Fusescope, or write it to one HTML file

`fusescope run --help` lists the options of run. The command line of Node (fusescope match, explain, export, …) is another
program; a recording opens in both."""


def _report_all(paths: list[str]) -> int:
    print(report(*files_of(paths)))
    return 0


def _after_run(files: list[str]) -> None:
    """The recorder's own last lines name the files; this says what is in them."""
    readable = []
    for path in files:
        try:
            readable.append(Recorded(path))
        except Refused as e:
            print(f"fusescope: {clean(str(e))}", file=sys.stderr)
    if readable:
        print(table(readable), file=sys.stderr)


def _run(argv: list[str]) -> int:
    # As `python -m fusescope_capture` runs: its options are read before PyTorch is imported.
    sys.argv[:] = ["fusescope run", *argv]
    runpy.run_module("fusescope_capture", {"after_run": _after_run}, run_name="__main__", alter_sys=True)
    return 0


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    command, rest = (argv[0], argv[1:]) if argv else ("--help", [])
    try:
        if command == "run":
            return _run(rest)
        if command == "report" and rest:
            return _report_all(rest)
        if command in ("baseline", "check"):
            from .baseline import command as baseline_command

            return baseline_command(command, rest)
        if command == "show":
            from .shown import command as show_command

            return show_command(rest)
        if command in ("-h", "--help", "help"):
            print(USAGE)
            return 0
        what = "report needs a recording after it" if command == "report" else f"there is no command {command}"
        raise Refused(f"{what}; fusescope --help lists all.")
    except Refused as e:
        print(f"fusescope: {clean(str(e))}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # `fusescope report FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter flushes once more at its end
        return 141
