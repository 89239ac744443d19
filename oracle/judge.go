package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"berth.example/oracle/internal/tool"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
)

// The bar that a set of worlds must reach before its answers are worth comparing with.
const (
	leastRejecting = 0.05 // of the worlds in which a filter rejects some node for some pod
	leastDiffering = 0.20 // of the worlds in which a score differs among the feasible nodes of some pod
	leastRule      = 0.02 // of the worlds in which a rule of the generator was used
)

var (
	judgedFilters = []string{
		"SchedulingGates", "NodeName", "NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodePorts",
		"NodeResourcesFit", "VolumeRestrictions", "VolumeBinding", "VolumeZone", "PodTopologySpread", "InterPodAffinity",
	}
	judgedScores = []string{
		"TaintToleration", "NodeAffinity", "NodeResourcesFit/LeastAllocated", "NodeResourcesFit/MostAllocated",
		"NodeResourcesFit/RequestedToCapacityRatio", "PodTopologySpread", "InterPodAffinity",
		"NodeResourcesBalancedAllocation", "ImageLocality", "VolumeBinding",
	}
)

// judgement counts worlds.
type judgement struct {
	worlds, pods, errors, feasible, several, preempting int
	rejecting, differing, rules                         map[string]int
}

func newJudgement() *judgement {
	return &judgement{rejecting: map[string]int{}, differing: map[string]int{}, rules: map[string]int{}}
}

// count adds one world and its answers.
func (j *judgement) count(world *World, answers []Answer) {
	j.worlds++
	rejecting, differing := map[string]bool{}, map[string]bool{}
	for i, answer := range answers {
		j.pods++
		if answer.Error != "" {
			j.errors++
		}
		if len(answer.Totals) > 0 {
			j.feasible++
		}
		if len(answer.Totals) > 1 {
			j.several++
		}
		if answer.Preemption != nil && len(answer.Preemption.Candidates) > 0 {
			j.preempting++
		}
		if answer.Gated {
			rejecting["SchedulingGates"] = true
		}
		for name, letters := range answer.Filters {
			if strings.ContainsAny(letters, "UN") {
				rejecting[name] = true
			}
		}
		for name, score := range answer.Scores {
			if slices.Min(score.Normalised) != slices.Max(score.Normalised) {
				differing[name+strategyOf(world, i, name)] = true
			}
		}
	}
	for name := range rejecting {
		j.rejecting[name]++
	}
	for name := range differing {
		j.differing[name]++
	}
	for _, tag := range world.Tags {
		j.rules[tag]++
	}
}

// strategyOf tells the strategies of NodeResourcesFit apart, by the profile of the pod with that index.
func strategyOf(world *World, index int, plugin string) string {
	if plugin != "NodeResourcesFit" {
		return ""
	}
	var pod struct {
		Spec struct {
			SchedulerName string `json:"schedulerName"`
		} `json:"spec"`
	}
	configuration, err := loadConfiguration(world.Config)
	if err != nil || json.Unmarshal(world.Pods[index], &pod) != nil {
		return "/unknown"
	}
	for _, profile := range configuration.Profiles {
		if profile.SchedulerName != cmp.Or(pod.Spec.SchedulerName, v1.DefaultSchedulerName) {
			continue
		}
		for _, plugin := range profile.PluginConfig {
			if args, ok := plugin.Args.(*config.NodeResourcesFitArgs); ok {
				return "/" + string(args.ScoringStrategy.Type)
			}
		}
	}
	return "/unknown"
}

// print writes the table and returns an error naming what is below the bar.
func (j *judgement) print(out io.Writer) error {
	var low []string
	line := func(kind, name string, count int, bar float64) {
		share := float64(count) / float64(max(j.worlds, 1))
		mark := ""
		if share < bar {
			mark = "  below " + fmt.Sprintf("%.0f %%", bar*100)
			low = append(low, name)
		}
		fmt.Fprintf(out, "%-8s %-44s %6.1f %%%s\n", kind, name, share*100, mark)
	}
	fmt.Fprintf(out, "%d worlds, %d pods, of them %d with a feasible node, %d with several, %d could preempt, %d errors\n",
		j.worlds, j.pods, j.feasible, j.several, j.preempting, j.errors)
	for _, name := range judgedFilters {
		line("filter", name, j.rejecting[name], leastRejecting)
	}
	for _, name := range judgedScores {
		line("score", name, j.differing[name], leastDiffering)
	}
	for _, name := range rules {
		line("rule", name, j.rules[name], leastRule)
	}
	if len(low) > 0 {
		return errors.New("the worlds do not use enough of: " + strings.Join(low, ", "))
	}
	return nil
}

func runJudge(args []string) error {
	flags := flag.NewFlagSet("judge", flag.ContinueOnError)
	path := flags.String("cluster", "-", "worlds, one JSON document per line")
	if err := flags.Parse(args); err != nil {
		return err
	}
	j := newJudgement()
	err := forEachWorld(*path, func(world *World) error {
		answers, err := schedule(context.Background(), world, false)
		if err != nil {
			return err
		}
		j.count(world, answers)
		return nil
	})
	if err != nil {
		return err
	}
	return j.print(os.Stdout)
}

// answered is any other line: a world with its answers.
type answered struct {
	World
	Answers []Answer `json:"answers"`
}

// runData writes worlds and answers as one file and the judgement to standard error.
func runData(args []string) error {
	j := newJudgement()
	next := func(seed uint64, i int) (any, error) {
		world, err := generateWorld(seed, i)
		if err != nil {
			return nil, err
		}
		answers, err := schedule(context.Background(), world, true)
		if err != nil {
			return nil, err
		}
		j.count(world, answers)
		return answered{*world, answers}, nil
	}
	return tool.Data(args, "k8s.io/kubernetes "+kubernetesVersion, next, j.print)
}
