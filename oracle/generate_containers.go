package main

import (
	"fmt"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
)

func newUID(name string) types.UID { return types.UID("uid-" + name) }

// addContainers gives a pod its containers and what they ask for. Bound pods ask for less, so that nodes keep room.
func (g *generator) addContainers(pod *v1.Pod, small bool) {
	for i := range g.between(1, 2) {
		container := g.container(fmt.Sprintf("main-%d", i), small)
		if i == 0 {
			g.addScalars(&container, small)
		}
		pod.Spec.Containers = append(pod.Spec.Containers, container)
	}
	init := g.uses("init", 0.1)
	sidecar := g.uses("sidecar", 0.1)
	if init || sidecar {
		g.addInitContainers(pod, init, sidecar, small)
	}
	if g.uses("overhead", 0.05) {
		pod.Spec.Overhead = v1.ResourceList{v1.ResourceCPU: resource.MustParse("250m"), v1.ResourceMemory: resource.MustParse("120Mi")}
		pod.Spec.RuntimeClassName = pointer("sandboxed")
	}
	if g.uses("pod-level", 0.06) {
		g.addPodLevel(pod)
	}
	if g.uses("images", 0.05) && g.chance(0.2) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, v1.Volume{Name: "model", VolumeSource: v1.VolumeSource{
			Image: &v1.ImageVolumeSource{Reference: pick(g, imageNames)},
		}})
	}
}

func (g *generator) container(name string, small bool) v1.Container {
	container := v1.Container{Name: name, Image: "quiet:1"}
	if g.uses("images", 0.3) {
		container.Image = pick(g, imageNames)
		if g.chance(0.3) {
			container.Image = strings.TrimSuffix(container.Image, ":latest")
		}
	}
	cpu := []string{"100m", "250m", "500m", "300m"}
	memory := []string{"128Mi", "256Mi", "100M", "640Mi"}
	if !small {
		cpu = append(cpu, "1", "1500m")
		memory = append(memory, "1Gi", "500M", "1500Mi")
		if g.uses("big", 0.04) && g.chance(0.6) {
			cpu, memory = []string{"3", "6", "12"}, []string{"6Gi", "12Gi"}
		}
	}
	requests := v1.ResourceList{
		v1.ResourceCPU:    resource.MustParse(pick(g, cpu)),
		v1.ResourceMemory: resource.MustParse(pick(g, memory)),
	}
	if g.uses("requests-odd", 0.1) {
		g.oddRequests(&container, requests)
		return container
	}
	container.Resources.Requests = requests
	if g.uses("ephemeral", 0.08) {
		requests[v1.ResourceEphemeralStorage] = resource.MustParse(pick(g, []string{"1Gi", "2Gi", "5Gi", "30Gi"}))
	}
	return container
}

// oddRequests covers absent, zero and partial requests, and limits alone.
func (g *generator) oddRequests(container *v1.Container, requests v1.ResourceList) {
	switch g.between(0, 5) {
	case 0: // Nothing at all.
	case 1:
		container.Resources.Requests = v1.ResourceList{
			v1.ResourceCPU: resource.MustParse("0"), v1.ResourceMemory: resource.MustParse("0"),
		}
	case 2:
		delete(requests, pick(g, []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory}))
		container.Resources.Requests = requests
	case 3:
		container.Resources.Limits = requests // The API server makes them requests.
	case 4:
		container.Resources.Requests = v1.ResourceList{v1.ResourceCPU: resource.MustParse(pick(g, []string{"1m", "500u", "1n"}))}
	default:
		container.Resources.Limits = requests
		container.Resources.Requests = v1.ResourceList{v1.ResourceCPU: resource.MustParse("50m")}
	}
}

// addScalars asks for devices and huge pages, whose limits and requests are equal.
func (g *generator) addScalars(container *v1.Container, small bool) {
	want := func(name v1.ResourceName, amount string) {
		if container.Resources.Limits == nil {
			container.Resources.Limits = v1.ResourceList{}
		}
		container.Resources.Limits[name] = resource.MustParse(amount)
		if container.Resources.Requests != nil {
			container.Resources.Requests[name] = resource.MustParse(amount)
		}
	}
	if g.uses("gpu", 0.1) && g.chance(0.6) {
		amounts := []string{"1", "1", "2", "4"}
		if small {
			amounts = []string{"1"}
		}
		want(gpuResource, pick(g, amounts))
	}
	if g.uses("extended", 0.08) && g.chance(0.6) {
		want(dongleResource, pick(g, []string{"0", "1", "1", "2", "5"}))
	}
	if g.uses("hugepages", 0.04) && g.chance(0.6) {
		want(hugeResource, pick(g, []string{"64Mi", "256Mi"}))
	}
}

// addInitContainers mixes ordinary ones and sidecars: order matters, because a sidecar runs beside all later ones.
func (g *generator) addInitContainers(pod *v1.Pod, init, sidecar, small bool) {
	for i := range g.between(1, 3) {
		container := g.container(fmt.Sprintf("init-%d", i), small)
		if !small && g.chance(0.3) && container.Resources.Requests != nil {
			container.Resources.Requests[v1.ResourceCPU] = resource.MustParse("2")
			container.Resources.Limits = nil
		}
		if sidecar && (!init || g.chance(0.5)) {
			container.RestartPolicy = pointer(v1.ContainerRestartPolicyAlways)
		}
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, container)
	}
}

func (g *generator) addPodLevel(pod *v1.Pod) {
	list := v1.ResourceList{}
	for _, name := range some(g, 1, 2, []v1.ResourceName{v1.ResourceCPU, v1.ResourceMemory}) {
		list[name] = resource.MustParse(pick(g, map[v1.ResourceName][]string{
			v1.ResourceCPU: {"1", "1500m", "3"}, v1.ResourceMemory: {"1Gi", "2Gi", "4Gi"},
		}[name]))
	}
	pod.Spec.Resources = &v1.ResourceRequirements{Requests: list}
	if g.chance(0.3) {
		pod.Spec.Resources = &v1.ResourceRequirements{Limits: list}
	}
}
