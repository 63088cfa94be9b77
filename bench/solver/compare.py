#!/usr/bin/env python3
"""Runs solvers side by side on SMT-LIB 2 files and compares answers and times.

    bench/solver/compare.py --goalkeeper build/goalkeeper --seconds 24 DIR_OR_FILE...

For every file each solver gets the same wall-clock limit, one after the other, so that a busy
machine slows all of them alike. Z3 and Bitwuzla take part when they are installed. Contradicting
answers, and answers that contradict (set-info :status), end the run with exit code 5.
The problems of the griggio family are not part of this repository; see README.md beside this file.
"""
import argparse
import math
import pathlib
import re
import shutil
import subprocess
import sys
import time


def solvers(args):
    rows = [("goalkeeper", [args.goalkeeper, "solve", "--seconds", str(args.seconds)])]
    if shutil.which("z3") and not args.alone:
        rows.append(("z3", ["z3", "-T:%d" % math.ceil(args.seconds)]))
    if shutil.which("bitwuzla") and not args.alone:
        rows.append(("bitwuzla", ["bitwuzla", "-t", str(int(args.seconds * 1000))]))
    return rows


def run(command, path, seconds):
    start = time.monotonic()
    try:
        done = subprocess.run(command + [str(path)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=seconds + 5, text=True)
        answers = [a for a in done.stdout.split() if a in ("sat", "unsat", "unknown")]
        answer = answers[0] if answers else "error"
        if done.returncode not in (0, 1) and answer == "error":
            answer = "crash %d" % done.returncode
    except subprocess.TimeoutExpired:
        answer = "unknown"
    return answer, time.monotonic() - start


def status_of(path):
    found = re.search(r":status\s+(sat|unsat)", path.read_text(errors="replace"))
    return found.group(1) if found else None


def problems(paths):
    files = []
    for p in map(pathlib.Path, paths):
        files += sorted(p.rglob("*.smt2")) if p.is_dir() else [p]
    return files


def report(names, results, seconds):
    print()
    for name in names:
        rows = [r[name] for r in results]
        solved = [t for a, t in rows if a in ("sat", "unsat")]
        print("%-11s solved %3d of %3d (%d sat, %d unsat), %.1f s on the solved ones" % (
            name, len(solved), len(rows), sum(a == "sat" for a, _ in rows),
            sum(a == "unsat" for a, _ in rows), sum(solved)))
    for other in names[1:]:
        ratios = [max(r[other][1], 0.001) / max(r[names[0]][1], 0.001) for r in results
                  if r[other][0] in ("sat", "unsat") or r[names[0]][0] in ("sat", "unsat")]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print("%s needs %.2f times the time of %s (geometric mean over %d files, limit %g s)" %
                  (other, mean, names[0], len(ratios), seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--goalkeeper", default="build/goalkeeper")
    parser.add_argument("--seconds", type=float, default=24)
    parser.add_argument("--alone", action="store_true", help="only goalkeeper")
    parser.add_argument("paths", nargs="+")
    args = parser.parse_args()
    rows, results, contradictions = solvers(args), [], 0
    for path in problems(args.paths):
        result = {name: run(command, path, args.seconds) for name, command in rows}
        results.append(result)
        answers = {a for a, _ in result.values()} | {status_of(path)}
        wrong = {"sat", "unsat"} <= answers
        contradictions += wrong
        print("%-40s %s%s" % (path.name, "  ".join(
            "%s %-7s %7.3f" % (n, a, t) for n, (a, t) in result.items()),
            "  CONTRADICTION" if wrong else ""), flush=True)
    report([name for name, _ in rows], results, args.seconds)
    return 5 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
