package main

import (
	"context"
	"errors"
	"fmt"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	configscheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// profile is one scheduling profile made ready: the framework, its plugins by name, and the weight of each score.
type profile struct {
	framework framework.Framework
	plugins   map[string]fwk.Plugin
	filters   []string // in the order in which they run
	scores    []scoreWeight
}

type scoreWeight struct {
	name   string
	weight int64
}

// cluster is a world made ready to be asked.
type cluster struct {
	objects  *objects
	snapshot *internalcache.Snapshot
	profiles map[string]*profile
	// nodes in the order of the world, which is the order of every per-node array in an answer.
	nodes []fwk.NodeInfo
}

// noDevices stands in for the manager of ResourceClaims: no device class serves an extended resource. The
// DynamicResources plugin itself is left out of every profile; its allocator has an oracle of its own.
type noDevices struct{ fwk.SharedDRAManager }

func (noDevices) DeviceClassResolver() fwk.DeviceClassResolver { return noDevices{} }

func (noDevices) GetDeviceClass(v1.ResourceName) *resourceapi.DeviceClass { return nil }

// promises is a nominator whose nominated pods stay as they are. Pods that are asked about are never among them: each is
// asked as if it were the only one.
type promises map[string][]fwk.PodInfo

func (promises) AddNominatedPod(klog.Logger, fwk.PodInfo, *fwk.NominatingInfo) {}
func (promises) DeleteNominatedPodIfExists(*v1.Pod)                            {}
func (promises) UpdateNominatedPod(klog.Logger, *v1.Pod, fwk.PodInfo)          {}
func (p promises) NominatedPodsForNode(node string) []fwk.PodInfo              { return p[node] }

func newPromises(pods []*v1.Pod) (promises, error) {
	made := promises{}
	for _, pod := range pods {
		info, err := framework.NewPodInfo(pod)
		if err != nil {
			return nil, err
		}
		made[pod.Status.NominatedNodeName] = append(made[pod.Status.NominatedNodeName], info)
	}
	return made, nil
}

// newCluster builds the scheduler's cache and one framework per profile. Listers are filled through the indexers of
// informers that never run: the plugins read only those, so no watch and no goroutine is needed.
func newCluster(ctx context.Context, world *World, validate bool) (*cluster, error) {
	metrics.Register()
	all, err := world.decode()
	if err != nil {
		return nil, err
	}
	if err := all.admit(validate); err != nil {
		return nil, fmt.Errorf("world %s: %w", world.Name, err)
	}
	configuration, err := loadConfiguration(world.Config)
	if err != nil {
		return nil, fmt.Errorf("world %s: %w", world.Name, err)
	}

	schedulerCache := internalcache.New(ctx, nil, false, false)
	logger := klog.FromContext(ctx)
	for _, node := range all.nodes {
		schedulerCache.AddNode(logger, node)
	}
	for _, pod := range all.pods {
		if err := schedulerCache.AddPod(logger, pod); err != nil {
			return nil, fmt.Errorf("world %s: %w", world.Name, err)
		}
	}
	snapshot := internalcache.NewEmptySnapshot()
	if err := schedulerCache.UpdateSnapshot(logger, snapshot); err != nil {
		return nil, err
	}

	nominator, err := newPromises(all.promised)
	if err != nil {
		return nil, fmt.Errorf("world %s: %w", world.Name, err)
	}
	client := fake.NewClientset()
	factory := scheduler.NewInformerFactory(client, 0, nil)
	c := &cluster{objects: all, snapshot: snapshot, profiles: map[string]*profile{}}
	for i := range configuration.Profiles {
		made, err := newProfile(ctx, &configuration.Profiles[i], client, factory, snapshot, nominator)
		if err != nil {
			return nil, fmt.Errorf("world %s: %w", world.Name, err)
		}
		c.profiles[configuration.Profiles[i].SchedulerName] = made
	}
	if err := all.fill(factory); err != nil {
		return nil, err
	}
	for _, node := range all.nodes {
		info, err := snapshot.Get(node.Name)
		if err != nil {
			return nil, err
		}
		c.nodes = append(c.nodes, info)
	}
	return c, nil
}

// admit replaces nodes and pods by what the API server would have stored, and drops what the scheduler never sees:
// pods that ended, and pods that are neither bound to a known node nor nominated for one.
func (o *objects) admit(validate bool) error {
	known := map[string]bool{}
	for _, node := range o.nodes {
		legacyscheme.Scheme.Default(node)
		known[node.Name] = true
	}
	for _, class := range o.classes {
		legacyscheme.Scheme.Default(class)
	}
	bound := o.pods[:0]
	for _, pod := range o.pods {
		admitted, err := admitPod(pod, o.priorityClasses, validate)
		if err != nil {
			return err
		}
		if pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed {
			continue
		}
		if known[admitted.Spec.NodeName] {
			bound = append(bound, admitted)
		} else if admitted.Spec.NodeName == "" && known[admitted.Status.NominatedNodeName] {
			o.promised = append(o.promised, admitted)
		}
	}
	o.pods = bound
	for i, pod := range o.pending {
		admitted, err := admitPod(pod, o.priorityClasses, validate)
		if err != nil {
			return err
		}
		o.pending[i] = admitted
	}
	return nil
}

// fill puts the objects into the indexers that the listers read.
func (o *objects) fill(factory informers.SharedInformerFactory) error {
	var errs []error
	add := func(informer cache.SharedIndexInformer, object runtime.Object) {
		errs = append(errs, informer.GetIndexer().Add(object))
	}
	for _, object := range o.nodes {
		add(factory.Core().V1().Nodes().Informer(), object)
	}
	for _, object := range o.pods {
		add(factory.Core().V1().Pods().Informer(), object)
	}
	for _, object := range o.promised {
		add(factory.Core().V1().Pods().Informer(), object)
	}
	for _, object := range o.pending {
		add(factory.Core().V1().Pods().Informer(), object)
	}
	for _, object := range o.claims {
		add(factory.Core().V1().PersistentVolumeClaims().Informer(), object)
	}
	for _, object := range o.volumes {
		add(factory.Core().V1().PersistentVolumes().Informer(), object)
	}
	for _, object := range o.classes {
		add(factory.Storage().V1().StorageClasses().Informer(), object)
	}
	for _, object := range o.namespaces {
		add(factory.Core().V1().Namespaces().Informer(), object)
	}
	for _, object := range o.services {
		add(factory.Core().V1().Services().Informer(), object)
	}
	for _, object := range o.controllers {
		add(factory.Core().V1().ReplicationControllers().Informer(), object)
	}
	for _, object := range o.replicaSets {
		add(factory.Apps().V1().ReplicaSets().Informer(), object)
	}
	for _, object := range o.statefulSets {
		add(factory.Apps().V1().StatefulSets().Informer(), object)
	}
	for _, object := range o.budgets {
		add(factory.Policy().V1().PodDisruptionBudgets().Informer(), object)
	}
	return errors.Join(errs...)
}

// loadConfiguration decodes, defaults and validates as the scheduler's own command does.
func loadConfiguration(raw []byte) (*config.KubeSchedulerConfiguration, error) {
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte(`{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"}`)
	}
	object, gvk, err := configscheme.Codecs.UniversalDecoder().Decode(raw, nil, nil)
	if err != nil {
		return nil, err
	}
	configuration, ok := object.(*config.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("the configuration is a %s", gvk)
	}
	configuration.TypeMeta.APIVersion = gvk.GroupVersion().String()
	if err := validation.ValidateKubeSchedulerConfiguration(configuration); err != nil {
		return nil, err
	}
	return configuration, nil
}

