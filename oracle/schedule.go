package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/schedulinggates"
)

// Answer is what upstream finds for one pending pod. Arrays and verdict strings follow the order of the nodes in the
// world; scores and totals follow the order of the feasible ones among them.
type Answer struct {
	Pod string `json:"pod"`
	// Error is set when the attempt itself fails (a malformed term, for instance); nothing else is then.
	Error string `json:"error,omitempty"`
	// Unmanaged: no profile has the pod's schedulerName.
	Unmanaged bool `json:"unmanaged,omitempty"`
	// Gated: scheduling gates keep the pod out of the queue. The rest is what would be found without them.
	Gated bool `json:"gated,omitempty"`
	// PreFilter is set when the pod was refused before any node was looked at, or its nodes were narrowed down.
	PreFilter *PreFilterAnswer `json:"preFilter,omitempty"`
	// First names per node the plugin that refuses it first; empty where the node is feasible.
	First []string `json:"first,omitempty"`
	// Codes has one letter per node for the first refusal: see codeLetter.
	Codes string `json:"codes,omitempty"`
	// Filters has for each filter plugin, run alone, one letter per node; plugins that pass everywhere are left out.
	Filters map[string]string `json:"filters,omitempty"`
	// Scores has every score plugin that was not skipped.
	Scores map[string]ScoreAnswer `json:"scores,omitempty"`
	Totals []int64                `json:"totals,omitempty"`
	// Preemption is set when no node is feasible and the pod may preempt.
	Preemption *PreemptionAnswer `json:"preemption,omitempty"`
}

// PreFilterAnswer is the outcome of the PreFilter point as a whole.
type PreFilterAnswer struct {
	Plugin string   `json:"plugin,omitempty"`
	Code   string   `json:"code,omitempty"`
	Nodes  []string `json:"nodes,omitempty"`
}

// ScoreAnswer has one plugin's weight and its raw and normalised scores.
type ScoreAnswer struct {
	Weight     int64   `json:"weight"`
	Raw        []int64 `json:"raw"`
	Normalised []int64 `json:"normalised"`
}

// codeLetter is "." for success, "U" for unschedulable (preemption may help), "N" for unschedulable and
// unresolvable, "E" for an error.
func codeLetter(status *fwk.Status) string {
	switch status.Code() {
	case fwk.Success, fwk.Skip:
		return "."
	case fwk.Unschedulable:
		return "U"
	case fwk.UnschedulableAndUnresolvable:
		return "N"
	default:
		return "E"
	}
}

func runSchedule(args []string) error {
	flags := flag.NewFlagSet("schedule", flag.ContinueOnError)
	path := flags.String("cluster", "-", "worlds, one JSON document per line")
	validate := flags.Bool("validate", false, "refuse pods that the API server would refuse")
	if err := flags.Parse(args); err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return forEachWorld(*path, func(world *World) error {
		answers, err := schedule(context.Background(), world, *validate)
		if err != nil {
			return err
		}
		return encoder.Encode(map[string]any{"name": world.Name, "answers": answers})
	})
}

// schedule answers for every pending pod of a world, each as if it were the only one.
func schedule(ctx context.Context, world *World, validate bool) ([]Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, err := newCluster(ctx, world, validate)
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, 0, len(c.objects.pending))
	for _, pod := range c.objects.pending {
		answers = append(answers, c.ask(ctx, pod))
	}
	return answers, nil
}

// ask runs the extension points from PreEnqueue to NormalizeScore for one pod, in the scheduler's own order.
func (c *cluster) ask(ctx context.Context, pod *v1.Pod) Answer {
	answer := Answer{Pod: pod.Namespace + "/" + pod.Name}
	p, ok := c.profiles[pod.Spec.SchedulerName]
	if !ok {
		answer.Unmanaged = true
		return answer
	}
	answer.Gated = len(pod.Spec.SchedulingGates) > 0 && p.plugins[schedulinggates.Name] != nil
	answer.Filters = c.askFiltersAlone(ctx, p, pod)

	state := framework.NewCycleState()
	narrowed, status, by := p.framework.RunPreFilterPlugins(ctx, state, pod)
	statuses := c.preFilterStatuses(&answer, narrowed, status, by)
	if status.Code() == fwk.Error {
		return Answer{Pod: answer.Pod, Error: status.Message()}
	}
	toStatus := framework.NewDefaultNodeToStatus()
	var feasible []fwk.NodeInfo
	for i, info := range c.nodes {
		if statuses[i] == nil {
			statuses[i] = p.framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, info)
		}
		if statuses[i].Code() == fwk.Error {
			return Answer{Pod: answer.Pod, Error: statuses[i].Message()}
		}
		answer.Codes += codeLetter(statuses[i])
		if statuses[i].IsSuccess() {
			answer.First = append(answer.First, "")
			feasible = append(feasible, info)
		} else {
			answer.First = append(answer.First, statuses[i].Plugin())
			toStatus.Set(info.Node().Name, statuses[i])
		}
	}
	if len(feasible) == 0 {
		answer.Preemption = c.askPreemption(ctx, p, state, pod, toStatus)
		return answer
	}
	if err := p.askScores(ctx, state, pod, feasible, &answer); err != nil {
		return Answer{Pod: answer.Pod, Error: err.Error()}
	}
	return answer
}

