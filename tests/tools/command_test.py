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
    ("sim", name) for name in ("openb", "mig", "mixed", "consolidation", "philly", "deadlock")]


def berth(*arguments, called="berth"):
    """The exit status and what was said; paths are relative to the checkout. Berth says how it was called."""
    return subprocess.run([called, *arguments], executable=BERTH, capture_output=True, text=True, check=False, cwd=ROOT)


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
            self.assertEqual(berth(*arguments.split(), called="build/berth").stdout, output, "run tools/update_readme build/berth")

    def test_the_next_command_is_called_as_this_one_was(self):
        for called in ("berth", "build/berth", "/opt/a berth/berth"):
            said = berth("plan", "examples/demo", called=called).stdout
            self.assertIn(f"\nNext: {shlex.quote(called)} explain -n language ", said)

    def test_examples_of_the_help_run(self):
        """Those that need nothing but the checkout."""
        found = 0
        for command in COMMANDS:
            text = berth(*command, "--help").stdout
            self.assertNotIn("\\n", text, "a line break spelt out")
            lines = text.split("\nExample:\n")
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


NODE = """apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "8", memory: 8Gi, pods: "10", nvidia.com/gpu: "8"}}
"""
POD = """---
apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: lab}
spec: {%s containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: "%s"}}}]}
"""


