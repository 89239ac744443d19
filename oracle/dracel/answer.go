package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// moduleVersion is written into the data, because answers belong to it.
const moduleVersion = "v0.37.2"

// namedDevice is what an expression is evaluated for.
type namedDevice struct {
	Driver string             `json:"driver"`
	Device resourceapi.Device `json:"device"`
}

// environmentChoice is one of the ways to compile: as the scheduler does what is stored, or as the API server does
// what is new, for which the feature gates count.
type environmentChoice struct {
	name     string
	kind     environment.Type
	features dracel.Features
}

var environments = []environmentChoice{
	{"stored", environment.StoredExpressions, dracel.Features{EnableConsumableCapacity: true}},
	{"new", environment.NewExpressions, dracel.Features{}},
	{"new,consumable", environment.NewExpressions, dracel.Features{EnableConsumableCapacity: true}},
	{"new,lists", environment.NewExpressions, dracel.Features{EnableListTypeAttributes: true}},
	{"new,consumable,lists", environment.NewExpressions,
		dracel.Features{EnableConsumableCapacity: true, EnableListTypeAttributes: true}},
}

func environmentNames() []string {
	names := make([]string, 0, len(environments))
	for _, e := range environments {
		names = append(names, e.name)
	}
	return names
}

// result is what some devices give. Cost is only written with a value: an error may come at any point.
type result struct {
	Devices []int  `json:"devices"`
	Value   *bool  `json:"value,omitempty"`
	Error   string `json:"error,omitempty"`
	Cost    uint64 `json:"cost,omitempty"`
}

// outcome is what some environments give.
type outcome struct {
	Environments []int    `json:"environments"`
	Error        string   `json:"error,omitempty"`
	Estimate     string   `json:"estimate,omitempty"`
	Results      []result `json:"results,omitempty"`
}

type answers struct {
	Expression string    `json:"expression"`
	Outcomes   []outcome `json:"outcomes"`
}

// groups collects equal answers: each is kept once, with the numbers of all that gave it.
type groups[T any] struct {
	list []T
	at   map[string]int
}

// add files an answer under its content, which leaves the numbers out.
func (g *groups[T]) add(number int, one T, numbers func(*T) *[]int) {
	content, err := json.Marshal(one)
	if err != nil {
		panic(err) // plain data
	}
	at, ok := g.at[string(content)]
	if !ok {
		if g.at == nil {
			g.at = map[string]int{}
		}
		at = len(g.list)
		g.at[string(content)] = at
		g.list = append(g.list, one)
	}
	all := numbers(&g.list[at])
	*all = append(*all, number)
}

func answer(expression string, devices []namedDevice) answers {
	var all groups[outcome]
	for i := range environments {
		all.add(i, compileAndRun(expression, devices, environments[i]), func(o *outcome) *[]int { return &o.Environments })
	}
	return answers{Expression: expression, Outcomes: all.list}
}

func compileAndRun(expression string, devices []namedDevice, choice environmentChoice) outcome {
	compiled := dracel.GetCompiler(choice.features).CompileCELExpression(expression, dracel.Options{EnvType: &choice.kind})
	if compiled.Error != nil {
		return outcome{Error: compiled.Error.Detail}
	}
	var results groups[result]
	for i := range devices {
		r := evaluate(compiled, devices[i])
		results.add(i, r, func(r *result) *[]int { return &r.Devices })
		// One of these is enough: they take long.
		if strings.Contains(r.Error, "cost limit") {
			break
		}
	}
	return outcome{Estimate: fmt.Sprint(compiled.MaxCost), Results: results.list}
}

// walksOverNames finds expressions that may stop early while they walk over a map, whose order is random in Go.
var walksOverNames = regexp.MustCompile(`(attributes|capacity|\])\.(all|exists|exists_one|existsOne|map|filter|transform\w+)\(`)

// evaluate leaves out a cost that depends on the order in which maps are walked over.
func evaluate(compiled dracel.CompilationResult, device namedDevice) result {
	first := evaluateOnce(compiled, device)
	if first.Value == nil || !walksOverNames.MatchString(compiled.Expression) {
		return first
	}
	for range 20 {
		if again := evaluateOnce(compiled, device); again.Cost != first.Cost {
			first.Cost = 0
			break
		}
	}
	return first
}

func evaluateOnce(compiled dracel.CompilationResult, device namedDevice) result {
	matches, details, err := compiled.DeviceMatches(context.Background(), dracel.Device{
		Driver:                   device.Driver,
		AllowMultipleAllocations: device.Device.AllowMultipleAllocations,
		Attributes:               device.Device.Attributes,
		Capacity:                 device.Device.Capacity,
	})
	if err != nil {
		return result{Error: err.Error()}
	}
	one := result{Value: &matches}
	if details != nil && details.ActualCost() != nil {
		one.Cost = *details.ActualCost()
	}
	return one
}
