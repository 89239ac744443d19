package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	"berth.example/oracle/internal/tool"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// Cases are small worlds about one rule each, in families. Unlike generated worlds they meet the limits of a rule on
// purpose: just enough, one too few, the second of two.

// writtenCase is a world under construction.
type writtenCase struct {
	family string
	world  *World
}

type (
	deviceOption  func(*resourceapi.Device)
	requestOption func(*resourceapi.DeviceRequest)
)

var allGates = []string{"DRAAdminAccess", "DRAPrioritizedList", "DRAPartitionableDevices", "DRADeviceTaints",
	"DRADeviceBindingConditions", "DRAConsumableCapacity", "DRAFractionalCapacityRange"}

func newCase(family, name string) *writtenCase {
	c := &writtenCase{family: family, world: &World{Name: family + ": " + name, Tags: []string{}, Features: map[string]bool{
		"DRAListTypeAttributes": false}}}
	for _, gate := range allGates {
		c.world.Features[gate] = true
	}
	c.world.Node = &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", Labels: map[string]string{"zone": "a", "rack": "r1"}}}
	c.class("any", "")
	c.class("gpu", `device.driver == "gpu.example.com"`)
	c.class("nic", `device.driver == "nic.example.com"`)
	return c
}

func (c *writtenCase) class(name, expression string) {
	class := &resourceapi.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if expression != "" {
		class.Spec.Selectors = celSelectors(expression)
	}
	c.world.Classes = append(c.world.Classes, class)
}

func (c *writtenCase) off(gates ...string) *writtenCase {
	for _, gate := range gates {
		c.world.Features[gate] = false
	}
	return c
}

func (c *writtenCase) lists() *writtenCase {
	c.world.Features["DRAListTypeAttributes"] = true
	return c
}

// slice adds one of a pool on the node; its place can be changed afterwards.
func (c *writtenCase) slice(driver, pool string, devices ...resourceapi.Device) *resourceapi.ResourceSlice {
	slice := &resourceapi.ResourceSlice{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("slice-%02d", len(c.world.Slices))},
		Spec: resourceapi.ResourceSliceSpec{Driver: driver, NodeName: ptr.To("node-1"), Devices: devices,
			Pool: resourceapi.ResourcePool{Name: pool, Generation: 1, ResourceSliceCount: 1}},
	}
	c.world.Slices = append(c.world.Slices, slice)
	return slice
}

func (c *writtenCase) gpus(count int, options ...deviceOption) *resourceapi.ResourceSlice {
	var devices []resourceapi.Device
	for i := range count {
		devices = append(devices, device(fmt.Sprintf("d%02d", i), options...))
	}
	return c.slice(gpuDriver, "pool-1", devices...)
}

func (c *writtenCase) counters(sets ...resourceapi.CounterSet) {
	slice := c.slice(gpuDriver, "pool-1")
	slice.Spec.SharedCounters = sets
	for _, other := range c.world.Slices {
		other.Spec.Pool.ResourceSliceCount = int64(len(c.world.Slices))
	}
}

func (c *writtenCase) claim(requests ...resourceapi.DeviceRequest) *resourceapi.ResourceClaim {
	claim := &resourceapi.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("claim-%d", len(c.world.Claims)), Namespace: "default"},
		Spec:       resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: requests}},
	}
	c.world.Claims = append(c.world.Claims, claim)
	return claim
}

// held adds a claim that has the devices.
func (c *writtenCase) held(driver string, names ...string) *resourceapi.ResourceClaim {
	claim := c.claim(exactly("r", "any"))
	claim.Status.Allocation = &resourceapi.AllocationResult{}
	for _, name := range names {
		claim.Status.Allocation.Devices.Results = append(claim.Status.Allocation.Devices.Results,
			resourceapi.DeviceRequestAllocationResult{Request: "r", Driver: driver, Pool: "pool-1", Device: name})
	}
	return claim
}

// share makes the claim hold a share of its devices that takes so much memory.
func share(claim *resourceapi.ResourceClaim, memory string) {
	for i := range claim.Status.Allocation.Devices.Results {
		result := &claim.Status.Allocation.Devices.Results[i]
		result.ShareID = ptr.To(types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i+100*len(claim.Name))))
		if memory != "" {
			result.ConsumedCapacity = quantities("memory", memory)
		}
	}
}

func device(name string, options ...deviceOption) resourceapi.Device {
	result := resourceapi.Device{Name: name}
	for _, option := range options {
		option(&result)
	}
	return result
}

func with(name string, value resourceapi.DeviceAttribute) deviceOption {
	return func(d *resourceapi.Device) {
		if d.Attributes == nil {
			d.Attributes = map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{}
		}
		d.Attributes[resourceapi.QualifiedName(name)] = value
	}
}

func memory(amount string, policy ...resourceapi.CapacityRequestPolicy) deviceOption {
	return func(d *resourceapi.Device) {
		capacity := resourceapi.DeviceCapacity{Value: quantity(amount)}
		if len(policy) > 0 {
			capacity.RequestPolicy = &policy[0]
		}
		d.Capacity = map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": capacity}
	}
}

func shareable(d *resourceapi.Device) { d.AllowMultipleAllocations = ptr.To(true) }

func tainted(key string, effect resourceapi.DeviceTaintEffect) deviceOption {
	return func(d *resourceapi.Device) {
		d.Taints = append(d.Taints, resourceapi.DeviceTaint{Key: key, Value: "v", Effect: effect})
	}
}

func consumes(set string, amounts ...string) deviceOption {
	return func(d *resourceapi.Device) {
		d.ConsumesCounters = append(d.ConsumesCounters, resourceapi.DeviceCounterConsumption{CounterSet: set, Counters: counterMap(amounts...)})
	}
}

