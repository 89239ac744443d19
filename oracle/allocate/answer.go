package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/utils/ptr"
)

const mostSteps = 50_000

// The gates a world may name, and where the allocator has them.
func featuresOf(gates map[string]bool) structured.Features {
	return structured.Features{
		AdminAccess:             gates["DRAAdminAccess"],
		PrioritizedList:         gates["DRAPrioritizedList"],
		PartitionableDevices:    gates["DRAPartitionableDevices"],
		DeviceTaints:            gates["DRADeviceTaints"],
		DeviceBindingAndStatus:  gates["DRADeviceBindingConditions"],
		ConsumableCapacity:      gates["DRAConsumableCapacity"],
		FractionalCapacityRange: gates["DRAFractionalCapacityRange"],
		ListTypeAttributes:      gates["DRAListTypeAttributes"],
	}
}

type classLister []*resourceapi.DeviceClass

func (l classLister) List() ([]*resourceapi.DeviceClass, error) { return l, nil }

func (l classLister) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range l {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, fmt.Errorf("deviceclass %q not found", name)
}

// allocatedState counts what the allocated claims use, as the scheduler's plugin does.
func allocatedState(claims []*resourceapi.ResourceClaim, shares bool) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range claims {
		if claim.Status.Allocation == nil {
			continue
		}
		for _, result := range claim.Status.Allocation.Devices.Results {
			if ptr.Deref(result.AdminAccess, false) {
				continue
			}
			id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
			if !shares || result.ShareID == nil {
				state.AllocatedDevices.Insert(id)
				continue
			}
			state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
			if result.ConsumedCapacity != nil {
				state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
			}
		}
	}
	return state
}

// steps is a context that ends after so many looks at it. The allocator looks once for each device it tries, so that
// giving up does not depend on the machine.
type steps struct {
	context.Context
	left int
}

func (s *steps) Err() error {
	if s.left--; s.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// answer runs the allocator once. It gives up after mostSteps; a world like that is not kept.
func answer(world *World) (*Answer, error) {
	ctx := &steps{Context: context.Background(), left: mostSteps}
	features := featuresOf(world.Features)
	celFeatures := cel.Features{
		EnableConsumableCapacity: features.ConsumableCapacity,
		EnableListTypeAttributes: features.ListTypeAttributes,
	}
	cache := cel.NewCache(100, celFeatures)
	allocator, err := structured.NewAllocator(ctx, features, allocatedState(world.Claims, features.ConsumableCapacity),
		classLister(world.Classes), world.Slices, cache)
	if err != nil {
		return nil, err
	}
	var pending []*resourceapi.ResourceClaim
	for _, claim := range world.Claims {
		if claim.Status.Allocation == nil {
			pending = append(pending, claim)
		}
	}
	result := &Answer{Selectors: selectorAnswers(world, cache)}
	results, err := allocator.Allocate(ctx, world.Node, pending)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, err
	case err != nil && strings.Contains(err.Error(), "invalid resource pools were encountered"):
		result.Outcome = "invalid"
	case err != nil:
		result.Outcome, result.Class = "error", classify(err.Error())
	case results == nil:
		result.Outcome = "no"
	default:
		result.Outcome, result.Results = "allocated", results
		forgetShareIDs(results)
	}
	return result, nil
}

// forgetShareIDs: they are drawn at random; that there is one is what counts.
func forgetShareIDs(results []resourceapi.AllocationResult) {
	for i := range results {
		for j := range results[i].Devices.Results {
			if device := &results[i].Devices.Results[j]; device.ShareID != nil {
				device.ShareID = ptr.To[types.UID]("share")
			}
		}
	}
}

// classify names the kind of an error by its wording, which is all that upstream tells.
func classify(message string) string {
	for _, class := range []struct{ name, part string }{
		{"prioritized-list-off", "DRAPrioritizedList feature is disabled"},
		{"consumable-capacity-off", "DRAConsumableCapacity feature is disabled"},
		{"admin-access-off", "admin access is requested, but the feature is disabled"},
		{"class-missing", "could not retrieve device class"},
		{"all-incomplete", "is currently being updated"},
		{"all-invalid", "is currently invalid"},
		{"all-constraint", "because a claim constraint would not be satisfied"},
		{"too-many", "exceeds the claim limit"},
		{"too-many", "allocation max size exceeded"},
		{"selector", "CEL runtime error"},
		{"selector", "CEL compile error"},
		{"capacity", "capacity request cannot be represented"},
		{"capacity", "capacity value is negative"},
	} {
		if strings.Contains(message, class.part) {
			return class.name
		}
	}
	return "unknown"
}

// selectorAnswers asks every expression of the world about every device.
func selectorAnswers(world *World, cache *cel.Cache) map[string]map[string]string {
	expressions := sets.New[string]()
	add := func(selectors []resourceapi.DeviceSelector) {
		for _, selector := range selectors {
			if selector.CEL != nil {
				expressions.Insert(selector.CEL.Expression)
			}
		}
	}
	for _, class := range world.Classes {
		add(class.Spec.Selectors)
	}
	for _, claim := range world.Claims {
		for _, request := range claim.Spec.Devices.Requests {
			if request.Exactly != nil {
				add(request.Exactly.Selectors)
			}
			for _, alternative := range request.FirstAvailable {
				add(alternative.Selectors)
			}
		}
	}
	answers := map[string]map[string]string{}
	for _, expression := range sets.List(expressions) {
		compiled := cache.GetOrCompile(expression)
		letters := map[string]string{}
		for _, slice := range world.Slices {
			// A string of letters per slice, in the order of its devices.
			var word strings.Builder
			for _, device := range slice.Spec.Devices {
				word.WriteString(ask(compiled, slice.Spec.Driver, &device))
			}
			if len(slice.Spec.Devices) > 0 {
				letters[slice.Name] = word.String()
			}
		}
		answers[expression] = letters
	}
	return answers
}

func ask(compiled cel.CompilationResult, driver string, device *resourceapi.Device) string {
	if compiled.Error != nil {
		return "e"
	}
	matches, _, err := compiled.DeviceMatches(context.Background(), cel.Device{
		Driver: driver, AllowMultipleAllocations: device.AllowMultipleAllocations,
		Attributes: device.Attributes, Capacity: device.Capacity,
	})
	switch {
	case err != nil:
		return "e"
	case matches:
		return "y"
	}
	return "n"
}

func runAnswer(args []string) error {
	if len(args) != 1 {
		return errors.New("name one file")
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewReader(file)
	decoder := json.NewDecoder(lines)
	encoder := json.NewEncoder(os.Stdout)
	for decoder.More() {
		world := &World{}
		if err := decoder.Decode(world); err != nil {
			return err
		}
		result, err := answer(world)
		if err != nil {
			return fmt.Errorf("%s: %w", world.Name, err)
		}
		if err := encoder.Encode(answered{*world, *result}); err != nil {
			return err
		}
	}
	return nil
}