func newProfile(ctx context.Context, settings *config.KubeSchedulerProfile, client *fake.Clientset,
	factory informers.SharedInformerFactory, snapshot *internalcache.Snapshot, nominator promises) (*profile, error) {
	enabled := settings.Plugins.MultiPoint.Enabled[:0]
	for _, plugin := range settings.Plugins.MultiPoint.Enabled {
		if plugin.Name != names.DynamicResources {
			enabled = append(enabled, plugin)
		}
	}
	settings.Plugins.MultiPoint.Enabled = enabled

	made := &profile{plugins: map[string]fwk.Plugin{}}
	registry := plugins.NewInTreeRegistry()
	for name, factory := range registry {
		registry[name] = func(ctx context.Context, args runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
			plugin, err := factory(ctx, args, handle)
			made.plugins[name] = plugin
			return plugin, err
		}
	}
	var err error
	made.framework, err = frameworkruntime.NewFramework(ctx, registry, settings,
		frameworkruntime.WithClientSet(client),
		frameworkruntime.WithInformerFactory(factory),
		frameworkruntime.WithSharedDRAManager(noDevices{}),
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(factory.Storage().V1().CSINodes().Lister())),
		frameworkruntime.WithSnapshotSharedLister(snapshot),
		frameworkruntime.WithMutableSnapshotLister(snapshot),
		frameworkruntime.WithPodNominator(nominator),
		// One worker: the answer must not depend on the order in which workers finish.
		frameworkruntime.WithParallelism(1),
	)
	if err != nil {
		return nil, err
	}
	listed := made.framework.ListPlugins()
	for _, plugin := range listed.Filter.Enabled {
		made.filters = append(made.filters, plugin.Name)
	}
	for _, plugin := range listed.Score.Enabled {
		made.scores = append(made.scores, scoreWeight{plugin.Name, int64(plugin.Weight)})
	}
	return made, nil
}