class Told(unittest.TestCase):
    """What is said about an input that is not quite right."""

    def ask(self, text, *command):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "in.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            result = berth(*(path if word == "FILE" else word for word in command))
            return result.returncode, on_one_line(result.stdout + "\n" + result.stderr)

    def test_explain_says_what_was_skipped_and_what_is_weaker(self):
        text = NODE + POD % ("p", "nodeSelektor: {a: b},", "1") + "---\napiVersion: x/v1\nkind: Bar\nmetadata: {name: b}\n"
        status, said = self.ask(text, "explain", "Pod/p", "FILE")
        self.assertEqual(status, 0, said)
        self.assertIn("nodeSelektor", said)
        self.assertIn("1 object of kind Bar", said)
        self.assertIn("No running pod was read", said)
        _, said = self.ask(text, "explain", "-o", "json", "Pod/p", "FILE")
        for field in ('"weaker": [', '"skipped": [', '"errors": ['):
            self.assertIn(field, said)

    def test_pods_that_cannot_be_read_make_the_plan_weaker(self):
        status, said = self.ask(NODE + POD % ("old", "nodeName: n1,", "-8") + POD % ("new", "", "1"), "plan", "FILE")
        self.assertEqual(status, 1, said)
        self.assertIn("1 mistake in the input: what could not be read does not count", said)

    def test_pods_that_run_with_more_than_their_node_has_are_told(self):
        status, said = self.ask(NODE + POD % ("old", "nodeName: n1,", "2147483647") + POD % ("new", "", "1"), "plan", "FILE")
        self.assertEqual(status, 2, said)
        self.assertIn("The pods on n1 (nvidia.com/gpu) ask for more than it offers", said)

    def test_a_list_whose_items_are_no_array_is_an_error(self):
        status, said = self.ask(NODE + "---\napiVersion: v1\nkind: List\nitems: abc\n", "plan", "FILE")
        self.assertEqual(status, 1, said)
        self.assertIn("items", said)
        self.assertEqual(self.ask(NODE + "---\napiVersion: v1\nkind: List\nitems:\n", "plan", "FILE")[0], 0)

    def test_a_file_without_an_object_is_told(self):
        status, said = self.ask("# nothing\n", "plan", "FILE")
        self.assertEqual(status, 1, "a pipe whose left side failed must not look like a plan")
        self.assertIn("No object is in it", said)
        self.assertIn("The input holds no Kubernetes object", said)

    def test_and_n_more_counts_pods(self):
        text = NODE + ("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: lab}\n"
                       "spec: {replicas: 2000, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, "
                       "spec: {containers: [{name: c, image: i, resources: {requests: {cpu: '9'}}}]}}}\n")
        self.assertIn("1,997 more, 2,000 pods", self.ask(text, "plan", "FILE")[1])

    def test_without_a_node_there_is_one_sentence_for_all_pods(self):
        status, said = self.ask("".join(POD % (name, "", "1") for name in ("a", "b", "train-0", "train-1")), "plan", "FILE")
        self.assertEqual(status, 2, said)
        self.assertEqual(said.count("there is no node in the input"), 1, said)
        self.assertIn("lab/a, lab/b and lab/train-[0,1] there is no node", said)
        self.assertNotIn("NeverFits", said)
        self.assertNotIn("Next:", said)

    def test_what_could_not_be_read_is_not_said_to_be_missing(self):
        claim = ("---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: lab}\n"
                 "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: much}}}\n")
        pod = POD % ("p", "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}],", "1")
        status, said = self.ask(NODE + claim + pod, "plan", "FILE")
        self.assertEqual(status, 1, said)
        self.assertIn("PersistentVolumeClaim data is in the input and could not be read; correct its error", said)
        self.assertIn("PersistentVolumeClaim data does not exist", self.ask(NODE + pod, "plan", "FILE")[1])
        _, said = self.ask(NODE.replace("cpu:", "cpu: x, c:") + POD % ("p", "", "1"), "plan", "FILE")
        self.assertIn("no node of the input could be read", said)
        self.assertIn("No node of the input could be read", said)
        self.assertNotIn("there is no node", said)
        self.assertNotIn("The input has no nodes", said)

    def test_a_scheduler_configuration_among_the_files_is_told_where_it_goes(self):
        text = NODE + "---\napiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
        self.assertIn("to schedule with it, write --config in front of the file", self.ask(text, "plan", "FILE")[1])

    def test_an_evicted_pod_and_who_holds_only_by_the_plan_are_told_so(self):
        classes = "".join(f"---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: {name}}}\n"
                          f"value: {value}\n" for name, value in (("high", 1000), ("low", 1)))
        text = (NODE + classes + POD % ("old", "nodeName: n1, priorityClassName: low,", "8") +
                POD % ("vip", "priorityClassName: high,", "8") + POD % ("meek", "priorityClassName: low,", "8"))
        _, said = self.ask(text, "explain", "old", "FILE")
        self.assertIn("would be evicted Asks 8 GPUs; priority 1 State would have to leave n1", said)
        _, said = self.ask(text, "explain", "meek", "FILE")
        self.assertIn("Held by lab/vip (8 GPUs on n1 in this plan, not yet)", said)
        self.assertIn('"planned": true', self.ask(text, "explain", "-o", "json", "meek", "FILE")[1])

    def test_the_nearest_resource_is_offered_for_a_misspelt_one(self):
        pods = POD % ("p", "", "1") + (POD % ("q", "", "1")).replace("nvidia.com/gpu", "example.com/fpgas")
        text = NODE.replace("pods:", 'example.com/fpga: "2", pods:') + pods
        self.assertIn("1 example.com/fpgas on one node; no node has any (the cluster offers example.com/fpga)",
                      self.ask(text, "plan", "FILE")[1])
        text = NODE + (POD % ("p", "", "1")).replace("nvidia.com/gpu", "nvidia.com/gpus")
        self.assertIn("(the cluster offers nvidia.com/gpu)", self.ask(text, "plan", "FILE")[1])

    def test_a_holder_that_is_being_deleted_is_told_so(self):
        leaving = POD % ("old", "nodeName: n1,", "8")
        leaving = leaving.replace("namespace: lab}", "namespace: lab, deletionTimestamp: '2026-01-31T12:00:00Z'}")
        _, said = self.ask(NODE + leaving + POD % ("new", "", "8"), "explain", "new", "FILE")
        self.assertIn("Held by lab/old (8 GPUs on n1, being deleted)", said)
        self.assertIn("it is being deleted and still has its place on n1", self.ask(NODE + leaving, "explain", "old", "FILE")[1])

    def test_a_planned_pod_is_not_written_as_unschedulable(self):
        written = berth("plan", "-o", "yaml", "examples/demo").stdout
        self.assertIn("nodeName: a100-02", written)
        self.assertNotIn("PodScheduled", written)

    def test_the_version_is_said_to_every_way_of_asking(self):
        for words in (("-v",), ("--version",), ("version",)):
            self.assertRegex(berth(*words).stdout, r"^berth \d+\.\d+\.\d+\n$")
        self.assertIn("near is --version", berth("--verison").stderr)

    def test_a_kind_that_is_not_explained_is_no_kind_without_pods(self):
        self.assertIn("'rayjob' is no kind whose pods are explained", self.ask(NODE, "explain", "rayjob/x", "FILE")[1])

    def test_a_list_may_say_its_kind_behind_its_items(self):
        text = ('{"apiVersion": "v1", "items": [{"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}], '
                '"kind": "PodList"}')
        status, said = self.ask(text, "plan", "FILE")
        self.assertEqual(status, 2, said)
        self.assertIn("1 pod (1 pending)", said)

    def test_a_value_that_no_node_can_have_is_told(self):
        affinity = ("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
                    "[{matchExpressions: [{key: rank, operator: Gt, values: ['-1']}]}]}}},")
        self.assertIn('"-1" of rank is none', self.ask(NODE + POD % ("p", affinity, "1"), "plan", "FILE")[1])

    def test_the_last_seed_there_is_ends(self):
        result = berth("sim", "openb", "--nodes", "examples/openb/nodes.csv", "--pods", "examples/openb/pods.csv",
                       "--policy", "fgd", "--seeds", str(2**64 - 1))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_misspelt_option_is_named_before_what_is_missing(self):
        self.assertIn("no option '--foo'", on_one_line(berth("plan", "--foo").stderr))


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
