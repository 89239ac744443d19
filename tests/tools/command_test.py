#!/usr/bin/env python3
"""Runs the built command as a reader of the documents would, and compares what it prints.

    tests/tools/command_test.py BUILD/berth

What the README shows is what berth prints (tools/update_readme takes a changed output over). And the files of
tests/refused: a line "--- # says: SENTENCE" begins an input that lasts until the next such line; the command that
reads such files has to end with 1 and say the sentence.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BERTH = ""
COMMANDS = [(name,) for name in ("plan", "explain", "case", "cel", "allocate")] + [
    ("sim", name) for name in ("openb", "mig", "philly", "deadlock")]


def berth(*arguments):
    """The exit status and what was said; paths are relative to the checkout."""
    return subprocess.run([BERTH, *arguments], capture_output=True, text=True, check=False, cwd=ROOT)


def on_one_line(text):
    """Output is wrapped at 80 columns; a sentence is not."""
    return " ".join(text.split())


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class Shown(unittest.TestCase):
    def test_the_readme_shows_what_berth_prints(self):
        blocks = re.findall(r"^```\n\$ build/berth (.*)\n((?:.*\n)*?)```$", read("README.md"), re.MULTILINE)
        self.assertTrue(blocks, "README.md shows no command")
        for arguments, output in blocks:
            self.assertEqual(berth(*arguments.split()).stdout, output, "run tools/update_readme build/berth")

    def test_examples_of_the_help_run(self):
        """Those that need nothing but the checkout."""
        found = 0
        for command in COMMANDS:
            lines = berth(*command, "--help").stdout.split("\nExample:\n")
            self.assertEqual(len(lines), 2, f"the help of berth {' '.join(command)} has no example")
            for line in re.sub(r"\\\n\s*", "", lines[1]).splitlines():
                if line.startswith("  berth ") and "|" not in line:
                    found += 1
                    ended = berth(*shlex.split(line)[1:])
                    self.assertIn(ended.returncode, (0, 2), line + "\n" + ended.stderr)
        self.assertGreater(found, 4)

    def test_packing_keeps_whole_nodes_free_where_the_defaults_of_kube_scheduler_keep_none(self):
        cluster = "examples/packing/cluster.yaml"
        spread = berth("plan", "--profile", "kube-default", cluster)
        self.assertEqual(spread.returncode, 2, spread.stderr)
        self.assertIn("Would wait: 2 pods", spread.stdout)
        self.assertIn("2 pods: Fragmented", spread.stdout)
        for options in (("--config", "examples/scheduler-config.yaml"), ()):
            packed = berth("plan", *options, cluster)
            self.assertEqual(packed.returncode, 0, packed.stderr)
            self.assertIn("Would start: 18 pods", packed.stdout)


class Refused(unittest.TestCase):
    def check(self, name, *command):
        """The command's argument FILE stands for one input after the other."""
        inputs = re.split(r"^--- # says: ", read(f"tests/refused/{name}"), flags=re.MULTILINE)[1:]
        self.assertTrue(inputs, name)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            for part in inputs:
                sentence, _, text = part.partition("\n")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                result = berth(*(path if word == "FILE" else word for word in command))
                with self.subTest(sentence):
                    self.assertEqual(result.returncode, 1, text)
                    self.assertIn(on_one_line(sentence), on_one_line(result.stdout + "\n" + result.stderr), text)

    def test_objects(self):
        self.check("objects.yaml", "plan", "FILE")

    def test_scheduler_configurations(self):
        self.check("scheduler-config.yaml", "plan", "--config", "FILE", "examples/demo/nodes.yaml")

    def test_cases(self):
        self.check("cases.yaml", "case", "FILE")

    def test_lists_of_the_openb_trace(self):
        self.check("openb-pods.csv", "sim", "openb", "--nodes", "examples/openb/nodes.csv", "--pods", "FILE",
                   "--policy", "fgd", "--seeds", "1")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BERTH = os.path.abspath(sys.argv.pop(1))
    sys.exit(unittest.main())
