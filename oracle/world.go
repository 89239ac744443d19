package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// World is one question: a configuration (null: the scheduler's own defaults), what is in the cluster, and the pods
// that wait. Objects are kept as they were written; admission and defaulting happen when the world is built.
type World struct {
	Name string `json:"name"`
	// Tags name the rules that the generator put in; they are for judging coverage only.
	Tags    []string          `json:"tags,omitempty"`
	Config  json.RawMessage   `json:"config"`
	Objects []json.RawMessage `json:"objects"`
	Pods    []json.RawMessage `json:"pods"`
}

// objects is the content of a world by kind.
type objects struct {
	nodes           []*v1.Node
	pods            []*v1.Pod // bound ones
	promised        []*v1.Pod // nominated for a node, and not asked about
	pending         []*v1.Pod
	claims          []*v1.PersistentVolumeClaim
	volumes         []*v1.PersistentVolume
	classes         []*storagev1.StorageClass
	namespaces      []*v1.Namespace
	services        []*v1.Service
	controllers     []*v1.ReplicationController
	replicaSets     []*appsv1.ReplicaSet
	statefulSets    []*appsv1.StatefulSet
	priorityClasses []*schedulingv1.PriorityClass
	budgets         []*policyv1.PodDisruptionBudget
}

// decode reads the objects of a world. An unknown kind is an error: a question that is only half read has no answer.
func (w *World) decode() (*objects, error) {
	var all objects
	decoder := scheme.Codecs.UniversalDeserializer()
	for i, raw := range w.Objects {
		object, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("world %s: object %d: %w", w.Name, i, err)
		}
		if err := all.add(object); err != nil {
			return nil, fmt.Errorf("world %s: object %d: %w", w.Name, i, err)
		}
	}
	for i, raw := range w.Pods {
		object, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("world %s: pending pod %d: %w", w.Name, i, err)
		}
		pod, ok := object.(*v1.Pod)
		if !ok {
			return nil, fmt.Errorf("world %s: pending pod %d is a %T", w.Name, i, object)
		}
		all.pending = append(all.pending, pod)
	}
	return &all, nil
}

func (o *objects) add(object runtime.Object) error {
	switch object := object.(type) {
	case *v1.Node:
		o.nodes = append(o.nodes, object)
	case *v1.Pod:
		o.pods = append(o.pods, object)
	case *v1.PersistentVolumeClaim:
		o.claims = append(o.claims, object)
	case *v1.PersistentVolume:
		o.volumes = append(o.volumes, object)
	case *storagev1.StorageClass:
		o.classes = append(o.classes, object)
	case *v1.Namespace:
		o.namespaces = append(o.namespaces, object)
	case *v1.Service:
		o.services = append(o.services, object)
	case *v1.ReplicationController:
		o.controllers = append(o.controllers, object)
	case *appsv1.ReplicaSet:
		o.replicaSets = append(o.replicaSets, object)
	case *appsv1.StatefulSet:
		o.statefulSets = append(o.statefulSets, object)
	case *schedulingv1.PriorityClass:
		o.priorityClasses = append(o.priorityClasses, object)
	case *policyv1.PodDisruptionBudget:
		o.budgets = append(o.budgets, object)
	default:
		return fmt.Errorf("objects of type %T are not spoken here", object)
	}
	return nil
}

// forEachLine calls visit with every non-empty line of the file ("-" is standard input).
func forEachLine(path string, visit func([]byte) error) error {
	input := io.Reader(os.Stdin)
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		input = file
	}
	reader := bufio.NewReaderSize(input, 1<<20)
	for {
		line, err := reader.ReadBytes('\n')
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 {
			if err := visit(trimmed); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// forEachWorld reads one world per line. A line with a "header" key (the head of a data file) is passed over.
func forEachWorld(path string, visit func(*World) error) error {
	number := 0
	return forEachLine(path, func(line []byte) error {
		number++
		var probe struct {
			Header json.RawMessage `json:"header"`
			World
		}
		if err := json.Unmarshal(line, &probe); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if probe.Header != nil {
			return nil
		}
		world := probe.World
		if world.Name == "" {
			world.Name = fmt.Sprintf("line-%d", number)
		}
		return visit(&world)
	})
}
