"""Runs programs of the Swift toolchain alone and under `tracer-server run`, and compares.

Usage: python check.py TRACER_SERVER BIN [--full]

BIN is the folder with the programs of the toolchain. Prints one line for each check, and then
`toolchain: N passed, N failed`. With --full, more work is done, and the user times are compared.
"""

import argparse
import hashlib
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Checks"))
from checks import Checks
from language_server import SOURCE, answers_of_a_session
from traced_program import TracedProgram, doubts_about_counts

ROOT = Path(__file__).resolve().parents[2]

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "shelf",
    targets: [
        .target(name: "Shelves"), .executableTarget(name: "shelf", dependencies: ["Shelves"]),
        .testTarget(name: "ShelvesTests", dependencies: ["Shelves"]),
    ])
"""
LIBRARY = """\
public final class Shelf {
    public private(set) var books: [String] = []
    public var neighbour: Shelf?

    public init() {}

    public func add(_ book: String) {
        books.append(book)
    }
}
"""
PROGRAM = """\
import Shelves

let shelf = Shelf()
shelf.add("Ulysses")
print(shelf.books.count)
"""


TESTS = """\
import Shelves
import Testing

@Test func neighboursHoldEachOther() {
    let (first, second) = (Shelf(), Shelf())
    first.neighbour = second
    second.neighbour = first
    #expect(first.neighbour === second)
}
"""


def check_same(checks, what, alone, run):
    """Checks that two outcomes are equal, part by part."""
    differences = [
        f"{name}: alone {shortened(alone[name])}, with run {shortened(run[name])}"
        for name in alone if alone[name] != run.get(name)
    ]
    checks.check(what, alone and not differences, differences)


def shortened(value):
    text = repr(value)
    return text if len(text) < 400 else f"{text[:300]}… ({len(text)} characters)"


def files_below(folder):
    """The digests of all files by path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }


