"""Builds the class zoo as the package does not, and compares the counts of its classes under `tracer-server run`.

Usage: python check.py TRACER_SERVER FOLDER

FOLDER gets the products of the compiler, `swiftc` on PATH. Prints one line for each check, and then
`class-kinds: N passed, N failed`.
"""

import argparse
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "Checks"))
from checks import Checks
from traced_program import TracedProgram

ZOO = TESTS / "ClassZoo"
# In the order of their imports.
MODULES = {"ClassZooNeighbour": "Neighbour", "ClassZooKinds": "Kinds", "ClassZoo": "Program"}

# The package builds whole modules, unoptimised or with the optimiser's default limits between modules.
MODES = {
    "-Onone, file by file": ["-Onone", "-no-whole-module-optimization"],
    "-O, file by file": ["-O", "-no-whole-module-optimization"],
    "-O, whole modules": ["-O", "-whole-module-optimization", "-disable-cmo"],
    "-O, across modules": ["-O", "-whole-module-optimization", "-cross-module-optimization"],
}
# The class whose instances the optimiser places on the stack, and how many the zoo creates.
STACK_CANDIDATES = ("OnStack", 1000)


class Zoo:
    """A build of the zoo: the program, and the library that the program loads when it runs."""

    def __init__(self, folder, options):
        self.program, self.guest = folder / "class-zoo", folder / "libGuest.so"
        self._options = ["-swift-version", "6", "-parse-as-library", "-I", str(folder), *options]
        self._folder = folder

    def build(self):
        """Compiles and links; returns what the compiler says if it fails."""
        return self._compile_modules() or self._run(
            [*self._options, "-emit-library", str(ZOO / "Guest" / "Guest.swift"), "-o", str(self.guest)], self._folder)

    def _compile_modules(self):
        objects = []
        for module, part in MODULES.items():
            # The compiler names the object files after the sources, and writes them into the working directory.
            products = self._folder / part
            products.mkdir(parents=True)
            failure = self._run(
                [*self._options, "-module-name", module, "-emit-module", "-emit-module-path",
                 str(self._folder / f"{module}.swiftmodule"), "-emit-object",
                 *sorted(map(str, (ZOO / part).glob("*.swift")))], products)
            if failure:
                return failure
            objects += sorted(map(str, products.glob("*.o")))
        return self._run([*objects, "-o", str(self.program)], self._folder)

    @staticmethod
    def _run(arguments, folder):
        compiler = subprocess.run(
            ["swiftc", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return compiler.stdout.splitlines()[-20:] or ["the compiler says nothing"] if compiler.returncode else []


def expected_counts(lines):
    """The instances of each class that were born and that live, as the zoo knows from its own code."""
    counts = {}
    for line in lines:
        if line.startswith("class "):
            name, born, live = line.removeprefix("class ").rsplit(" ", 2)
            before = counts.get(name, (0, 0))
            counts[name] = (before[0] + int(born), before[1] + int(live))
    return counts


def check_counts(checks, mode, program):
    """Compares the counts of the page with those that the zoo knows."""
    lines = program.wait_for_line("ready")
    expected = expected_counts(lines)
    kinds = {kind["name"]: kind for kind in program.get("/api/v1/types?limit=500")["types"]}
    differences = []
    for name, (born, live) in expected.items():
        seen = tuple(kinds[name][number] if name in kinds else 0 for number in ("born", "live", "died"))
        if seen != (born, live, born - live):
            differences.append(f"{name}: {born} born and {live} live; the page says born, live and died: {seen}")
    checks.check(
        f"{mode}: {len(expected)} classes are counted exactly", len(expected) >= 40 and not differences, differences)
    on_stack, created = STACK_CANDIDATES
    others = set(kinds) - set(expected) - {on_stack}
    checks.none(f"{mode}: closures, boxes and classes of others are not counted", sorted(others))
    checks.check(f"{mode}: children of fork do not fail", "children that failed: 0" in lines, lines[-5:])
    check_health(checks, mode, program.get("/healthz")["classes"], kinds.get(on_stack, {"born": 0})["born"], created)


def check_health(checks, mode, health, on_heap, created):
    """Checks the numbers of the hooks."""
    checks.check(
        f"{mode}: the program and the library that it has loaded are traced",
        health["traced"] and health["images"] == 2 and health["refusedImages"] == 0, [health])
    checks.check(f"{mode}: no death is unknown", health["unknownDeaths"] == 0, [health])
    on_stack = health["stackInstances"]
    is_optimised = not mode.startswith("-Onone")
    checks.check(
        f"{mode}: {on_stack} of {created} local objects are on the stack, {on_heap} on the heap",
        on_heap + on_stack == created and (on_stack > 0) == is_optimised, [health])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tracer_server", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    checks = Checks()
    for number, (mode, compiler_options) in enumerate(MODES.items()):
        zoo = Zoo(options.folder / str(number), compiler_options)
        failure = zoo.build()
        checks.none(f"{mode}: the zoo is built", failure)
        if failure:
            continue
        run = [str(options.tracer_server), "run", "--listen", "127.0.0.1:0", "--"]
        words = ["fork", "50", "load", str(zoo.guest)]
        with TracedProgram([str(zoo.program), *words], run) as program:
            check_counts(checks, mode, program)
    return checks.conclude("class-kinds")


if __name__ == "__main__":
    raise SystemExit(main())
