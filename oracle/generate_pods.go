package main

import (
	"cmp"
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// epoch is the time at which the first pod of a world started; worlds know no clock.
var epoch = time.Date(2026, time.January, 5, 8, 0, 0, 0, time.UTC)

// validPod makes pods until one would be accepted by the API server. Rules are combined blindly, so some
// combinations are refused; a world must not contain them.
func (g *generator) validPod(node string) (*v1.Pod, error) {
	var err error
	for range 40 {
		pod := g.pod(node)
		if _, err = admitPod(pod, g.classes, true); err == nil {
			return pod, nil
		}
	}
	return nil, fmt.Errorf("no valid pod in 40 tries, last: %w", err)
}

func (g *generator) makeBoundPods() error {
	for _, node := range g.nodes {
		count := g.between(0, 4)
		if g.full {
			count = g.between(3, 6)
		}
		for range count {
			pod, err := g.validPod(node.Name)
			if err != nil {
				return err
			}
			if g.full {
				g.fillUp(pod, node, count)
			}
			g.objects = append(g.objects, pod)
		}
	}
	return nil
}

// fillUp makes a bound pod so large that all pods of its node together take nearly everything.
func (g *generator) fillUp(pod *v1.Pod, node *v1.Node, count int) {
	for _, name := range []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory} {
		share, ok := node.Status.Capacity[name]
		if !ok || pod.Spec.Resources != nil {
			return
		}
		resources := &pod.Spec.Containers[0].Resources
		if resources.Requests == nil {
			resources.Requests = v1.ResourceList{}
		}
		delete(resources.Limits, name)
		if name == v1.ResourceCPU {
			resources.Requests[name] = *resource.NewMilliQuantity(share.MilliValue()*9/10/int64(count), resource.DecimalSI)
		} else {
			resources.Requests[name] = *resource.NewQuantity(share.Value()*9/10/int64(count), resource.BinarySI)
		}
	}
}

// pod makes a pod bound to node, or a pending one if node is empty.
func (g *generator) pod(node string) *v1.Pod {
	pending := node == ""
	pod := &v1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: pick(g, []string{"default", "default", "default", "team-a", "team-b", "orphan"}),
			Labels:    g.podLabels(),
		},
	}
	pod.Name = g.name("run")
	if pending {
		pod.Name = g.name("wait")
	}
	pod.UID = newUID(pod.Name)
	g.addContainers(pod, !pending)
	g.addNodeRules(pod, pending)
	g.addTolerations(pod)
	g.addPorts(pod, node)
	g.addSpread(pod, pending)
	g.addPodAffinity(pod, pending)
	g.addOwner(pod)
	g.addClaims(pod, pending)
	if pending {
		g.addVolumeChoice(pod)
	}
	g.addPriority(pod, pending)
	if pending {
		if g.uses("gates", 0.02) {
			pod.Spec.SchedulingGates = []v1.PodSchedulingGate{{Name: "example.com/wait"}}
		}
		rarely := 0.04
		if g.full {
			rarely = 0.3
		}
		if g.uses("nominated", rarely) {
			pod.Status.NominatedNodeName = pick(g, []string{pick(g, g.nodes).Name, pick(g, g.nodes).Name, "gone"})
		}
		if g.uses("scheduler-name", 0.05) || len(g.profiles) > 1 {
			pod.Spec.SchedulerName = pick(g, append([]string{"nobody"}, append(g.profiles, g.profiles...)...))
		}
		return pod
	}
	pod.Spec.NodeName = node
	g.addStatus(pod)
	return pod
}

func (g *generator) podLabels() map[string]string {
	if g.chance(0.05) {
		return nil
	}
	labels := map[string]string{"app": pick(g, []string{"web", "db", "cache"})}
	if g.chance(0.6) {
		labels["tier"] = pick(g, []string{"front", "back"})
	}
	if g.chance(0.6) {
		labels["pod-template-hash"] = pick(g, []string{"aaa", "bbb"})
	}
	if g.chance(0.2) {
		labels["version"] = pick(g, []string{"1", "2"})
	}
	return labels
}

