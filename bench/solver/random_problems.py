#!/usr/bin/env python3
"""Writes random SMT-LIB 2 problems over floats, bit-vectors and Booleans.

    bench/solver/random_problems.py --count 500 --seed 7 --kind fp|bv|mixed OUTPUT_DIR

Each problem is a conjunction of comparisons over a random DAG, with constants at the corners of
the formats. compare.py then runs solvers on the folder and finds contradictions.
"""
import argparse
import pathlib
import random

FORMATS = {"f32": (8, 24), "f64": (11, 53)}


class Problem:
    def __init__(self, rng, kind):
        self.rng = rng
        self.lines = ["(set-logic QF_BVFP)"]
        self.terms = {}
        self.count = 0
        floats = ["f32"] if rng.random() < 0.8 else ["f32", "f64"]
        vectors = [rng.choice([4, 8, 16, 32, 64])] if kind == "bv" else [rng.choice([8, 16, 32])]
        if kind == "bv" and rng.random() < 0.4:
            vectors.append(rng.choice([4, 8, 16, 32]))
        self.sorts = (floats if kind != "bv" else []) + (vectors if kind != "fp" else [])
        self.ops = {}

    def sort_text(self, sort):
        if isinstance(sort, int):
            return "(_ BitVec %d)" % sort
        return "Bool" if sort == "bool" else "(_ FloatingPoint %d %d)" % FORMATS[sort]

    def declare(self, sort):
        self.count += 1
        name = "x%d" % self.count
        self.lines.append("(declare-const %s %s)" % (name, self.sort_text(sort)))
        self.terms.setdefault(sort, []).append(name)

    def define(self, sort, text):
        self.count += 1
        name = "t%d" % self.count
        self.lines.append("(define-fun %s () %s %s)" % (name, self.sort_text(sort), text))
        self.terms.setdefault(sort, []).append(name)

    def constant(self, sort):
        rng = self.rng
        if isinstance(sort, int):
            value = rng.choice([0, 1, 2, 3, 5, 1 << (sort - 1), (1 << (sort - 1)) - 1, -1, -2,
                                rng.getrandbits(sort), 1 << rng.randrange(sort)])
            return "(_ bv%d %d)" % (value % (1 << sort), sort)
        eb, sb = FORMATS[sort]
        pick = rng.randrange(10)
        if pick == 0:
            return "(_ %s %d %d)" % (rng.choice(["+oo", "-oo", "+zero", "-zero", "NaN"]), eb, sb)
        if pick < 8:
            value = rng.choice(["0.0", "1.0", "0.5", "2.0", "0.1", "3.0", "10.0", "100.0", "1.5",
                                "%d.%d" % (rng.randrange(1000), rng.randrange(100))])
            value = "(- %s)" % value if rng.random() < 0.4 else value
            return "((_ to_fp %d %d) RNE %s)" % (eb, sb, value)
        return "(fp #b%s #b%s #b%s)" % (rng.randrange(2),
                                        format(rng.getrandbits(eb), "0%db" % eb),
                                        format(rng.getrandbits(sb - 1), "0%db" % (sb - 1)))

    def any(self, sort):
        if self.rng.random() < 0.2 or not self.terms.get(sort):
            return self.constant(sort)
        return self.rng.choice(self.terms[sort])

    def grow(self):
        rng = self.rng
        sort = rng.choice(self.sorts)
        x, y = self.any(sort), self.any(sort)
        if isinstance(sort, int):
            self.define(*self.vector_term(sort, x, y))
        else:
            self.define(*self.float_term(sort, x, y))

    def vector_term(self, sort, x, y):
        rng = self.rng
        pick = rng.randrange(14)
        if pick == 0:
            other = rng.choice(self.sorts)
            if not isinstance(other, int):
                signed = rng.choice(["to_fp", "to_fp_unsigned"])
                return other, "((_ %s %d %d) RNE %s)" % ((signed,) + FORMATS[other] + (x,))
            if other > sort:
                return other, "((_ %s %d) %s)" % (rng.choice(["zero_extend", "sign_extend"]),
                                                   other - sort, x)
            if other < sort:
                low = rng.randrange(sort - other + 1)
                return other, "((_ extract %d %d) %s)" % (low + other - 1, low, x)
        if pick == 1:
            return sort, "(%s %s)" % (rng.choice(["bvneg", "bvnot"]), x)
        if pick == 2:
            return sort, "((_ %s %d) %s)" % (rng.choice(["rotate_left", "rotate_right"]),
                                              rng.randrange(sort), x)
        if pick == 3:
            return sort, "(ite (bvslt %s %s) %s %s)" % (x, y, self.any(sort), self.any(sort))
        op = rng.choice("bvadd bvadd bvsub bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr "
                        "bvashr bvand bvor bvxor bvnand bvnor bvxnor".split())
        return sort, "(%s %s %s)" % (op, x, y)

    def float_term(self, sort, x, y):
        rng = self.rng
        pick = rng.randrange(20)
        if pick == 0:
            return sort, "(fp.roundToIntegral %s %s)" % (
                rng.choice(["RNE", "RNA", "RTP", "RTN", "RTZ"]), x)
        if pick == 1:
            return sort, "(fp.sqrt RNE %s)" % x
        if pick in (2, 3):
            return sort, "(%s %s)" % (rng.choice(["fp.neg", "fp.abs"]), x)
        if pick == 4:
            return sort, "(%s %s %s)" % (rng.choice(["fp.min", "fp.max"]), x, y)
        if pick == 5:
            return sort, "(ite (fp.lt %s %s) %s %s)" % (x, y, self.any(sort), self.any(sort))
        if pick == 6:
            other = rng.choice(self.sorts)
            if isinstance(other, int):
                return other, "((_ %s %d) RTZ %s)" % (
                    rng.choice(["fp.to_sbv", "fp.to_ubv"]), other, x)
            if other != sort:
                return other, "((_ to_fp %d %d) RNE %s)" % (FORMATS[other] + (x,))
        op = rng.choice("fp.add fp.add fp.sub fp.sub fp.mul fp.mul fp.div".split())
        return sort, "(%s RNE %s %s)" % (op, x, y)

    def atom(self):
        rng = self.rng
        sort = rng.choice(self.sorts)
        x, y = self.any(sort), self.any(sort)
        if isinstance(sort, int):
            op = rng.choice("= = distinct bvult bvule bvslt bvsle bvuge bvsgt".split())
        elif rng.random() < 0.15:
            return "(%s %s)" % (rng.choice(["fp.isNaN", "fp.isZero", "fp.isNegative", "fp.isNormal",
                                            "fp.isSubnormal", "fp.isInfinite", "fp.isPositive"]), x)
        else:
            op = rng.choice("fp.eq fp.lt fp.leq fp.gt fp.geq = distinct".split())
        return "(%s %s %s)" % (op, x, y)

    def clause(self):
        atoms = [self.atom() if self.rng.random() < 0.8 else "(not %s)" % self.atom()
                 for _ in range(self.rng.choice([1, 1, 2, 3]))]
        return atoms[0] if len(atoms) == 1 else "(or %s)" % " ".join(atoms)

    def text(self):
        rng = self.rng
        for _ in range(rng.randrange(1, 5)):
            self.declare(rng.choice(self.sorts))
        for _ in range(rng.randrange(1, 10)):
            self.grow()
        for _ in range(rng.randrange(1, 6)):
            self.lines.append("(assert %s)" % self.clause())
        return "\n".join(self.lines + ["(check-sat)", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=["fp", "bv", "mixed"], default="mixed")
    parser.add_argument("output")
    args = parser.parse_args()
    folder = pathlib.Path(args.output)
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(args.count):
        rng = random.Random("%d %d %s" % (args.seed, i, args.kind))
        name = "%s_%d_%05d.smt2" % (args.kind, args.seed, i)
        (folder / name).write_text(Problem(rng, args.kind).text())


if __name__ == "__main__":
    main()
