package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	v1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// generator makes one world. Every choice comes from its own random source, so a world depends on (seed, index) only.
//
// Each world has a few rules in focus that most of its objects use, so that rules meet; the others appear rarely.
type generator struct {
	random  *rand.Rand
	focus   map[string]bool
	tags    map[string]bool
	objects []runtime.Object
	nodes   []*v1.Node
	classes []*schedulingv1.PriorityClass
	claims  []*v1.PersistentVolumeClaim
	volumes int // so many were made
	// choice is a claim that has a volume on most nodes.
	choice *v1.PersistentVolumeClaim
	// exclusive are the ReadWriteOncePod claims that a bound pod uses; no second one can.
	exclusive map[string]bool
	// ports are the host ports taken per node; the kubelet would refuse a second user.
	ports  map[string]bool
	owners []metav1.OwnerReference
	// profiles are the scheduler names of the world's configuration.
	profiles []string
	config   json.RawMessage
	// full: bound pods take nearly everything, so that the pending ones must preempt.
	full bool
	// promised: the world has pods that were promised a node.
	promised bool
	pending  []runtime.Object
	serial   int
}

// rules are the things that a generator may put into the focus of a world.
var rules = []string{
	"unschedulable", "taint", "taint-prefer", "labels-missing", "images", "few-pods", "gpu", "hugepages",
	"node-name", "node-selector", "node-affinity", "match-fields", "gt-lt", "preferred-node-affinity", "toleration",
	"host-port", "init", "sidecar", "overhead", "pod-level", "requests-odd", "extended", "ephemeral", "in-place-resize",
	"spread-hard", "spread-soft", "spread-policies", "spread-match-label-keys", "spread-odd-selector", "min-domains",
	"affinity", "anti-affinity", "preferred-affinity", "preferred-anti-affinity", "namespaces", "namespace-selector",
	"label-keys", "affinity-odd-selector", "terminating", "claims", "local-volumes", "ephemeral-claim", "read-write-once-pod",
	"volume-zones", "volume-choice", "volume-selector", "attributes-class", "claim-reference", "compared-toleration", "nominated", "promised",
	"gates", "priority",
	"budgets", "owners", "services", "big", "full", "scheduler-name",
	"config-fit", "config-balanced", "config-affinity", "config-spread", "config-added-affinity", "config-plugins",
}

func runGenerate(args []string) error {
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "seed of the worlds")
	count := flags.Int("count", 10, "number of worlds")
	if err := flags.Parse(args); err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for i := range *count {
		world, err := generateWorld(*seed, i)
		if err != nil {
			return err
		}
		if err := encoder.Encode(world); err != nil {
			return err
		}
	}
	return nil
}

// generateWorld makes world number index of a seed.
func generateWorld(seed uint64, index int) (*World, error) {
	g := &generator{
		random:   rand.New(rand.NewPCG(seed, uint64(index))),
		focus:    map[string]bool{},
		tags:     map[string]bool{},
		profiles: []string{v1.DefaultSchedulerName},

		exclusive: map[string]bool{},
		ports:     map[string]bool{},
	}
	for range g.between(2, 6) {
		g.focus[pick(g, rules)] = true
	}
	g.full = g.uses("full", 0.2)
	g.makeConfig()
	g.makeNamespaces()
	g.makePriorityClasses()
	g.makeNodes()
	g.makeOwners()
	g.makeStorage()
	if err := g.makeBoundPods(); err != nil {
		return nil, fmt.Errorf("seed %d world %d: %w", seed, index, err)
	}
	g.makeBudgets()
	if err := g.makePromisedPods(); err != nil {
		return nil, fmt.Errorf("seed %d world %d: %w", seed, index, err)
	}
	for range g.between(5, 6) {
		pod, err := g.validPod("")
		if err != nil {
			return nil, fmt.Errorf("seed %d world %d: %w", seed, index, err)
		}
		g.addEphemeralClaim(pod)
		g.pending = append(g.pending, pod)
	}
	return g.world(fmt.Sprintf("seed-%d-%d", seed, index))
}

// world writes everything down.
func (g *generator) world(name string) (*World, error) {
	world := &World{Name: name, Config: g.config}
	for tag := range g.tags {
		world.Tags = append(world.Tags, tag)
	}
	slices.Sort(world.Tags)
	var err error
	if world.Objects, err = g.write(g.objects); err != nil {
		return nil, err
	}
	world.Pods, err = g.write(g.pending)
	return world, err
}

// chance is true with probability p.
func (g *generator) chance(p float64) bool { return g.random.Float64() < p }

// uses decides whether a rule is used here: often in a world that has it in focus, otherwise with probability rarely.
func (g *generator) uses(rule string, rarely float64) bool {
	p := rarely
	if g.focus[rule] {
		p = 0.6
	}
	if !g.chance(p) {
		return false
	}
	g.tags[rule] = true
	return true
}

// between returns a number in [low, high].
func (g *generator) between(low, high int) int { return low + g.random.IntN(high-low+1) }

// pick returns one of the choices.
func pick[T any](g *generator, choices []T) T { return choices[g.random.IntN(len(choices))] }

// some returns between low and high different choices, in their order.
func some[T any](g *generator, low, high int, choices []T) []T {
	want := min(g.between(low, high), len(choices))
	chosen := g.random.Perm(len(choices))[:want]
	slices.Sort(chosen)
	var result []T
	for _, i := range chosen {
		result = append(result, choices[i])
	}
	return result
}

func (g *generator) name(prefix string) string {
	g.serial++
	return fmt.Sprintf("%s-%d", prefix, g.serial)
}

func pointer[T any](value T) *T { return &value }
