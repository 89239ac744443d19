package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"berth.example/oracle/internal/tool"
)

// upstreamVersion is the module whose packages answer. Data files carry it, because answers belong to it.
const upstreamVersion = "k8s.io/dynamic-resource-allocation v0.37.2"

// The bar that a set of worlds must reach before its answers are worth comparing with.
const (
	leastRule    = 0.05 // of the worlds use each rule
	leastOutcome = 0.05 // of the worlds that use a rule end with a yes, and with a no
	leastYes     = 0.30
	mostYes      = 0.70
)

// answered is a line of a data file: a world with its answer.
type answered struct {
	World
	Answer Answer `json:"answer"`
}

// judgement counts worlds.
type judgement struct {
	worlds, given int
	outcomes      map[string]int            // by outcome, errors by class
	rules         map[string]map[string]int // by rule and outcome
}

func newJudgement() *judgement {
	return &judgement{outcomes: map[string]int{}, rules: map[string]map[string]int{}}
}

func (j *judgement) count(world *World, answer *Answer) {
	j.worlds++
	j.outcomes[strings.TrimSuffix(answer.Outcome+" "+answer.Class, " ")]++
	for _, tag := range world.Tags {
		if j.rules[tag] == nil {
			j.rules[tag] = map[string]int{}
		}
		j.rules[tag][answer.Outcome]++
		j.rules[tag]["used"]++
	}
}

// onlyErrors are rules that by their nature never end with a yes or a no.
var onlyErrors = map[string]bool{"class-missing": true}

// print writes the table and returns an error naming what is below the bar.
func (j *judgement) print(out io.Writer) error {
	var low []string
	yes := float64(j.outcomes["allocated"]) / float64(j.worlds)
	fmt.Fprintf(out, "%d worlds, %.1f %% allocated, %d left out because upstream takes too many steps\n", j.worlds, yes*100, j.given)
	if yes < leastYes || yes > mostYes {
		low = append(low, "yes")
	}
	for _, outcome := range slices.Sorted(maps.Keys(j.outcomes)) {
		fmt.Fprintf(out, "  %-36s %6d\n", outcome, j.outcomes[outcome])
	}
	for _, rule := range rules {
		counts := j.rules[rule]
		used := counts["used"]
		no := counts["no"] + counts["invalid"]
		fmt.Fprintf(out, "  %-20s %5d: %5d yes %5d no %5d errors\n", rule, used, counts["allocated"], no, counts["error"])
		enough := float64(used) >= leastRule*float64(j.worlds)
		both := float64(counts["allocated"]) >= leastOutcome*float64(used) && float64(no) >= leastOutcome*float64(used)
		if !enough || (!both && !onlyErrors[rule]) {
			low = append(low, rule)
		}
	}
	if len(low) > 0 {
		return errors.New("the worlds do not use enough of: " + strings.Join(low, ", "))
	}
	return nil
}

// runData writes worlds and answers as one file and the judgement to standard error.
func runData(args []string) error {
	j := newJudgement()
	next := func(seed uint64, i int) (any, error) {
		world := generateWorld(seed, i)
		result, err := answer(world)
		if err != nil {
			j.given++
			return nil, nil
		}
		j.count(world, result)
		return answered{*world, *result}, nil
	}
	return tool.Data(args, upstreamVersion, next, j.print)
}
