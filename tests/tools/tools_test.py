#!/usr/bin/env python3
"""Tests of the scripts in tools/: each is shown something it has to refuse."""

import json
import os
import pty
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

    def prepare(self, **programs):
        lines = []
        for name, script in programs.items():
            program = self.write(name, "#!/bin/sh\n" + script, executable=True)
            lines.append(f"add_test({name} {program})")
        self.write("CTestTestfile.cmake", "\n".join(lines) + "\n")

    def build(self, **programs):
        self.prepare(**programs)
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

    def test_progress_is_shown_on_a_terminal_and_nowhere_else(self):
        quick = {"a_test": self.gtest(("One", "")), "b_test": "sleep 1; " + self.gtest(("Two", ""))}
        result = self.build(**quick)
        self.assertEqual(len(result.stdout.splitlines()), 2, result.stdout)
        terminal, child = pty.openpty()
        with subprocess.Popen([os.path.join(TOOLS, "run_tests"), self.folder, "--filter", "."], stdout=child) as tests:
            os.close(child)
            seen = b""
            while chunk := self.read(terminal):
                seen += chunk
        os.close(terminal)
        self.assertEqual(tests.returncode, 0)
        self.assertIn(b"1/2 a_test", seen)
        self.assertTrue(seen.endswith(b"2 passed, 0 failed\r\n"), seen)

    @staticmethod
    def read(terminal):
        try:
            return os.read(terminal, 4096)
        except OSError:  # nobody writes to it any more
            return b""

    def everything(self):
        """run_tests without a filter, in a checkout of its own."""
        script = self.write("script", "#!/bin/sh\n", executable=True)
        self.write("b/CTestTestfile.cmake", f"add_test(script {script})\n")
        os.makedirs(os.path.join(self.folder, "tools"))
        shutil.copy(os.path.join(TOOLS, "run_tests"), os.path.join(self.folder, "tools"))
        return run(os.path.join(self.folder, "tools/run_tests"), "b")

    def test_no_command_to_run_the_cases_with_is_a_failure(self):
        self.write("tests/cases/1.yaml", "")
        result = self.everything()
        self.assertEqual(self.closing(result), (1, "1 passed, 1 failed"))
        self.assertIn("There is no b/berth to run the case files with; build all of b.", result.stdout)

    def test_no_case_files_is_a_failure(self):
        self.write("b/berth", "#!/bin/sh\necho 0 passed, 0 failed\n", executable=True)
        result = self.everything()
        self.assertEqual(self.closing(result), (1, "1 passed, 1 failed"))
        self.assertIn("There is no case file below tests/cases.", result.stdout)

    def test_case_files_are_counted(self):
        self.write("tests/cases/1.yaml", "")
        self.write("b/berth", "#!/bin/sh\necho 7 passed, 0 failed\n", executable=True)
        self.assertEqual(self.closing(self.everything()), (0, "8 passed, 0 failed"))


class Checkout(InFolder):
    """One script of tools/ in a checkout of its own, with made-up programs on the path."""

    def setUp(self):
        super().setUp()
        os.makedirs(os.path.join(self.folder, "tools"))
        for name in ("stage", "tidy", "oracle", "run_fuzzers", "compile_report"):
            shutil.copy(os.path.join(TOOLS, name), os.path.join(self.folder, "tools"))

    def program(self, name, script):
        self.write(f"programs/{name}", "#!/bin/sh\n" + script, executable=True)

    def tool(self, name, *arguments, **variables):
        environment = dict(os.environ, PATH=os.path.join(self.folder, "programs") + ":" + os.environ["PATH"], **variables)
        return run(os.path.join(self.folder, "tools", name), *arguments, cwd=self.folder, env=environment)


class CompileReport(Checkout):
    def test_a_log_without_an_object_is_an_error(self):
        self.write("b/.ninja_log", "# ninja log v5\n0\t9\t0\tbuild.ninja\tx\n")
        result = self.tool("compile_report", "b", "--limit", "15")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("build first", result.stderr)

    def test_a_slow_unit_is_named(self):
        self.write("b/.ninja_log", "# ninja log v5\n0\t16000\t0\tCMakeFiles/x.dir/src/a.cc.o\tx\n")
        result = self.tool("compile_report", "b", "--limit", "15")
        self.assertEqual(result.returncode, 1)
        self.assertIn("16.0 s  src/a.cc", result.stdout)