class Toolchain:
    """The programs of the toolchain, and the checks of each."""

    def __init__(self, checks, tracer_server, programs, folder, full):
        self._checks, self._folder, self._full = checks, folder, full
        self._programs = programs
        self._run = [str(tracer_server), "run", "--listen", "127.0.0.1:0"]

    def _tool(self, name):
        return str(self._programs / name)

    def _outcomes(self, name, command, environment=None, between=lambda: None):
        """Runs a command alone, then under `run`, where its page stays until it has been read."""
        with TracedProgram(command, environment=environment) as program:
            alone = outcome(program)
        between()
        with TracedProgram(command, [*self._run, "--stay", "--"], environment=environment) as program:
            program.wait_until_it_stays()
            self._check_counts(name, program)
            program.process.terminate()
            run = outcome(program)
        return alone, run

    def _check_counts(self, name, program):
        doubts = doubts_about_counts(program)
        self._checks.check(f"{name}: the page is up, as many instances are listed as counted", not doubts, doubts)
        if not doubts:
            figures = ", ".join(f"{value:,} {what}" for what, value in program.figures.items())
            print(f"            {figures}", flush=True)

    def check_format(self):
        """Formats files of this package."""
        files = sorted(str(path) for top in ("Sources", "Tests") for path in (ROOT / top).rglob("*.swift"))
        files = files[:200 if self._full else 60]
        command = [self._tool("swift-format"), "format", *files]
        alone, run = self._outcomes("swift-format", command)
        check_same(self._checks, f"swift-format: the same output for {len(files)} files", alone, run)
        self._checks.check("swift-format: it has formatted them", alone["status"] == 0 and alone["output"])
        if self._full:
            self._compare_times(command)

    def _compare_times(self, command):
        """Prints the ratios of the user times of interleaved runs."""
        starts = {"alone": [], "run": self._run, "--stacks": [*self._run, "--stacks"]}
        ratios = {name: [] for name in starts}
        for _ in range(7):
            seconds = {}
            for name, start in starts.items():
                with TracedProgram(command, [*start, "--"] if start else []) as program:
                    program.end()
                    seconds[name] = program.user_seconds
            for name in starts:
                ratios[name].append(seconds[name] / seconds["alone"])
        for name, limit in (("run", 1.15), ("--stacks", 1.4)):
            ratio = statistics.median(ratios[name])
            self._checks.check(
                f"swift-format: user time with {name} × {ratio:.2f}, at most {limit}", ratio <= limit, ratios[name])

    def check_documentation(self):
        """Converts a catalogue."""
        catalogue = ROOT / "Sources" / "LifetimeTracer" / "LifetimeTracer.docc"
        output = self._folder / "archive"
        command = [
            self._tool("docc"), "convert", str(catalogue), "--fallback-display-name", "Shelf",
            "--fallback-bundle-identifier", "shelf", "--output-path", str(output),
        ]
        archives = []

        def keep():
            archives.append(files_below(output))
            shutil.rmtree(output)

        # Otherwise each process has its own order of the keys in its files.
        alone, run = self._outcomes("docc", command, {"SWIFT_DETERMINISTIC_HASHING": "1"}, between=keep)
        check_same(self._checks, "docc: the same output", alone, run)
        check_same(self._checks, "docc: the same files", archives[0], files_below(output))

    def check_build(self):
        """Builds a package, with compilers and linkers as child processes."""
        package = self._folder / "package"
        for path, text in (
            ("Package.swift", MANIFEST), ("Sources/Shelves/Shelf.swift", LIBRARY),
            ("Sources/shelf/main.swift", PROGRAM), ("Tests/ShelvesTests/ShelfTests.swift", TESTS),
        ):
            (package / path).parent.mkdir(parents=True, exist_ok=True)
            (package / path).write_text(text)
        products = []

        def product():
            with TracedProgram([str(package / ".build" / "debug" / "shelf")]) as program:
                products.append(outcome(program))

        def clean():
            product()
            shutil.rmtree(package / ".build")

        command = [
            self._tool("swift-build"), "--package-path", str(package), "--cache-path", str(self._folder / "cache"),
            "--disable-index-store", "--quiet",
        ]
        alone, run = self._outcomes("swift build", command, between=clean)
        product()
        check_same(self._checks, "swift build: the same output", alone, run)
        self._checks.check("swift build: it has built a program", products[0]["output"] == b"1\n", [products[0]])
        check_same(self._checks, "swift build: programs that do the same", *products)
        if self._full:
            self._check_tests(package)

    def _check_tests(self, package):
        """Builds the package's tests, which takes longer than all that is not in --full, and runs them."""
        with TracedProgram([self._tool("swift-build"), "--package-path", str(package), "--build-tests"]) as program:
            program.end()
        command = [self._tool("swift-test"), "--skip-build", "--disable-xctest", "--package-path", str(package)]
        with TracedProgram(command) as program:
            alone = outcome(program)
        with TracedProgram(command, [*self._run, "--follow", "--"]) as program:
            run = outcome(program)
        # Times are a part of the output.
        passed = [b"Test run with 1 test in 0 suites passed" in each["output"] for each in (alone, run)]
        self._checks.check(
            "swift test: it passes alone and with run --follow",
            all(passed) and alone["status"] == run["status"] == 0, [alone, run])
        tests = next((package / ".build" / "debug").glob("*PackageTests.xctest"))
        command = [str(tests), "--testing-library", "swift-testing"]
        with TracedProgram(command, [*self._run, "--fail-on-leaks", "--"]) as program:
            status, _, _ = program.end()
            lines = program.lines_of_the_tracer()
        if status == 2:
            print(f"    not run tests fail because of their leaks: {lines}", flush=True)
        else:
            self._checks.check(
                "swift test: leaks of the tests fail the run",
                status == 3 and any(line.startswith("Leaked by the program: 1 cycle of Shelf; ") for line in lines),
                [status, lines])

    def check_language_server(self):
        """Holds the same session twice."""
        rounds = 20 if self._full else 1
        workspace = self._folder / "workspace"
        workspace.mkdir()
        (workspace / "shelf.swift").write_text(SOURCE)
        command = [self._tool("sourcekit-lsp"), "--scratch-path", str(self._folder / "scratch")]
        with TracedProgram(command, conversation=True) as program:
            alone = answers_of_a_session(program, workspace, rounds)
            alone["status"] = program.end()[0]
        with TracedProgram(command, [*self._run, "--"], conversation=True) as program:
            run = answers_of_a_session(
                program, workspace, rounds, lambda: self._check_counts("sourcekit-lsp", program))
            run["status"] = program.end()[0]
        check_same(self._checks, f"sourcekit-lsp: the same {len(alone) - 1} answers", alone, run)
        found = {name: answer.get("result") for name, answer in alone.items() if name != "status"}
        self._checks.check("sourcekit-lsp: it has answered", all(
            found[f"{name} 0"] for name in ("symbols", "hover", "definition", "tokens", "completion")), [found])


def outcome(program):
    status, output, errors = program.end()
    return {"status": status, "output": output, "errors": errors}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tracer_server", type=Path)
    parser.add_argument("bin", type=Path)
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        toolchain = Toolchain(checks, options.tracer_server, options.bin, Path(os.path.realpath(folder)), options.full)
        toolchain.check_format()
        toolchain.check_documentation()
        toolchain.check_language_server()
        toolchain.check_build()
    return checks.conclude("toolchain")


if __name__ == "__main__":
    raise SystemExit(main())