func (g *generator) addStatus(pod *v1.Pod) {
	started := metav1.NewTime(epoch.Add(time.Duration(g.serial*97%500) * time.Minute))
	pod.Status.Phase = v1.PodRunning
	if g.chance(0.1) {
		pod.Status.Phase = v1.PodPending
	}
	pod.Status.StartTime = &started
	if g.chance(0.06) {
		pod.Status.Phase = pick(g, []v1.PodPhase{v1.PodSucceeded, v1.PodFailed})
		g.tags["ended"] = true
	}
	rarely := 0.06
	if g.full {
		rarely = 0.15
	}
	if g.uses("terminating", rarely) {
		pod.DeletionTimestamp = pointer(metav1.NewTime(epoch.Add(time.Hour)))
		pod.DeletionGracePeriodSeconds = pointer(int64(30))
		if g.chance(0.5) {
			// Evicted for a pod that may be nominated for its node.
			pod.Status.Conditions = append(pod.Status.Conditions, v1.PodCondition{
				Type: v1.DisruptionTarget, Status: v1.ConditionTrue, Reason: v1.PodReasonPreemptionByScheduler,
			})
		}
	}
	if g.uses("in-place-resize", 0.03) {
		g.addResize(pod)
	}
}

// addResize reports container resources in the status that differ from the spec, as while a resize is under way.
func (g *generator) addResize(pod *v1.Pod) {
	for _, container := range pod.Spec.Containers {
		actual := v1.ResourceList{
			v1.ResourceCPU:    resource.MustParse(pick(g, []string{"50m", "900m", "1500m"})),
			v1.ResourceMemory: resource.MustParse(pick(g, []string{"64Mi", "1Gi"})),
		}
		status := v1.ContainerStatus{Name: container.Name}
		if g.chance(0.7) {
			status.AllocatedResources = actual
		}
		if g.chance(0.7) {
			status.Resources = &v1.ResourceRequirements{Requests: actual}
		}
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status)
	}
	if g.chance(0.4) {
		pod.Status.Conditions = append(pod.Status.Conditions, v1.PodCondition{
			Type: v1.PodResizePending, Status: v1.ConditionTrue,
			Reason: pick(g, []string{v1.PodReasonInfeasible, v1.PodReasonDeferred}),
		})
	}
}

func (g *generator) addPriority(pod *v1.Pod, pending bool) {
	if len(g.classes) == 0 {
		return
	}
	if g.chance(0.5) {
		pod.Spec.PriorityClassName = pick(g, g.classes).Name
	}
	if g.full && g.chance(0.7) {
		pod.Spec.PriorityClassName = "low"
		if pending {
			pod.Spec.PriorityClassName = "high"
		}
	}
}

// makePromisedPods adds pods that were promised a node, most of them while its victims leave. They wait for nothing but
// room: whether who is held keeps its promise is another question. They have no required anti-affinity, which upstream
// overlooks where neither the pod that is asked about nor who runs brings InterPodAffinity into play.
func (g *generator) makePromisedPods() error {
	rarely := 0.05
	if g.full {
		rarely = 0.4
	}
	if !g.uses("promised", rarely) {
		return nil
	}
	g.promised = true
	for range g.between(1, 3) {
		pod, err := g.validPod("")
		if err != nil {
			return err
		}
		node := pick(g, g.nodes)
		pod.Spec.NodeName, pod.Spec.SchedulingGates, pod.Spec.Volumes = "", nil, nil
		pod.Spec.SchedulerName = v1.DefaultSchedulerName
		if affinity := pod.Spec.Affinity; affinity != nil && affinity.PodAntiAffinity != nil {
			affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = nil
		}
		pod.Status.NominatedNodeName = node.Name
		g.fillUp(pod, node, pick(g, []int{1, 2, 4, 10}))
		g.objects = append(g.objects, pod)
	}
	return nil
}

