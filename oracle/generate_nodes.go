package main

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	gpuResource    = v1.ResourceName("nvidia.com/gpu")
	dongleResource = v1.ResourceName("example.com/dongle")
	hugeResource   = v1.ResourceName("hugepages-2Mi")
)

var (
	namespaceNames = []string{"default", "team-a", "team-b", "orphan"}
	zones          = []string{"zone-a", "zone-b", "zone-c"}
	racks          = []string{"r1", "r2", "r3", "r4"}
	// generations are label values for Gt and Lt: some are integers, some only look like it.
	generations = []string{"1", "2", "3", "5", "10", "007", "v2", "12x", "", "2.5", "9223372036854775808"}
	taintKeys   = []string{"dedicated", "flaky", "maintenance"}
	taintValues = []string{"", "a", "b", "5", "5", "9", "05", "-1"}
	imageNames  = []string{
		"registry.example.com/web:1", "registry.example.com/web:2", "registry.example.com/big:latest", "busybox:latest",
		"registry.example.com:5000/team/tool:latest", "registry.example.com/model@sha256:0000",
	}
)

func (g *generator) makeNamespaces() {
	for _, name := range namespaceNames {
		if name == "orphan" {
			continue // Its pods live in a namespace that has no object.
		}
		labels := map[string]string{v1.LabelMetadataName: name}
		switch name {
		case "team-a":
			labels["team"], labels["env"] = "a", pick(g, []string{"prod", "dev"})
		case "team-b":
			labels["team"] = "b"
		}
		g.objects = append(g.objects, &v1.Namespace{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		})
	}
}

func (g *generator) makePriorityClasses() {
	if !g.full && !g.uses("priority", 0.4) {
		return
	}
	never := v1.PreemptNever
	classes := []*schedulingv1.PriorityClass{
		{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 1000},
		{ObjectMeta: metav1.ObjectMeta{Name: "low"}, Value: -10},
		{ObjectMeta: metav1.ObjectMeta{Name: "patient"}, Value: 2000, PreemptionPolicy: &never},
	}
	if g.chance(0.4) {
		classes = append(classes, &schedulingv1.PriorityClass{
			ObjectMeta: metav1.ObjectMeta{Name: "usual"}, Value: 7, GlobalDefault: true,
		})
	}
	for _, class := range classes {
		class.TypeMeta = metav1.TypeMeta{APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass"}
		g.objects = append(g.objects, class)
	}
	g.tags["priority"] = true
	g.classes = classes
}

func (g *generator) makeNodes() {
	for i := range g.between(4, 12) {
		node := &v1.Node{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%02d", i)},
		}
		node.Labels = g.nodeLabels(node.Name)
		g.limitNode(node)
		g.nodeResources(node)
		g.nodeImages(node)
		g.nodes = append(g.nodes, node)
		g.objects = append(g.objects, node)
	}
}

func (g *generator) nodeLabels(name string) map[string]string {
	if g.uses("labels-missing", 0) && g.chance(0.2) {
		return nil
	}
	labels := map[string]string{
		v1.LabelHostname:       name,
		v1.LabelTopologyZone:   pick(g, zones),
		v1.LabelTopologyRegion: "region-1",
		"disk":                 pick(g, []string{"ssd", "hdd"}),
		"generation":           pick(g, generations),
		"rack":                 pick(g, racks),
	}
	if g.uses("labels-missing", 0.03) {
		delete(labels, pick(g, []string{v1.LabelHostname, v1.LabelTopologyZone, v1.LabelTopologyZone, "disk", "rack"}))
	}
	if g.uses("labels-missing", 0.02) && g.chance(0.3) {
		labels[v1.LabelHostname] = "shared-host"
	}
	if g.chance(0.3) {
		delete(labels, "generation")
	}
	g.respellZones(labels)
	return labels
}

// respellZones takes a node's region or both its zone labels, or adds the zone under its old name, which need not agree.
func (g *generator) respellZones(labels map[string]string) {
	if !g.uses("volume-zones", 0.03) {
		return
	}
	switch g.between(0, 4) {
	case 0:
		delete(labels, v1.LabelTopologyRegion)
	case 1:
		delete(labels, v1.LabelTopologyRegion)
		delete(labels, v1.LabelTopologyZone)
	case 2:
		labels[v1.LabelFailureDomainBetaZone] = labels[v1.LabelTopologyZone]
		delete(labels, v1.LabelTopologyZone)
	default:
		labels[v1.LabelFailureDomainBetaZone] = pick(g, zones)
	}
}

// limitNode cordons and taints.
func (g *generator) limitNode(node *v1.Node) {
	if g.uses("unschedulable", 0.04) {
		node.Spec.Unschedulable = true
		if g.chance(0.5) {
			node.Spec.Taints = append(node.Spec.Taints, v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule})
		}
	}
	if g.uses("taint", 0.07) {
		taint := v1.Taint{
			Key: pick(g, taintKeys), Value: pick(g, taintValues),
			Effect: pick(g, []v1.TaintEffect{v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute}),
		}
		node.Spec.Taints = append(node.Spec.Taints, taint)
		if g.chance(0.3) {
			// The same key with another effect is another taint.
			taint.Effect = v1.TaintEffectPreferNoSchedule
			node.Spec.Taints = append(node.Spec.Taints, taint)
		}
	}
	if g.uses("taint-prefer", 0.2) {
		for _, key := range some(g, 1, 2, taintKeys) {
			node.Spec.Taints = append(node.Spec.Taints, v1.Taint{
				Key: key + "-soft", Value: pick(g, taintValues), Effect: v1.TaintEffectPreferNoSchedule,
			})
		}
	}
}

