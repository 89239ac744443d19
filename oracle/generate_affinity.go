package main

import (
	"slices"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// addNodeRules adds node name, selector and affinity.
func (g *generator) addNodeRules(pod *v1.Pod, pending bool) {
	if !pending {
		return // They bind no one who already runs.
	}
	if g.uses("node-name", 0.03) {
		pod.Spec.NodeName = pick(g, []string{pick(g, g.nodes).Name, pick(g, g.nodes).Name, "gone"})
	}
	if g.uses("node-selector", 0.06) {
		pod.Spec.NodeSelector = map[string]string{"disk": pick(g, []string{"ssd", "hdd"})}
		if g.chance(0.2) {
			pod.Spec.NodeSelector[v1.LabelTopologyZone] = pick(g, zones)
		}
	}
	var affinity v1.NodeAffinity
	var terms []v1.NodeSelectorTerm
	if g.uses("node-affinity", 0.06) || g.uses("gt-lt", 0.03) || g.uses("match-fields", 0.02) {
		for range g.between(1, 2) {
			terms = append(terms, g.nodeTerm())
		}
		if g.chance(0.1) {
			terms = append(terms, v1.NodeSelectorTerm{}) // Matches nothing.
		}
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = &v1.NodeSelector{NodeSelectorTerms: terms}
	}
	if g.uses("preferred-node-affinity", 0.25) {
		for range g.between(1, 3) {
			affinity.PreferredDuringSchedulingIgnoredDuringExecution = append(
				affinity.PreferredDuringSchedulingIgnoredDuringExecution,
				v1.PreferredSchedulingTerm{Weight: int32(pick(g, []int{1, 7, 50, 100})), Preference: g.nodeTerm()})
		}
	}
	if affinity.RequiredDuringSchedulingIgnoredDuringExecution != nil || affinity.PreferredDuringSchedulingIgnoredDuringExecution != nil {
		pod.Spec.Affinity = &v1.Affinity{NodeAffinity: &affinity}
	}
}

func (g *generator) nodeTerm() v1.NodeSelectorTerm {
	var term v1.NodeSelectorTerm
	if g.focus["match-fields"] && g.chance(0.6) || g.chance(0.05) {
		g.tags["match-fields"] = true
		term.MatchFields = append(term.MatchFields, v1.NodeSelectorRequirement{
			Key:      metav1.ObjectNameField,
			Operator: pick(g, []v1.NodeSelectorOperator{v1.NodeSelectorOpIn, v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn}),
			Values:   []string{pick(g, []string{pick(g, g.nodes).Name, pick(g, g.nodes).Name, "gone"})},
		})
		if g.chance(0.5) {
			return term
		}
	}
	for range g.between(1, 2) {
		term.MatchExpressions = append(term.MatchExpressions, g.nodeRequirement())
	}
	return term
}

func (g *generator) nodeRequirement() v1.NodeSelectorRequirement {
	if g.focus["gt-lt"] && g.chance(0.7) || g.chance(0.08) {
		g.tags["gt-lt"] = true
		return v1.NodeSelectorRequirement{
			Key:      "generation",
			Operator: pick(g, []v1.NodeSelectorOperator{v1.NodeSelectorOpGt, v1.NodeSelectorOpLt}),
			Values:   []string{pick(g, []string{"2", "4", "0", "9", "2", "4", "1", "3", "5", "6", "-1", "+3"})},
		}
	}
	key := pick(g, []string{"disk", v1.LabelTopologyZone, "rack", "generation", "absent", v1.LabelHostname})
	values := map[string][]string{
		"disk": {"ssd", "hdd", "tape"}, v1.LabelTopologyZone: zones, "rack": racks, "generation": {"1", "v2", ""},
		"absent": {"x"}, v1.LabelHostname: {"node-00", "node-01", "node-02", "node-03"},
	}[key]
	switch g.between(0, 5) {
	case 0, 1, 2:
		return v1.NodeSelectorRequirement{Key: key, Operator: v1.NodeSelectorOpIn, Values: some(g, 1, 3, values)}
	case 3:
		return v1.NodeSelectorRequirement{Key: key, Operator: v1.NodeSelectorOpNotIn, Values: some(g, 1, 2, values)}
	case 4:
		return v1.NodeSelectorRequirement{Key: key, Operator: v1.NodeSelectorOpExists}
	default:
		return v1.NodeSelectorRequirement{Key: key, Operator: v1.NodeSelectorOpDoesNotExist}
	}
}

// labelSelector selects pods by what podLabels gives them.
func (g *generator) labelSelector() *metav1.LabelSelector {
	selector := &metav1.LabelSelector{}
	if g.chance(0.6) {
		selector.MatchLabels = map[string]string{"app": pick(g, []string{"web", "db", "cache"})}
		if g.chance(0.7) {
			return selector
		}
	}
	switch g.between(0, 4) {
	case 0:
		selector.MatchExpressions = []metav1.LabelSelectorRequirement{
			{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: some(g, 1, 2, []string{"web", "db", "cache"})}}
	case 1:
		selector.MatchExpressions = []metav1.LabelSelectorRequirement{
			{Key: "tier", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"back"}}}
	case 2:
		selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}
	case 3:
		selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpDoesNotExist}}
	default:
		selector.MatchLabels = map[string]string{"tier": pick(g, []string{"front", "back"})}
	}
	return selector
}

// oddSelector is now and then the selector of nothing (nil) or of everything ({}).
func (g *generator) oddSelector(rule string) *metav1.LabelSelector {
	if g.uses(rule, 0.05) {
		if g.chance(0.4) {
			return nil
		}
		return &metav1.LabelSelector{}
	}
	return g.labelSelector()
}