class RunFuzzers(Checkout):
    def fuzzer(self, script):
        self.write("b/x_fuzz", "#!/bin/sh\n" + script, executable=True)
        return self.tool("run_fuzzers", "b", "1", "x_fuzz")

    def test_a_fuzzer_that_executed_nothing_has_failed(self):
        result = self.fuzzer("exit 0")
        self.assertEqual(result.returncode, 1)
        self.assertIn("RAN NOTHING", result.stdout)
        self.assertTrue(result.stdout.endswith("0 passed, 1 failed\n"), result.stdout)

    def test_a_fuzzer_that_found_nothing_is_clean(self):
        result = self.fuzzer("echo stat::number_of_executed_units: 12")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("12 inputs", result.stdout)

    def test_a_crash_is_told(self):
        result = self.fuzzer("echo stat::number_of_executed_units: 12; exit 77")
        self.assertEqual(result.returncode, 1)
        self.assertIn("BROKEN (exit 77)", result.stdout)


class Tidy(Checkout):
    """With a made-up clang-tidy that says which file it was given, and a cmake that configures what the test says."""

    def setUp(self):
        super().setUp()
        self.program("clang-tidy-19", 'for last; do :; done; echo "checked $last with $*"; ! grep -q wrong "$last"')
        self.program("cmake", "mkdir -p build/tidy; cp commands.json build/tidy/compile_commands.json")
        self.write("src/a.h", "")
        self.write("src/a.cc", '#include "a.h"\n')
        self.write("src/b.cc", "")
        self.commands("commands.json", "src/a.cc", "src/b.cc", "bench/x_bench.cc")
        self.write(".gitignore", "/build/\n/programs/\n/commands.json\n")
        self.git("init", "-q", "-b", "main")
        self.commit("first")
        self.write("README.md", "")
        self.commit("no source")

    def commands(self, path, *files):
        self.write(path, json.dumps([{"file": os.path.join(self.folder, name)} for name in files]))

    def git(self, *arguments):
        result = run("git", "-C", self.folder, "-c", "user.name=x", "-c", "user.email=x@example.com", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def checked(self):
        path = os.path.join(self.folder, "build/log/clang-tidy.log")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return sorted(line.split()[1] for line in file if line.startswith("checked "))

    def test_a_changed_header_is_checked_with_its_own_source(self):
        self.write("src/Z.cc", '#include "a.h"\n')
        self.commands("commands.json", "src/Z.cc", "src/a.cc", "src/b.cc", "bench/x_bench.cc")
        self.commit("another that includes it")
        self.write("README.md", "more")
        self.commit("no source again")
        self.write("src/a.h", "int x;\n")
        result = self.tool("tidy")
        self.assertEqual((result.returncode, self.checked()), (0, ["src/a.cc"]), result.stdout)

    def test_a_header_that_nobody_includes_is_named(self):
        self.write("src/lonely.h", "")
        self.assertIn("nothing includes src/lonely.h", self.tool("tidy").stdout)

    def test_all_is_checked_with_benchmarks(self):
        self.write("bench/x_bench.cc", "")
        result = self.tool("tidy", "--all")
        self.assertEqual((result.returncode, self.checked()), (0, ["bench/x_bench.cc", "src/a.cc", "src/b.cc"]), result.stdout)

    def test_what_no_configuration_builds_fails_and_is_named(self):
        self.write("fuzz/y_fuzz.cc", "")
        result = self.tool("tidy")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no configuration builds fuzz/y_fuzz.cc", result.stdout)

    def test_a_finding_fails(self):
        self.write("src/b.cc", "wrong\n")
        self.assertEqual(self.tool("tidy").returncode, 1)
        self.assertEqual(self.checked(), ["src/b.cc"])

    def test_without_an_origin_the_last_commit_is_checked_and_that_is_said(self):
        self.write("src/b.cc", "int y;\n")
        self.commit("second")
        result = self.tool("tidy", CI="1")
        self.assertEqual((result.returncode, self.checked()), (0, ["src/b.cc"]), result.stdout)
        self.assertIn("there is no origin/main to compare with: only the last commit is checked", result.stdout)

    def test_an_origin_whose_main_is_not_known_fails_in_ci(self):
        self.git("remote", "add", "origin", "https://example.com/x")
        self.assertEqual(self.tool("tidy", CI="").returncode, 0)
        result = self.tool("tidy", CI="true")
        self.assertEqual(result.returncode, 1)
        self.assertIn("git fetch origin main", result.stderr)

    def test_the_whole_branch_is_checked(self):
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        for name in ("src/a.cc", "src/b.cc"):
            self.write(name, "int z;\n")
            self.commit(name)
        self.assertEqual((self.tool("tidy").returncode, self.checked()), (0, ["src/a.cc", "src/b.cc"]))


class Oracle(Checkout):
    """With made-up programs in the place of go, ninja and the tests."""

    LINES = ("fresh.jsonl.gz: 9 pods compared", "fresh-devices.jsonl.gz: 8 worlds compared",
             "fresh-selectors.jsonl.gz: 7 expressions compared")

    def compare(self, *lines):
        self.program("go", "while [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then printf '#!/bin/sh\\n' >\"$2\"; chmod +x \"$2\"; fi; shift; done")
        self.program("ninja", "")
        self.write("b/oracle_tests", "#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines), executable=True)
        return self.tool("oracle", "b", "--worlds", "2", "--seed", "1")

    def test_agreement_needs_that_each_fresh_file_was_read(self):
        result = self.compare(*self.LINES)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("agree", result.stdout)
        for missing in self.LINES:
            with self.subTest(missing):
                result = self.compare(*(line for line in self.LINES if line != missing))
                self.assertEqual(result.returncode, 1)
                self.assertIn("no test read build/oracle/" + missing.split(":")[0], result.stderr)
                self.assertNotIn("agree", result.stdout)


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


class AsanUnits(InFolder):
    def test_a_case_that_fails_fails_the_stage(self):
        with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as file:
            lines = [line.strip() for line in file if "berth case tests/cases" in line]
        self.assertEqual(len(lines), 1)
        self.write("build/asan/berth", "#!/bin/sh\necho '2 passed, 1 failed'; exit 2\n", executable=True)
        result = run("/bin/bash", "-c", lines[0].lstrip("@"), cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (2, "2 passed, 1 failed\n"))


class Completion(unittest.TestCase):
    """What bash offers behind the words, the last of which is being typed."""

    def offers(self, *words):
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _berth; printf "%s\n" "${COMPREPLY[@]}"')
        path = os.path.join(ROOT, "deploy/completion/berth.bash")
        return run("bash", "-c", script, "bash", path, "berth", *words).stdout.split()

    def test_an_output_that_a_study_refuses_is_not_offered(self):
        self.assertEqual(self.offers("sim", "mig", "-o", ""), ["json"])
        self.assertEqual(self.offers("sim", "mixed", "-o", ""), ["json"])
        self.assertEqual(self.offers("sim", "consolidation", "-o", ""), ["json", "csv"])
        self.assertEqual(self.offers("sim", "openb", "-o", ""), ["json", "csv"])
        self.assertEqual(self.offers("sim", "mig", "--card", ""), ["a100", "h100"])

    def test_values_behind_an_equals_sign_are_offered(self):
        self.assertEqual(self.offers("plan", "--output", "=", ""), ["json", "wide", "yaml"])
        self.assertEqual(self.offers("plan", "--output", "="), ["json", "wide", "yaml"])
        self.assertEqual(self.offers("plan", "--profile", "=", "k"), ["kube-default"])

    def test_kinds_are_offered_to_explain(self):
        self.assertIn("deploy/", self.offers("explain", "d"))


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