func (g *generator) nodeResources(node *v1.Node) {
	list := v1.ResourceList{
		v1.ResourceCPU:              resource.MustParse(pick(g, []string{"4", "8", "8", "16", "32", "3500m", "15910m"})),
		v1.ResourceMemory:           resource.MustParse(pick(g, []string{"8Gi", "16Gi", "32Gi", "15999Mi", "24G", "64Gi", "15842Ki"})),
		v1.ResourceEphemeralStorage: resource.MustParse(pick(g, []string{"20Gi", "100G", "47093746742"})),
		v1.ResourcePods:             resource.MustParse("110"),
	}
	if list.Memory().Value() < 1<<30 {
		list[v1.ResourceMemory] = resource.MustParse("15842Mi")
	}
	if g.uses("few-pods", 0.05) {
		list[v1.ResourcePods] = resource.MustParse(pick(g, []string{"1", "2", "3", "4"}))
	}
	if g.uses("gpu", 0.5) {
		list[gpuResource] = resource.MustParse(pick(g, []string{"0", "2", "4", "8", "8"}))
	}
	if g.uses("extended", 0.4) {
		list[dongleResource] = resource.MustParse(pick(g, []string{"3", "10", "20"}))
	}
	if g.uses("hugepages", 0.4) {
		list[hugeResource] = resource.MustParse(pick(g, []string{"0", "1Gi", "2Gi", "512Mi"}))
	}
	if g.uses("requests-odd", 0.02) && g.chance(0.3) {
		delete(list, pick(g, []v1.ResourceName{v1.ResourceMemory, v1.ResourceEphemeralStorage, v1.ResourcePods}))
	}
	node.Status.Capacity = list
	if g.chance(0.9) {
		node.Status.Allocatable = list.DeepCopy()
		if cpu := list.Cpu().MilliValue(); g.chance(0.3) && cpu > 200 {
			node.Status.Allocatable[v1.ResourceCPU] = *resource.NewMilliQuantity(cpu-80, resource.DecimalSI)
		}
	}
}

func (g *generator) nodeImages(node *v1.Node) {
	if !g.uses("images", 0.5) {
		return
	}
	for _, name := range some(g, 1, 4, imageNames) {
		image := v1.ContainerImage{
			Names:     []string{name},
			SizeBytes: pick(g, []int64{5 << 20, 23 << 20, 200 << 20, 700 << 20, 1500 << 20, 9 << 30}),
		}
		if g.chance(0.2) {
			image.Names = append(image.Names, name+"-alias")
		}
		node.Status.Images = append(node.Status.Images, image)
	}
}
