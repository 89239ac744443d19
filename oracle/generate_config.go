package main

import (
	"encoding/json"

	v1 "k8s.io/api/core/v1"
)

// tree is a JSON object. Configurations are written as such, because that is how users write them.
type tree map[string]any

// makeConfig chooses the scheduler configuration of the world; null keeps the defaults.
func (g *generator) makeConfig() {
	g.config = json.RawMessage("null")
	profiles := []tree{g.makeProfile(v1.DefaultSchedulerName)}
	if g.uses("scheduler-name", 0.08) {
		profiles = append(profiles, g.makeProfile("second"))
		g.profiles = append(g.profiles, "second")
	}
	if len(profiles) == 1 && len(profiles[0]) == 1 {
		return
	}
	raw, err := json.Marshal(tree{
		"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": profiles,
	})
	if err != nil {
		panic(err) // Maps of plain values can always be written.
	}
	g.config = raw
}

func (g *generator) makeProfile(name string) tree {
	profile := tree{"schedulerName": name}
	var arguments []tree
	add := func(plugin string, args tree) {
		arguments = append(arguments, tree{"name": plugin, "args": args})
	}
	if g.uses("config-fit", 0.75) {
		add("NodeResourcesFit", g.fitArguments())
	}
	if g.uses("config-balanced", 0.15) {
		var resources []tree
		for _, name := range some(g, 1, 4, []string{"cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "example.com/dongle"}) {
			resources = append(resources, tree{"name": name, "weight": 1})
		}
		add("NodeResourcesBalancedAllocation", tree{"resources": resources})
	}
	if g.uses("config-affinity", 0.1) {
		args := tree{"hardPodAffinityWeight": pick(g, []int{0, 5, 50, 100})}
		if g.chance(0.5) {
			args["ignorePreferredTermsOfExistingPods"] = true
		}
		add("InterPodAffinity", args)
	}
	if g.uses("config-spread", 0.12) {
		add("PodTopologySpread", g.spreadArguments())
	}
	if g.uses("config-added-affinity", 0.06) {
		add("NodeAffinity", tree{"addedAffinity": g.addedAffinity()})
	}
	if len(arguments) > 0 {
		profile["pluginConfig"] = arguments
	}
	if g.uses("config-plugins", 0.15) {
		profile["plugins"] = g.pluginSets()
	}
	return profile
}

func (g *generator) fitArguments() tree {
	args := tree{}
	if g.chance(0.15) {
		args["ignoredResources"] = []string{pick(g, []string{"example.com/dongle", "nvidia.com/gpu"})}
	}
	if g.chance(0.15) {
		args["ignoredResourceGroups"] = []string{pick(g, []string{"example.com", "nvidia.com"})}
	}
	var resources []tree
	names := []string{"cpu", "memory", "nvidia.com/gpu", "example.com/dongle", "ephemeral-storage", "hugepages-2Mi", "absent.example.com/x"}
	if g.chance(0.7) {
		for _, name := range some(g, 1, 4, names) {
			entry := tree{"name": name}
			if g.chance(0.8) {
				entry["weight"] = pick(g, []int{1, 1, 2, 3, 10, 100})
			}
			resources = append(resources, entry)
		}
		if g.chance(0.7) && resources[0]["name"] != "cpu" {
			resources = append(resources, tree{"name": "cpu", "weight": 1})
		}
	}
	strategy := tree{"type": pick(g, []string{
		"LeastAllocated", "MostAllocated", "MostAllocated", "MostAllocated", "MostAllocated", "RequestedToCapacityRatio",
		"RequestedToCapacityRatio", "RequestedToCapacityRatio", "RequestedToCapacityRatio", "RequestedToCapacityRatio",
	})}
	if resources != nil {
		strategy["resources"] = resources
	}
	if strategy["type"] == "RequestedToCapacityRatio" {
		strategy["requestedToCapacityRatio"] = tree{"shape": g.shape()}
	}
	args["scoringStrategy"] = strategy
	return args
}

// shape is a broken line: rising, falling, both, or a single point.
func (g *generator) shape() []tree {
	point := func(utilization, score int) tree { return tree{"utilization": utilization, "score": score} }
	return pick(g, [][]tree{
		{point(0, 0), point(100, 10)},
		{point(0, 10), point(100, 0)},
		{point(0, 0), point(40, 3), point(70, 10), point(100, 2)},
		{point(10, 7), point(33, 1), point(90, 9)},
		{point(50, 5)},
		{point(0, 10), point(7, 3), point(60, 0)},
	})
}

func (g *generator) spreadArguments() tree {
	if g.chance(0.2) {
		return tree{"defaultingType": "List"}
	}
	constraints := some(g, 1, 3, []tree{
		{"maxSkew": 1, "topologyKey": v1.LabelTopologyZone, "whenUnsatisfiable": "ScheduleAnyway"},
		{"maxSkew": 2, "topologyKey": v1.LabelHostname, "whenUnsatisfiable": "ScheduleAnyway"},
		{"maxSkew": 2, "topologyKey": v1.LabelTopologyZone, "whenUnsatisfiable": "DoNotSchedule"},
		{"maxSkew": 1, "topologyKey": "rack", "whenUnsatisfiable": "DoNotSchedule"},
		{"maxSkew": 4, "topologyKey": "rack", "whenUnsatisfiable": "ScheduleAnyway"},
	})
	return tree{"defaultingType": "List", "defaultConstraints": constraints}
}

func (g *generator) addedAffinity() tree {
	in := func(key string, values ...string) tree {
		return tree{"matchExpressions": []tree{{"key": key, "operator": "In", "values": values}}}
	}
	added := tree{}
	if g.chance(0.7) {
		added["requiredDuringSchedulingIgnoredDuringExecution"] = tree{"nodeSelectorTerms": []tree{
			pick(g, []tree{in("disk", "ssd"), in(v1.LabelTopologyZone, "zone-a", "zone-b"), in("rack", "r1", "r2", "r3")}),
		}}
	}
	if len(added) == 0 || g.chance(0.5) {
		added["preferredDuringSchedulingIgnoredDuringExecution"] = []tree{
			{"weight": 20, "preference": in("disk", "hdd")},
			{"weight": 5, "preference": tree{"matchExpressions": []tree{{"key": "generation", "operator": "Gt", "values": []string{"2"}}}}},
		}
	}
	return added
}

// pluginSets disables, reorders and reweighs plugins at all points and at single ones.
func (g *generator) pluginSets() tree {
	weighted := func(name string) tree { return tree{"name": name, "weight": pick(g, []int{1, 2, 5, 17})} }
	switch g.between(0, 4) {
	case 0:
		return tree{"score": tree{
			"disabled": []tree{{"name": "*"}},
			"enabled":  []tree{weighted("NodeResourcesFit"), weighted("NodeResourcesBalancedAllocation"), weighted("ImageLocality")},
		}}
	case 1:
		return tree{"score": tree{"enabled": []tree{weighted("PodTopologySpread"), weighted("TaintToleration"), weighted("NodeAffinity")}}}
	case 2:
		return tree{"multiPoint": tree{
			"disabled": []tree{{"name": pick(g, []string{"ImageLocality", "TaintToleration", "InterPodAffinity", "NodePorts"})}},
			"enabled":  []tree{weighted("NodeResourcesFit")},
		}}
	case 3:
		return tree{"filter": tree{"disabled": []tree{{"name": pick(g, []string{"TaintToleration", "PodTopologySpread", "NodeResourcesFit"})}}}}
	default:
		return tree{
			"multiPoint": tree{"enabled": []tree{weighted("InterPodAffinity"), weighted("PodTopologySpread")}},
			"score":      tree{"disabled": []tree{{"name": "NodeResourcesBalancedAllocation"}}},
		}
	}
}
