#!/usr/bin/env python3
"""Tests of the scripts in tools/: each is shown something it has to refuse."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = os.path.join(ROOT, "tools")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, path, text, executable=False):
        full = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        if executable:
            os.chmod(full, os.stat(full).st_mode | stat.S_IXUSR)
        return full


class CheckIncludes(InFolder):
    ROOMS = "berth_room(base LIBS x)\nberth_room(text DEPS base)\nberth_room(api DEPS base text)\nberth_room(engine DEPS base)\n"

    def check(self, **files):
        self.write("CMakeLists.txt", self.ROOMS)
        for path, text in {"src/base/a.h": "#pragma once\n", "src/api/b.h": "#pragma once\n", **files.get("files", {})}.items():
            self.write(path, text)
        return run(os.path.join(TOOLS, "check_includes"), self.folder)

    def test_downward_is_allowed(self):
        result = self.check(files={"src/engine/c.cc": '#include "base/a.h"\n', "src/api/d.cc": '#include "base/a.h"\n'})
        self.assertEqual((result.returncode, result.stdout), (0, "4 files, includes go downward only\n"))

    def test_sideways_and_upward_are_refused(self):
        for path, name in (("src/engine/c.cc", "api/b.h"), ("src/base/d.cc", "api/b.h")):
            with self.subTest(path):
                result = self.check(files={path: f'#include "{name}"\n'})
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"{path}:1", result.stdout)
                os.remove(os.path.join(self.folder, path))

    def test_a_slow_twin_may_not_share_code_with_the_fast_one(self):
        result = self.check(files={"src/engine/c.h": "#pragma once\n", "tests/reference/t.cc": '#include "engine/c.h"\n'})
        self.assertIn("tests/reference/t.cc:1: tests/reference may include api and base only", result.stdout)

    def test_circles_missing_guards_and_heavy_headers_are_found(self):
        result = self.check(files={
            "src/base/x.h": '#pragma once\n#include "base/y.h"\n', "src/base/y.h": '#pragma once\n#include "base/x.h"\n',
            "src/api/bare.h": "int x;\n", "src/api/heavy.h": "#pragma once\n#include <simdjson.h>\n"})
        self.assertIn("in a circle: src/base/x.h -> src/base/y.h -> src/base/x.h", result.stdout)
        self.assertIn("src/api/bare.h:1: the header has no #pragma once", result.stdout)
        self.assertIn("src/api/heavy.h:2: simdjson.h is a heavy header", result.stdout)


class RunTests(InFolder):
    """run_tests over a build folder with made-up test programs."""

    def build(self, **programs):
        lines = []
        for name, script in programs.items():
            program = self.write(name, "#!/bin/sh\n" + script, executable=True)
            lines.append(f"add_test({name} {program})")
        self.write("CTestTestfile.cmake", "\n".join(lines) + "\n")
        return run(os.path.join(TOOLS, "run_tests"), self.folder, "--filter", ".")

    @staticmethod
    def gtest(*cases):
        body = "".join(f'<testcase name="{name}" classname="S" status="run">{inner}</testcase>' for name, inner in cases)
        return f"cat > \"${{GTEST_OUTPUT#xml:}}$(basename \"$0\").xml\" <<'X'\n<testsuites><testsuite>{body}</testsuite></testsuites>\nX\n"

    def closing(self, result):
        return result.returncode, result.stdout.strip().splitlines()[-1]

    def test_cases_are_counted_not_binaries(self):
        result = self.build(a_test=self.gtest(("One", ""), ("Two", "")), script="exit 0")
        self.assertEqual(self.closing(result), (0, "3 passed, 0 failed"))

    def test_a_skip_is_not_a_pass(self):
        result = self.build(a_test=self.gtest(("One", ""), ("Two", '<skipped message="x.cc:3&#10;no accelerator"/>')))
        self.assertEqual(self.closing(result), (0, "1 passed, 0 failed, 1 skipped"))
        self.assertIn("skipped S.Two: no accelerator", result.stdout)

    def test_only_skips_is_a_failure(self):
        result = self.build(a_test=self.gtest(("Two", '<skipped message="no"/>')))
        self.assertEqual(result.returncode, 1)

    def test_failures_are_shown(self):
        result = self.build(a_test=self.gtest(("One", '<failure message="x.cc:7: 1 is not 2"/>')) + "exit 1")
        self.assertEqual(self.closing(result), (1, "0 passed, 1 failed"))
        self.assertIn("x.cc:7: 1 is not 2", result.stdout)

    def test_a_crash_counts_and_its_output_is_shown(self):
        result = self.build(good_test=self.gtest(("One", "")), bad_test="echo AddressSanitizer: heap-use-after-free; kill -SEGV $$")
        self.assertEqual(self.closing(result), (1, "1 passed, 1 failed"))
        self.assertIn("heap-use-after-free", result.stdout)

    def test_a_binary_without_cases_fails(self):
        result = self.build(a_test=self.gtest())
        self.assertEqual(self.closing(result), (1, "0 passed, 1 failed"))


class Setup(InFolder):
    def test_without_apt_the_packages_are_named(self):
        for name in ("tools/setup", "tools/packages.txt", "tools/stage"):
            self.write(name, "")
            shutil.copy(os.path.join(ROOT, name), os.path.join(self.folder, name))
        programs = os.path.join(self.folder, "programs")
        os.makedirs(programs)
        for name in ("bash", "grep", "mkdir", "dirname", "env"):
            os.symlink(shutil.which(name), os.path.join(programs, name))
        environment = {"PATH": programs}
        result = run("bash", os.path.join(self.folder, "tools/setup"), "build", env=environment)
        self.assertEqual(result.returncode, 1)
        self.assertIn("libyaml-dev", result.stderr)
        self.assertIn("not a Debian system", result.stderr)

    def test_every_package_is_explained(self):
        with open(os.path.join(ROOT, "docs/dependencies.md"), encoding="utf-8") as file:
            explained = file.read()
        with open(os.path.join(ROOT, "tools/packages.txt"), encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#"):
                    self.assertIn(f"`{line.split()[1]}`", explained)


class Stage(InFolder):
    def test_quiet_when_it_works_and_telling_when_not(self):
        log = os.path.join(self.folder, "log")
        good = run(os.path.join(TOOLS, "stage"), "work", log, "echo", "chatter")
        self.assertEqual(good.returncode, 0)
        self.assertRegex(good.stdout, r"^  work +\d+\.\d s\n$")
        bad = run(os.path.join(TOOLS, "stage"), "work", log, "sh", "-c", "echo no such header; exit 3")
        self.assertEqual(bad.returncode, 3)
        self.assertIn("no such header", bad.stderr)


class BenchCheck(InFolder):
    """With a made-up valgrind that counts what the test says."""

    def check(self, counted, *arguments):
        self.write("programs/valgrind", f"#!/bin/sh\necho 'Collected : {counted}' >&2\n", executable=True)
        environment = dict(os.environ, PATH=os.path.join(self.folder, "programs") + ":" + os.environ["PATH"])
        return run(os.path.join(self.folder, "tools/bench_check"), "build", *arguments, env=environment)

    def test_a_changed_count_fails_either_way_and_can_be_taken_over(self):
        os.makedirs(os.path.join(self.folder, "tools"))
        shutil.copy(os.path.join(TOOLS, "bench_check"), os.path.join(self.folder, "tools"))
        path = self.write("bench/baselines/true.json", json.dumps({"command": ["true"]}))
        self.assertEqual(self.check(1000).returncode, 1)
        self.assertEqual(self.check(1000, "--update").returncode, 0)
        with open(path, encoding="utf-8") as file:
            baseline = json.load(file)
        self.assertEqual(baseline["instructions"], 1000)
        self.assertNotIn("peak_kib", baseline)  # true is smaller than the script that measures it
        for counted, verdict in ((1020, "ok"), (1040, "SLOWER"), (960, "BETTER")):
            with self.subTest(counted):
                line = next(l for l in self.check(counted).stdout.splitlines() if "instructions" in l)
                self.assertIn(verdict, line)


if __name__ == "__main__":
    sys.exit(unittest.main())
