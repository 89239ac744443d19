package main

import (
	"context"
	"fmt"

	v1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // registers defaults and conversions
	"k8s.io/kubernetes/pkg/features"
	podregistry "k8s.io/kubernetes/pkg/registry/core/pod"
)

// admitPod does to a pod what the API server does before a scheduler sees it: defaults, then the create strategy
// (label keys of affinity and spread terms become selectors, pod-level resources are filled in), then the priority
// of its class. The status is kept, which the strategy would reset, because bound pods need theirs. With validate
// the API server's own validation decides whether such a pod could exist.
func admitPod(pod *v1.Pod, classes []*schedulingv1.PriorityClass, validate bool) (*v1.Pod, error) {
	versioned := pod.DeepCopy()
	resolvePriority(versioned, classes)
	legacyscheme.Scheme.Default(versioned)
	var internal api.Pod
	if err := legacyscheme.Scheme.Convert(versioned, &internal, nil); err != nil {
		return nil, err
	}
	ctx := genericapirequest.WithNamespace(context.Background(), pod.Namespace)
	podregistry.Strategy.PrepareForCreate(ctx, &internal)
	if validate {
		if errs := validatePod(ctx, &internal); len(errs) != 0 {
			return nil, fmt.Errorf("pod %s/%s is not valid: %w", pod.Namespace, pod.Name, errs.ToAggregate())
		}
	}
	var admitted v1.Pod
	if err := legacyscheme.Scheme.Convert(&internal, &admitted, nil); err != nil {
		return nil, err
	}
	admitted.Status = *pod.Status.DeepCopy()
	if admitted.UID == "" {
		// The cache knows pods by uid; one that was written by hand has none.
		admitted.UID = types.UID(pod.Namespace + "/" + pod.Name)
	}
	return &admitted, nil
}

// validatePod lets tolerations with Lt and Gt pass, as pods have them that were stored while the gate for these was on. The
// scheduler itself runs with every gate at its default.
func validatePod(ctx context.Context, pod *api.Pod) field.ErrorList {
	gates := utilfeature.DefaultMutableFeatureGate
	set := func(value bool) {
		if err := gates.SetFromMap(map[string]bool{string(features.TaintTolerationComparisonOperators): value}); err != nil {
			panic(err) // The gate can be set as long as there is one.
		}
	}
	set(true)
	defer set(false)
	return podregistry.Strategy.Validate(ctx, pod)
}

// resolvePriority does the part of the Priority admission plugin that scheduling depends on.
func resolvePriority(pod *v1.Pod, classes []*schedulingv1.PriorityClass) {
	if pod.Spec.Priority != nil {
		return
	}
	name := pod.Spec.PriorityClassName
	var chosen *schedulingv1.PriorityClass
	for _, class := range classes {
		if name != "" && class.Name == name {
			chosen = class
		}
		// Of several global defaults the one with the lowest value counts.
		if name == "" && class.GlobalDefault && (chosen == nil || class.Value < chosen.Value) {
			chosen = class
		}
	}
	if chosen == nil {
		return
	}
	value := chosen.Value
	pod.Spec.Priority = &value
	pod.Spec.PriorityClassName = chosen.Name
	if pod.Spec.PreemptionPolicy == nil {
		pod.Spec.PreemptionPolicy = chosen.PreemptionPolicy
	}
}