// preFilterStatuses spreads the outcome of PreFilter over the nodes: a status for those that are already out.
func (c *cluster) preFilterStatuses(answer *Answer, narrowed *fwk.PreFilterResult, status *fwk.Status,
	by sets.Set[string]) []*fwk.Status {
	statuses := make([]*fwk.Status, len(c.nodes))
	if !status.IsSuccess() {
		answer.PreFilter = &PreFilterAnswer{Plugin: status.Plugin(), Code: codeLetter(status)}
		if status.Plugin() == "" {
			// Two plugins narrowed the nodes down to nothing together.
			answer.PreFilter.Plugin = strings.Join(sets.List(by), "+")
			status.SetPlugin(answer.PreFilter.Plugin)
		}
		for i := range statuses {
			statuses[i] = status
		}
		return statuses
	}
	if narrowed.AllNodes() {
		return statuses
	}
	answer.PreFilter = &PreFilterAnswer{Nodes: sets.List(narrowed.NodeNames)}
	for i, info := range c.nodes {
		if !narrowed.NodeNames.Has(info.Node().Name) {
			statuses[i] = fwk.NewStatus(fwk.UnschedulableAndUnresolvable).WithPlugin(strings.Join(sets.List(by), "+"))
		}
	}
	return statuses
}

// askFiltersAlone runs every filter plugin by itself, so that filters can be compared one by one.
func (c *cluster) askFiltersAlone(ctx context.Context, p *profile, pod *v1.Pod) map[string]string {
	verdicts := map[string]string{}
	for _, name := range p.filters {
		letters := c.askFilterAlone(ctx, p.plugins[name], pod)
		if strings.Trim(letters, ".") != "" {
			verdicts[name] = letters
		}
	}
	return verdicts
}

func (c *cluster) askFilterAlone(ctx context.Context, plugin fwk.Plugin, pod *v1.Pod) string {
	state := framework.NewCycleState()
	var narrowed *fwk.PreFilterResult
	if preFilter, ok := plugin.(fwk.PreFilterPlugin); ok {
		var status *fwk.Status
		narrowed, status = preFilter.PreFilter(ctx, state, pod, c.nodes)
		if !status.IsSuccess() {
			return strings.Repeat(codeLetter(status), len(c.nodes))
		}
	}
	var letters strings.Builder
	for _, info := range c.nodes {
		if !narrowed.AllNodes() && !narrowed.NodeNames.Has(info.Node().Name) {
			letters.WriteString("N")
			continue
		}
		letters.WriteString(codeLetter(plugin.(fwk.FilterPlugin).Filter(ctx, state, pod, info)))
	}
	return letters.String()
}

// askScores runs PreScore, Score and NormalizeScore over the feasible nodes.
func (p *profile) askScores(ctx context.Context, state fwk.CycleState, pod *v1.Pod, feasible []fwk.NodeInfo,
	answer *Answer) error {
	if status := p.framework.RunPreScorePlugins(ctx, state, pod, feasible); !status.IsSuccess() {
		return status.AsError()
	}
	scored, status := p.framework.RunScorePlugins(ctx, state, pod, feasible)
	if !status.IsSuccess() {
		return status.AsError()
	}
	answer.Scores = map[string]ScoreAnswer{}
	weights := map[string]int64{}
	for _, score := range p.scores {
		weights[score.name] = score.weight
	}
	for _, node := range scored {
		answer.Totals = append(answer.Totals, node.TotalScore)
		for i, raw := range node.RawScores {
			weighted := node.Scores[i]
			if weighted.Name != raw.Name {
				return fmt.Errorf("scores of %s and %s are in different order", raw.Name, weighted.Name)
			}
			score := answer.Scores[raw.Name]
			score.Weight = weights[raw.Name]
			score.Raw = append(score.Raw, raw.Score)
			score.Normalised = append(score.Normalised, weighted.Score/score.Weight)
			answer.Scores[raw.Name] = score
		}
	}
	return nil
}