func conditional(binds bool) deviceOption {
	return func(d *resourceapi.Device) {
		d.BindingConditions, d.BindingFailureConditions = []string{"attached"}, []string{"broken"}
		if binds {
			d.BindsToNode = ptr.To(true)
		}
	}
}

func counterMap(amounts ...string) map[string]resourceapi.Counter {
	counters := map[string]resourceapi.Counter{}
	for i := 0; i < len(amounts); i += 2 {
		counters[amounts[i]] = resourceapi.Counter{Value: quantity(amounts[i+1])}
	}
	return counters
}

func counterSet(name string, amounts ...string) resourceapi.CounterSet {
	return resourceapi.CounterSet{Name: name, Counters: counterMap(amounts...)}
}

func exactly(name, class string, options ...requestOption) resourceapi.DeviceRequest {
	request := resourceapi.DeviceRequest{Name: name, Exactly: &resourceapi.ExactDeviceRequest{
		DeviceClassName: class, AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1}}
	for _, option := range options {
		option(&request)
	}
	return request
}

// first makes a request of alternatives.
func first(name string, alternatives ...resourceapi.DeviceRequest) resourceapi.DeviceRequest {
	request := resourceapi.DeviceRequest{Name: name}
	for _, one := range alternatives {
		request.FirstAvailable = append(request.FirstAvailable, resourceapi.DeviceSubRequest{Name: one.Name,
			DeviceClassName: one.Exactly.DeviceClassName, Selectors: one.Exactly.Selectors, AllocationMode: one.Exactly.AllocationMode,
			Count: one.Exactly.Count, Tolerations: one.Exactly.Tolerations, Capacity: one.Exactly.Capacity})
	}
	return request
}

func count(n int64) requestOption {
	return func(r *resourceapi.DeviceRequest) { r.Exactly.Count = n }
}

func all(r *resourceapi.DeviceRequest) {
	r.Exactly.AllocationMode, r.Exactly.Count = resourceapi.DeviceAllocationModeAll, 0
}

func admin(r *resourceapi.DeviceRequest) { r.Exactly.AdminAccess = ptr.To(true) }

func where(expression string) requestOption {
	return func(r *resourceapi.DeviceRequest) { r.Exactly.Selectors = celSelectors(expression) }
}

func tolerates(key string, operator resourceapi.DeviceTolerationOperator, value string, effect resourceapi.DeviceTaintEffect) requestOption {
	return func(r *resourceapi.DeviceRequest) {
		r.Exactly.Tolerations = append(r.Exactly.Tolerations, resourceapi.DeviceToleration{Key: key, Operator: operator, Value: value, Effect: effect})
	}
}

func asks(amount string) requestOption {
	return func(r *resourceapi.DeviceRequest) {
		r.Exactly.Capacity = &resourceapi.CapacityRequirements{Requests: quantities("memory", amount)}
	}
}

func quantities(name, amount string) map[resourceapi.QualifiedName]resource.Quantity {
	return map[resourceapi.QualifiedName]resource.Quantity{resourceapi.QualifiedName(name): quantity(amount)}
}

func match(claim *resourceapi.ResourceClaim, attribute string, requests ...string) {
	claim.Spec.Devices.Constraints = append(claim.Spec.Devices.Constraints, resourceapi.DeviceConstraint{
		Requests: requests, MatchAttribute: ptr.To(resourceapi.FullyQualifiedName(attribute))})
}

func distinct(claim *resourceapi.ResourceClaim, attribute string, requests ...string) {
	claim.Spec.Devices.Constraints = append(claim.Spec.Devices.Constraints, resourceapi.DeviceConstraint{
		Requests: requests, DistinctAttribute: ptr.To(resourceapi.FullyQualifiedName(attribute))})
}

// kinds of attribute values, two different ones each.
var kinds = map[string][2]resourceapi.DeviceAttribute{
	"string":  {text("x"), text("y")},
	"int":     {integer(1), integer(2)},
	"bool":    {{BoolValue: ptr.To(true)}, {BoolValue: ptr.To(false)}},
	"version": {{VersionValue: ptr.To("1.2.3")}, {VersionValue: ptr.To("1.2.4")}},
}
var kindNames = []string{"string", "int", "bool", "version"}

// runCases writes all cases with their answers as a data file.
func runCases(args []string) error {
	flags := flag.NewFlagSet("cases", flag.ContinueOnError)
	path := flags.String("o", "", "file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cases := writtenCases()
	families := map[string]int{}
	outcomes := map[string]int{}
	names := map[string]bool{}
	write := func(encoder *json.Encoder, c *writtenCase) error {
		(&generator{world: c.world}).typeMetas()
		if names[c.world.Name] {
			return fmt.Errorf("two cases are called %q", c.world.Name)
		}
		names[c.world.Name] = true
		result, err := answer(c.world)
		if err != nil {
			return fmt.Errorf("%s: %w", c.world.Name, err)
		}
		families[c.family]++
		outcomes[c.family+" "+result.Outcome]++
		return encoder.Encode(answered{*c.world, *result})
	}
	err := tool.Write(*path, func(encoder *json.Encoder) error {
		if err := (tool.Header{Module: upstreamVersion, Worlds: len(cases)}).Encode(encoder); err != nil {
			return err
		}
		for _, c := range cases {
			if err := write(encoder, c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, family := range slices.Sorted(maps.Keys(families)) {
		fmt.Fprintf(os.Stderr, "%-16s %4d: %d yes, %d no, %d errors\n", family, families[family], outcomes[family+" allocated"],
			outcomes[family+" no"]+outcomes[family+" invalid"], outcomes[family+" error"])
	}
	return nil
}
