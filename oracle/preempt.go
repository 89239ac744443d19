package main

import (
	"context"
	"math"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	"k8s.io/kubernetes/pkg/scheduler/util"
)

// PreemptionAnswer has the outcome of upstream's dry run on every node.
type PreemptionAnswer struct {
	// NotEligible says why the pod may not preempt at all.
	NotEligible string      `json:"notEligible,omitempty"`
	Candidates  []Candidate `json:"candidates,omitempty"`
	// Best are the nodes that tie on every one of upstream's criteria; it would take any of them.
	Best []string `json:"best,omitempty"`
}

// Candidate is one node that could be made free. Victims are in order of falling importance.
type Candidate struct {
	Node       string   `json:"node"`
	Victims    []string `json:"victims"`
	Violations int      `json:"violations,omitempty"`
}

// askPreemption dry-runs the DefaultPreemption plugin over all nodes whose refusal it may cure.
func (c *cluster) askPreemption(ctx context.Context, p *profile, state fwk.CycleState, pod *v1.Pod,
	statuses *framework.NodeToStatus) *PreemptionAnswer {
	plugin, ok := p.plugins[names.DefaultPreemption].(*defaultpreemption.DefaultPreemption)
	if !ok {
		return nil
	}
	var nominated *fwk.Status
	if node := pod.Status.NominatedNodeName; node != "" {
		nominated = statuses.Get(node)
	}
	if eligible, why := plugin.PodEligibleToPreemptOthers(ctx, pod, nominated); !eligible {
		return &PreemptionAnswer{NotEligible: why}
	}
	potential, err := statuses.NodesForStatusCode(c.snapshot, fwk.Unschedulable)
	if err != nil || len(potential) == 0 {
		return nil
	}
	budgets, err := plugin.Evaluator.PdbLister.List(labels.Everything())
	if err != nil {
		return nil
	}
	slices.SortFunc(budgets, func(a, b *policyv1.PodDisruptionBudget) int {
		return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
	// More candidates are asked for than there are nodes, so that the dry run never stops early.
	found, _, err := plugin.Evaluator.DryRunPreemption(ctx, state, pod, potential, budgets, 0, int32(len(potential))+1)
	if err != nil && len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, func(a, b preemption.Candidate) int { return strings.Compare(a.Name(), b.Name()) })
	var answer PreemptionAnswer
	for _, candidate := range found {
		victims := candidate.Victims()
		entry := Candidate{Node: candidate.Name(), Violations: int(victims.NumPDBViolations)}
		for _, victim := range victims.Pods {
			entry.Victims = append(entry.Victims, victim.Namespace+"/"+victim.Name)
		}
		answer.Candidates = append(answer.Candidates, entry)
	}
	answer.Best = bestCandidates(found)
	if len(answer.Candidates) == 0 {
		return nil
	}
	return &answer
}

// bestCandidates applies upstream's criteria in order; upstream itself breaks the remaining tie by map order.
func bestCandidates(candidates []preemption.Candidate) []string {
	type ranked struct {
		name string
		key  [5]int64
	}
	var all []ranked
	for _, candidate := range candidates {
		victims := candidate.Victims()
		var sum int64
		for _, victim := range victims.Pods {
			sum += int64(corev1helpers.PodPriority(victim)) + int64(math.MaxInt32+1)
		}
		all = append(all, ranked{candidate.Name(), [5]int64{
			victims.NumPDBViolations,
			int64(corev1helpers.PodPriority(victims.Pods[0])),
			sum,
			int64(len(victims.Pods)),
			-util.GetEarliestPodStartTime(victims).UnixNano(),
		}})
	}
	if len(all) == 0 {
		return nil
	}
	best := slices.MinFunc(all, func(a, b ranked) int { return slices.Compare(a.key[:], b.key[:]) })
	var tied []string
	for _, candidate := range all {
		if candidate.key == best.key {
			tied = append(tied, candidate.name)
		}
	}
	return tied
}