func (g *generator) makeBudgets() {
	rarely := 0.1
	if g.full {
		rarely = 0.6
	}
	if !g.uses("budgets", rarely) {
		return
	}
	for range g.between(1, 3) {
		budget := &policyv1.PodDisruptionBudget{
			TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
			ObjectMeta: metav1.ObjectMeta{Name: g.name("budget"), Namespace: pick(g, namespaceNames)},
		}
		budget.Spec.Selector = g.labelSelector()
		if g.chance(0.15) {
			budget.Spec.Selector = pick(g, []*metav1.LabelSelector{nil, {}})
		}
		budget.Spec.MaxUnavailable = pointer(intstr.FromInt32(1))
		budget.Status.DisruptionsAllowed = int32(g.between(0, 2))
		g.objects = append(g.objects, budget)
	}
}

func (g *generator) addTolerations(pod *v1.Pod) {
	for range 2 {
		if !g.uses("toleration", 0.1) {
			continue
		}
		if g.uses("compared-toleration", 0.15) {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, g.comparedToleration())
			continue
		}
		toleration := v1.Toleration{Key: pick(g, taintKeys)}
		switch g.between(0, 6) {
		case 0:
			toleration.Operator = v1.TolerationOpExists
		case 1:
			toleration = v1.Toleration{Operator: v1.TolerationOpExists}
		case 2:
			toleration.Operator, toleration.Value = v1.TolerationOpEqual, pick(g, taintValues)
		case 3:
			toleration.Key += "-soft"
			toleration.Operator = v1.TolerationOpExists
		case 4:
			toleration = v1.Toleration{Key: v1.TaintNodeUnschedulable, Operator: v1.TolerationOpExists}
		default:
			toleration.Value = pick(g, taintValues) // No operator means Equal.
		}
		if g.chance(0.5) {
			toleration.Effect = pick(g, []v1.TaintEffect{
				v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule,
			})
		}
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, toleration)
	}
}

// comparedToleration is one of Lt or Gt about taints with a number, which matches nothing while its gate is off.
func (g *generator) comparedToleration() v1.Toleration {
	toleration := v1.Toleration{
		Key:      pick(g, taintKeys),
		Operator: pick(g, []v1.TolerationOperator{v1.TolerationOpLt, v1.TolerationOpGt}),
		Value:    pick(g, []string{"3", "5", "7", "-1", "0", "9223372036854775807"}),
	}
	if g.chance(0.3) {
		toleration.Key += "-soft"
	}
	return toleration
}

// addPorts asks for host ports out of few, so that they clash.
func (g *generator) addPorts(pod *v1.Pod, node string) {
	if !g.uses("host-port", 0.1) {
		return
	}
	port := func() v1.ContainerPort {
		number := int32(pick(g, []int{80, 443}))
		port := v1.ContainerPort{
			ContainerPort: number, HostPort: number,
			HostIP:   pick(g, []string{"", "", "0.0.0.0", "10.0.0.1", "10.0.0.2", "::"}),
			Protocol: pick(g, []v1.Protocol{"", v1.ProtocolTCP, v1.ProtocolTCP, v1.ProtocolUDP, v1.ProtocolSCTP}),
		}
		taken := fmt.Sprintf("%s %d %s", node, number, cmp.Or(port.Protocol, v1.ProtocolTCP))
		if node != "" && g.ports[taken] {
			port.HostPort = 0
		}
		g.ports[taken] = true
		return port
	}
	if taken := node + " 80 TCP"; g.chance(0.15) && len(pod.Spec.InitContainers) == 0 && (node == "" || !g.ports[taken]) {
		g.ports[taken] = true
		pod.Spec.HostNetwork = true
		pod.Spec.Containers[0].Ports = []v1.ContainerPort{{ContainerPort: 80}}
		return
	}
	pod.Spec.Containers[0].Ports = []v1.ContainerPort{port()}
	for i := range pod.Spec.InitContainers {
		if g.chance(0.5) {
			// Counts for a sidecar only.
			pod.Spec.InitContainers[i].Ports = []v1.ContainerPort{port()}
		}
	}
}