var topologyKeys = []string{
	v1.LabelTopologyZone, v1.LabelTopologyZone, v1.LabelTopologyZone, v1.LabelHostname, v1.LabelHostname, v1.LabelHostname,
	"rack", v1.LabelTopologyRegion, "disk", "generation",
}

// addSpread adds topology spread constraints; for bound pods they would mean nothing.
func (g *generator) addSpread(pod *v1.Pod, pending bool) {
	if !pending {
		return
	}
	hard, soft := g.uses("spread-hard", 0.12), g.uses("spread-soft", 0.22)
	for _, action := range []v1.UnsatisfiableConstraintAction{v1.DoNotSchedule, v1.ScheduleAnyway} {
		if action == v1.DoNotSchedule && !hard || action == v1.ScheduleAnyway && !soft {
			continue
		}
		keys := slices.Compact(some(g, 1, 2, topologyKeys))
		for _, key := range keys {
			constraint := v1.TopologySpreadConstraint{
				MaxSkew: int32(pick(g, []int{1, 1, 2, 3})), TopologyKey: key, WhenUnsatisfiable: action,
				LabelSelector: g.oddSelector("spread-odd-selector"),
			}
			if selector := constraint.LabelSelector; g.promised && selector != nil && len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
				// Upstream counts promised pods by an empty selector, though it counts nobody who runs.
				constraint.LabelSelector = g.labelSelector()
			}
			g.spreadDetails(&constraint)
			pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, constraint)
		}
	}
}

func (g *generator) spreadDetails(constraint *v1.TopologySpreadConstraint) {
	policies := []*v1.NodeInclusionPolicy{nil, pointer(v1.NodeInclusionPolicyHonor), pointer(v1.NodeInclusionPolicyIgnore)}
	if g.uses("spread-policies", 0.1) {
		constraint.NodeAffinityPolicy, constraint.NodeTaintsPolicy = pick(g, policies), pick(g, policies)
	}
	if constraint.WhenUnsatisfiable == v1.DoNotSchedule && g.uses("min-domains", 0.1) {
		constraint.MinDomains = pointer(int32(g.between(1, 5)))
	}
	if constraint.LabelSelector != nil && g.uses("spread-match-label-keys", 0.08) {
		constraint.MatchLabelKeys = some(g, 1, 2, []string{"pod-template-hash", "version"})
	}
}

// addPodAffinity adds terms that bound pods have too: they look back at the pending ones.
func (g *generator) addPodAffinity(pod *v1.Pod, pending bool) {
	rarely := 0.08
	if !pending {
		if g.chance(0.6) {
			return // Few bound pods suffice to close a zone for many pending ones.
		}
	}
	var together, apart []v1.PodAffinityTerm
	if g.uses("affinity", rarely) {
		for range pick(g, []int{1, 1, 1, 2}) {
			together = append(together, g.podTerm(pod))
		}
	}
	if g.uses("anti-affinity", rarely) {
		for range pick(g, []int{1, 1, 1, 2}) {
			apart = append(apart, g.podTerm(pod))
		}
	}
	var likes, dislikes []v1.WeightedPodAffinityTerm
	if g.uses("preferred-affinity", rarely*2) {
		likes = append(likes, g.weightedTerm(pod))
	}
	if g.uses("preferred-anti-affinity", rarely*2) {
		dislikes = append(dislikes, g.weightedTerm(pod))
	}
	if pod.Spec.Affinity == nil && (together != nil || apart != nil || likes != nil || dislikes != nil) {
		pod.Spec.Affinity = &v1.Affinity{}
	}
	if together != nil || likes != nil {
		pod.Spec.Affinity.PodAffinity = &v1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: together, PreferredDuringSchedulingIgnoredDuringExecution: likes}
	}
	if apart != nil || dislikes != nil {
		pod.Spec.Affinity.PodAntiAffinity = &v1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: apart, PreferredDuringSchedulingIgnoredDuringExecution: dislikes}
	}
}

func (g *generator) weightedTerm(pod *v1.Pod) v1.WeightedPodAffinityTerm {
	return v1.WeightedPodAffinityTerm{Weight: int32(pick(g, []int{1, 3, 10, 100})), PodAffinityTerm: g.podTerm(pod)}
}

func (g *generator) podTerm(pod *v1.Pod) v1.PodAffinityTerm {
	term := v1.PodAffinityTerm{TopologyKey: pick(g, topologyKeys), LabelSelector: g.oddSelector("affinity-odd-selector")}
	if app, ok := pod.Labels["app"]; ok && g.chance(0.3) {
		// A term that the pod itself satisfies: the first of a group may go anywhere.
		term.LabelSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
	}
	if g.uses("namespaces", 0.08) {
		term.Namespaces = some(g, 1, 2, namespaceNames)
	}
	if g.uses("namespace-selector", 0.08) {
		term.NamespaceSelector = pick(g, []*metav1.LabelSelector{
			{},
			{MatchLabels: map[string]string{"team": "a"}},
			{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: metav1.LabelSelectorOpExists}}},
			{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "team", Operator: metav1.LabelSelectorOpDoesNotExist}}},
			{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "env", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"prod"}}}},
		})
	}
	if term.LabelSelector != nil && g.uses("label-keys", 0.06) {
		if g.chance(0.5) {
			term.MatchLabelKeys = []string{pick(g, []string{"pod-template-hash", "version"})}
		} else {
			term.MismatchLabelKeys = []string{pick(g, []string{"pod-template-hash", "version"})}
		}
	}
	return term
}
