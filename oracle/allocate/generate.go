package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

// generator makes one world. Every choice comes from its own random source, so a world depends on (seed, index) only.
//
// Each world has a few rules in focus that most of its objects use, so that rules meet; the others appear rarely.
type generator struct {
	random *rand.Rand
	focus  map[string]bool
	tags   map[string]bool
	world  *World
	serial int
	// devices are those that were published, for claims that hold some.
	devices []publishedDevice
}

type publishedDevice struct {
	driver, pool string
	device       *resourceapi.Device
}

// rules are the things that a generator may put into the focus of a world.
var rules = []string{
	"all", "first-available", "admin-access", "match", "distinct", "constraint-on-some", "taint", "toleration",
	"counters", "overcommitted", "shared", "request-policy", "shares-in-use", "capacity-request", "binding",
	"node-selector", "all-nodes", "per-device", "generations", "incomplete", "invalid", "selector-error",
	"class-missing", "lists", "many-devices", "gates-off", "several-claims", "several-drivers", "in-use",
	"elsewhere", "alike",
}

// needs are rules that another one makes no sense without.
var needs = map[string][]string{
	"constraint-on-some": {"match"}, "overcommitted": {"counters"}, "request-policy": {"shared", "capacity-request"},
	"shares-in-use": {"shared"}, "toleration": {"taint"}, "elsewhere": {"counters"},
}

// shares of the objects that use a rule in focus, where it is not usual.
var usual = 0.6
var rare = map[string]float64{
	"class-missing": 0.2, "invalid": 0.25, "incomplete": 0.25, "selector-error": 0.3, "in-use": 0.4, "taint": 0.45,
	"binding": 0.4, "gates-off": 1, "several-drivers": 1, "several-claims": 0.9, "request-policy": 0.85,
	"shares-in-use": 0.7, "constraint-on-some": 0.9, "all": 0.4, "many-devices": 0.45, "match": 0.75, "distinct": 0.6,
	"overcommitted": 0.3,
}

const (
	gpuDriver = "gpu.example.com"
	nicDriver = "nic.example.com"
)

func generateWorld(seed uint64, index int) *World {
	g := &generator{
		random: rand.New(rand.NewPCG(seed, uint64(index))),
		focus:  map[string]bool{},
		tags:   map[string]bool{},
		world:  &World{Name: fmt.Sprintf("seed-%d-world-%d", seed, index)},
	}
	// The first rules take turns, so that each gets its share; two or three more are drawn.
	g.focus[rules[index%len(rules)]] = true
	for range 2 + g.random.IntN(3) {
		g.focus[rules[g.random.IntN(len(rules))]] = true
	}
	for _, rule := range slices.Sorted(maps.Keys(g.focus)) {
		for _, other := range needs[rule] {
			g.focus[other] = true
		}
	}
	g.features()
	g.node()
	g.classes()
	g.pools()
	g.usedClaims()
	g.pendingClaims()
	for tag := range g.tags {
		g.world.Tags = append(g.world.Tags, tag)
	}
	slices.Sort(g.world.Tags)
	g.typeMetas()
	slices.SortFunc(g.world.Slices, func(a, b *resourceapi.ResourceSlice) int {
		// Upstream sees the node's own slices first, then the shared ones; both by name here.
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return g.world
}

func (g *generator) typeMetas() {
	of := func(kind string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: kind}
	}
	for _, class := range g.world.Classes {
		class.TypeMeta = of("DeviceClass")
	}
	for _, slice := range g.world.Slices {
		slice.TypeMeta = of("ResourceSlice")
	}
	for _, claim := range g.world.Claims {
		claim.TypeMeta = of("ResourceClaim")
	}
	g.world.Node.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}
}

// use says whether a rule is applied here: often if it is in focus, else rarely.
func (g *generator) use(rule string) bool {
	chance := 0.015
	if g.focus[rule] {
		chance = usual
		if special, found := rare[rule]; found {
			chance = special
		}
	}
	if g.random.Float64() >= chance {
		return false
	}
	g.tags[rule] = true
	return true
}

func (g *generator) chance(p float64) bool { return g.random.Float64() < p }

func pick[T any](g *generator, from ...T) T { return from[g.random.IntN(len(from))] }

func (g *generator) name(prefix string) string {
	g.serial++
	return fmt.Sprintf("%s-%d", prefix, g.serial)
}

func (g *generator) features() {
	g.world.Features = map[string]bool{
		"DRAAdminAccess": true, "DRAPrioritizedList": true, "DRAPartitionableDevices": true, "DRADeviceTaints": true,
		"DRADeviceBindingConditions": true, "DRAConsumableCapacity": true, "DRAFractionalCapacityRange": g.chance(0.8),
		"DRAListTypeAttributes": g.focus["lists"],
	}
	if g.use("gates-off") {
		for _, gate := range []string{"DRAAdminAccess", "DRAPrioritizedList", "DRAPartitionableDevices", "DRADeviceTaints",
			"DRADeviceBindingConditions", "DRAConsumableCapacity"} {
			if g.chance(0.3) {
				g.world.Features[gate] = false
			}
		}
	}
}

func (g *generator) node() {
	g.world.Node = &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1", Labels: map[string]string{
		"zone": "a", "rack": pick(g, "r1", "r2"), "generation": "7",
	}}}
}

// Selectors that the worlds use. The classes test the driver first.
func model(name string) string {
	return fmt.Sprintf(`device.attributes["%s"].model == "%s"`, gpuDriver, name)
}

func (g *generator) selector(driver string) string {
	if driver == nicDriver {
		return pick(g, `device.attributes["nic.example.com"].speed >= 100`, `device.driver == "nic.example.com"`)
	}
	if g.use("selector-error") {
		sometimes := `device.attributes["gpu.example.com"].sometimes == "x"`
		return pick(g, sometimes, sometimes, sometimes, `device.attributes["gpu.example.com"].missing == "x"`,
			`device.attributes["gpu.example.com"].model == 3`, `device.nothing == "x"`)
	}
	return pick(g, model("a"), model("a"), model("b"), model("c"),
		`device.attributes["gpu.example.com"].numa == 0`,
		`device.attributes["gpu.example.com"].model in ["a", "b"]`,
		`"sometimes" in device.attributes["gpu.example.com"]`,
		`device.capacity["gpu.example.com"].memory.compareTo(quantity("20Gi")) >= 0`,
		`!device.allowMultipleAllocations`)
}

func celSelectors(expressions ...string) []resourceapi.DeviceSelector {
	var selectors []resourceapi.DeviceSelector
	for _, expression := range expressions {
		selectors = append(selectors, resourceapi.DeviceSelector{CEL: &resourceapi.CELDeviceSelector{Expression: expression}})
	}
	return selectors
}

func (g *generator) classes() {
	add := func(name string, expressions ...string) {
		g.world.Classes = append(g.world.Classes, &resourceapi.DeviceClass{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec:       resourceapi.DeviceClassSpec{Selectors: celSelectors(expressions...)},
		})
	}
	add("gpu", `device.driver == "gpu.example.com"`)
	add("nic", `device.driver == "nic.example.com"`)
	add("any")
	add("gpu-a", `device.driver == "gpu.example.com"`, model("a"))
}

func text(value string) resourceapi.DeviceAttribute {
	return resourceapi.DeviceAttribute{StringValue: &value}
}

func integer(value int64) resourceapi.DeviceAttribute {
	return resourceapi.DeviceAttribute{IntValue: &value}
}

// attributes: model, numa and root repeat, index does not; some are missing at times, some are lists, versions, bools.
func (g *generator) attributes(driver string, index int) map[resourceapi.QualifiedName]resourceapi.DeviceAttribute {
	result := map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{"index": integer(int64(index))}
	few := 3
	if g.focus["alike"] {
		few = 1
		g.tags["alike"] = true
	}
	if driver == nicDriver {
		result["speed"] = integer(pick(g, int64(100), 400))
	} else {
		result["model"] = text(string(rune('a' + g.random.IntN(few))))
		result["numa"] = integer(int64(g.random.IntN(2)))
	}
	root := "pci" + string(rune('0'+g.random.IntN(few)))
	key := pick(g, resourceapi.QualifiedName("resource.kubernetes.io/pcieRoot"), "resource.kubernetes.io/pcieRoot", "")
	if key != "" || !g.chance(0.3) {
		result["resource.kubernetes.io/pcieRoot"] = text(root)
	}
	if g.use("lists") {
		var values []string
		for i := range 1 + g.random.IntN(3) {
			values = append(values, fmt.Sprintf("pci%d", (g.random.IntN(3)+i)%4))
		}
		slices.Sort(values)
		result["resource.kubernetes.io/pcieRoot"] = resourceapi.DeviceAttribute{StringValues: slices.Compact(values)}
	}
	if g.chance(0.5) {
		result["sometimes"] = text(pick(g, "x", "y"))
	}
	if g.chance(0.3) {
		result["shape"] = pick(g, text("1.0.0"), resourceapi.DeviceAttribute{VersionValue: ptr.To("1.0.0")},
			resourceapi.DeviceAttribute{BoolValue: ptr.To(true)}, integer(1))
	}
	return result
}

func quantity(text string) resource.Quantity { return resource.MustParse(text) }

func (g *generator) policy(value string) *resourceapi.CapacityRequestPolicy {
	switch g.random.IntN(4) {
	case 0:
		return &resourceapi.CapacityRequestPolicy{Default: ptr.To(quantity("1Gi")), ValidRange: &resourceapi.CapacityRequestPolicyRange{
			Min: ptr.To(quantity("1Gi")), Step: ptr.To(quantity(pick(g, "1Gi", "512Mi", "3Gi")))}}
	case 1:
		return &resourceapi.CapacityRequestPolicy{Default: ptr.To(quantity("2Gi")), ValidValues: []resource.Quantity{
			quantity("2Gi"), quantity("5Gi"), quantity("10Gi")}}
	case 2:
		return &resourceapi.CapacityRequestPolicy{Default: ptr.To(quantity("4Gi")), ValidRange: &resourceapi.CapacityRequestPolicyRange{
			Min: ptr.To(quantity("2Gi")), Max: ptr.To(quantity("8Gi"))}}
	}
	return &resourceapi.CapacityRequestPolicy{Default: ptr.To(quantity("0")), ValidRange: &resourceapi.CapacityRequestPolicyRange{
		Min: ptr.To(quantity("0")), Step: ptr.To(quantity(g.step("1", "500m", "1500m")))}}
}

// step: the first is whole; the others need fractional ranges.
func (g *generator) step(whole string, fractional ...string) string {
	if !g.world.Features["DRAFractionalCapacityRange"] {
		return whole
	}
	return pick(g, append(fractional, whole)...)
}

// capacities of a device; only shared ones have request policies.
func (g *generator) capacities(driver string, shared bool) map[resourceapi.QualifiedName]resourceapi.DeviceCapacity {
	if driver == nicDriver && !shared {
		return nil
	}
	value := pick(g, "10Gi", "20Gi", "40Gi")
	result := map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": {Value: quantity(value)}}
	if g.chance(0.4) {
		result["cores"] = resourceapi.DeviceCapacity{Value: quantity(pick(g, "4", "8", "2500m"))}
	}
	if !shared {
		return result
	}
	if g.use("request-policy") {
		for _, name := range slices.Sorted(maps.Keys(result)) {
			capacity := result[name]
			if name == "memory" {
				capacity.RequestPolicy = g.policy(value)
			} else if g.chance(0.7) {
				capacity.RequestPolicy = &resourceapi.CapacityRequestPolicy{Default: ptr.To(quantity("1")), ValidRange: &resourceapi.CapacityRequestPolicyRange{
					Min: ptr.To(quantity(g.step("1", "500m"))), Step: ptr.To(quantity(g.step("1", "500m", "250m")))}}
				if min, step := capacity.RequestPolicy.ValidRange.Min, capacity.RequestPolicy.ValidRange.Step; min.MilliValue() == 500 && step.MilliValue() == 1000 {
					capacity.RequestPolicy.Default = min
				}
			}
			result[name] = capacity
		}
	}
	return result
}

func (g *generator) taints() []resourceapi.DeviceTaint {
	if !g.use("taint") {
		return nil
	}
	var result []resourceapi.DeviceTaint
	for range 1 + g.random.IntN(2) {
		result = append(result, resourceapi.DeviceTaint{
			Key: pick(g, "broken.example.com", "draining"), Value: pick(g, "", "yes"),
			Effect: pick(g, resourceapi.DeviceTaintEffectNoSchedule, resourceapi.DeviceTaintEffectNoExecute, resourceapi.DeviceTaintEffectNone),
		})
	}
	return result
}

func (g *generator) device(driver string, index int) resourceapi.Device {
	device := resourceapi.Device{Name: fmt.Sprintf("d%d", index), Attributes: g.attributes(driver, index), Taints: g.taints()}
	shared := g.use("shared")
	if shared {
		device.AllowMultipleAllocations = ptr.To(true)
	}
	device.Capacity = g.capacities(driver, shared)
	if g.use("binding") {
		device.BindingConditions = []string{"example.com/attached"}
		device.BindingFailureConditions = []string{"example.com/failed"}
		device.BindsToNode = ptr.To(g.chance(0.3))
	}
	return device
}

func selectorOn(key string, values ...string) *v1.NodeSelector {
	return &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchExpressions: []v1.NodeSelectorRequirement{
		{Key: key, Operator: v1.NodeSelectorOpIn, Values: values}}}}}
}

func (g *generator) nodeSelector() *v1.NodeSelector {
	switch g.random.IntN(6) {
	case 0:
		return selectorOn("zone", "a", "b")
	case 1:
		return selectorOn("rack", "r1")
	case 2:
		return selectorOn("zone", "b")
	case 3:
		return &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchFields: []v1.NodeSelectorRequirement{
			{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{"node-1"}}}}}}
	case 4:
		return &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchExpressions: []v1.NodeSelectorRequirement{
			{Key: "generation", Operator: v1.NodeSelectorOpGt, Values: []string{"5"}}, {Key: "zone", Operator: v1.NodeSelectorOpExists}}}}}
	}
	return selectorOn("zone", "a")
}

// target puts the slice somewhere: on the node, on nodes that match, on all, or per device.
func (g *generator) target(spec *resourceapi.ResourceSliceSpec, elsewhere bool) {
	switch {
	case elsewhere:
		spec.NodeName = ptr.To("node-2")
	case g.use("node-selector"):
		spec.NodeSelector = g.nodeSelector()
	case g.use("all-nodes"):
		spec.AllNodes = ptr.To(true)
	case g.use("per-device"):
		spec.PerDeviceNodeSelection = ptr.To(true)
		for i := range spec.Devices {
			switch device := &spec.Devices[i]; g.random.IntN(4) {
			case 0:
				device.NodeName = ptr.To(pick(g, "node-1", "node-1", "node-2"))
			case 1:
				device.AllNodes = ptr.To(true)
			default:
				device.NodeSelector = g.nodeSelector()
			}
		}
	default:
		spec.NodeName = ptr.To("node-1")
	}
}

func (g *generator) pools() {
	drivers := []string{gpuDriver}
	if g.use("several-drivers") {
		drivers = append(drivers, nicDriver)
	}
	for _, driver := range drivers {
		for range 1 + g.random.IntN(2) {
			if g.use("counters") {
				g.partitionedPool(driver)
			} else {
				g.pool(driver)
			}
		}
	}
}

func (g *generator) slice(driver, pool string, generation int64, devices []resourceapi.Device, elsewhere bool) *resourceapi.ResourceSlice {
	slice := &resourceapi.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-slice-%d", pick(g, "a", "b", "c"), g.serial)},
		Spec: resourceapi.ResourceSliceSpec{Driver: driver, Pool: resourceapi.ResourcePool{Name: pool, Generation: generation}, Devices: devices}}
	g.serial++
	g.target(&slice.Spec, elsewhere)
	g.world.Slices = append(g.world.Slices, slice)
	return slice
}

// finish gives the slices of a pool their count, spoils some, and remembers the devices.
func (g *generator) finish(pool []*resourceapi.ResourceSlice, generation int64) {
	if g.use("invalid") {
		// Each slice alone is valid; together they are not.
		first, driver, name := pool[0], pool[0].Spec.Driver, pool[0].Spec.Pool.Name
		switch {
		case len(first.Spec.SharedCounters) > 0 && g.chance(0.5):
			pool = append(pool, g.slice(driver, name, generation, nil, false))
			last := &pool[len(pool)-1].Spec
			last.SharedCounters = first.Spec.SharedCounters
			if last.PerDeviceNodeSelection != nil {
				last.PerDeviceNodeSelection, last.AllNodes = nil, ptr.To(true)
			}
		case g.chance(0.5):
			pool = append(pool, g.slice(driver, name, generation, []resourceapi.Device{g.device(driver, 0), g.device(driver, 1), g.device(driver, 2)}, false))
		default:
			device := g.device(driver, 60)
			device.ConsumesCounters = []resourceapi.DeviceCounterConsumption{{CounterSet: pick(g, "nowhere", "card-0"), Counters: counters("nothing", "1")}}
			pool = append(pool, g.slice(driver, name, generation, []resourceapi.Device{device}, g.chance(0.3)))
		}
	}
	count := int64(len(pool))
	if g.use("incomplete") {
		count++
	}
	for _, slice := range pool {
		slice.Spec.Pool.ResourceSliceCount = count
		for i := range slice.Spec.Devices {
			g.devices = append(g.devices, publishedDevice{slice.Spec.Driver, slice.Spec.Pool.Name, &slice.Spec.Devices[i]})
		}
	}
	if g.use("generations") {
		first := pool[0]
		old := g.slice(first.Spec.Driver, first.Spec.Pool.Name, generation+pick(g, int64(-1), -1, 1), []resourceapi.Device{g.device(first.Spec.Driver, 90)},
			g.chance(0.4))
		old.Spec.Pool.ResourceSliceCount = 1
	}
}

func (g *generator) pool(driver string) {
	name, generation := g.name("pool"), int64(1+g.random.IntN(3))
	var pool []*resourceapi.ResourceSlice
	index := 0
	for range 1 + g.random.IntN(2) {
		var devices []resourceapi.Device
		size := 2 + g.random.IntN(4)
		if g.focus["many-devices"] {
			size = 6 + g.random.IntN(9)
		}
		for range size {
			devices = append(devices, g.device(driver, index))
			index++
		}
		pool = append(pool, g.slice(driver, name, generation, devices, false))
	}
	if g.use("elsewhere") {
		pool = append(pool, g.slice(driver, name, generation, []resourceapi.Device{g.device(driver, 50)}, true))
	}
	g.finish(pool, generation)
}

func counters(amounts ...string) map[string]resourceapi.Counter {
	result := map[string]resourceapi.Counter{}
	for i := 0; i < len(amounts); i += 2 {
		result[amounts[i]] = resourceapi.Counter{Value: quantity(amounts[i+1])}
	}
	return result
}

// partitionedPool has one or two cards of four memory slices and devices that overlap on them.
func (g *generator) partitionedPool(driver string) {
	name, generation := g.name("pool"), int64(1+g.random.IntN(3))
	cards := 1 + g.random.IntN(2)
	var sets []resourceapi.CounterSet
	var devices []resourceapi.Device
	index := 0
	for card := range cards {
		set := fmt.Sprintf("card-%d", card)
		sets = append(sets, resourceapi.CounterSet{Name: set, Counters: counters("s0", "1", "s1", "1", "s2", "1", "s3", "1", "memory", "40Gi", "engines", "2500m")})
		for _, partition := range [][]int{{0, 4}, {0, 2}, {2, 2}, {0, 1}, {1, 1}, {2, 1}, {3, 1}} {
			if g.chance(0.25) {
				continue
			}
			amounts := []string{"memory", fmt.Sprintf("%dGi", 10*partition[1])}
			for s := partition[0]; s < partition[0]+partition[1]; s++ {
				amounts = append(amounts, fmt.Sprintf("s%d", s), "1")
			}
			if g.chance(0.3) {
				amounts = append(amounts, "engines", pick(g, "500m", "1", "1250m"))
			}
			device := g.device(driver, index)
			device.ConsumesCounters = []resourceapi.DeviceCounterConsumption{{CounterSet: set, Counters: counters(amounts...)}}
			if cards > 1 && g.chance(0.1) {
				device.ConsumesCounters = append(device.ConsumesCounters, resourceapi.DeviceCounterConsumption{
					CounterSet: fmt.Sprintf("card-%d", 1-card), Counters: counters("engines", "500m")})
			}
			devices = append(devices, device)
			index++
		}
	}
	pool := []*resourceapi.ResourceSlice{g.slice(driver, name, generation, nil, false)}
	pool[0].Spec.SharedCounters = sets
	if pool[0].Spec.PerDeviceNodeSelection != nil {
		pool[0].Spec.PerDeviceNodeSelection, pool[0].Spec.AllNodes = nil, ptr.To(true)
	}
	if g.use("elsewhere") && len(devices) > 2 {
		pool = append(pool, g.slice(driver, name, generation, slices.Clone(devices[:2]), true))
		devices = devices[2:]
	}
	pool = append(pool, g.slice(driver, name, generation, devices, false))
	g.finish(pool, generation)
}

// usedClaims hold devices: whole, as shares, with adminAccess, or devices that nobody publishes any more.
func (g *generator) usedClaims() {
	for _, published := range g.devices {
		shared := ptr.Deref(published.device.AllowMultipleAllocations, false)
		partitioned := len(published.device.ConsumesCounters) > 0
		switch {
		case shared && g.use("shares-in-use"):
			for range 1 + g.random.IntN(2) {
				g.hold(published, true, false)
			}
		case partitioned && !g.use("overcommitted") && !g.chance(0.12):
		case !shared && g.use("in-use"):
			g.hold(published, false, false)
		case g.chance(0.01):
			g.hold(published, false, true)
		}
	}
}

func (g *generator) hold(published publishedDevice, share, admin bool) {
	result := resourceapi.DeviceRequestAllocationResult{Request: "r", Driver: published.driver, Pool: published.pool, Device: published.device.Name}
	if admin {
		result.AdminAccess = ptr.To(true)
	}
	if share {
		result.ShareID = ptr.To(types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", g.serial)))
		g.serial++
		if !g.chance(0.2) {
			result.ConsumedCapacity = map[resourceapi.QualifiedName]resource.Quantity{}
			for _, name := range slices.Sorted(maps.Keys(published.device.Capacity)) {
				result.ConsumedCapacity[name] = quantity(pick(g, "0", "1", "1Gi", "4Gi"))
			}
		}
	}
	g.world.Claims = append(g.world.Claims, &resourceapi.ResourceClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: g.name("used")},
		Spec: resourceapi.ResourceClaimSpec{Devices: resourceapi.DeviceClaim{Requests: []resourceapi.DeviceRequest{{Name: "r",
			Exactly: &resourceapi.ExactDeviceRequest{DeviceClassName: "any", AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1,
				AdminAccess: result.AdminAccess}}}}},
		Status: resourceapi.ResourceClaimStatus{Allocation: &resourceapi.AllocationResult{
			Devices: resourceapi.DeviceAllocationResult{Results: []resourceapi.DeviceRequestAllocationResult{result}}}},
	})
}

func (g *generator) tolerations() []resourceapi.DeviceToleration {
	if !g.use("toleration") && !(g.tags["taint"] && g.chance(0.3)) {
		return nil
	}
	g.tags["toleration"] = true
	return []resourceapi.DeviceToleration{pick(g,
		resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists},
		resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists, Key: "draining"},
		resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpEqual, Key: "broken.example.com", Value: "yes"},
		resourceapi.DeviceToleration{Operator: resourceapi.DeviceTolerationOpExists, Effect: resourceapi.DeviceTaintEffectNoSchedule},
	)}
}

func (g *generator) capacityRequest() *resourceapi.CapacityRequirements {
	if !g.use("capacity-request") && !(g.tags["shared"] && g.chance(0.5)) {
		return nil
	}
	g.tags["capacity-request"] = true
	result := &resourceapi.CapacityRequirements{Requests: map[resourceapi.QualifiedName]resource.Quantity{}}
	if g.chance(0.9) {
		result.Requests["memory"] = quantity(pick(g, "1", "1Gi", "1500Mi", "4Gi", "5Gi", "11Gi", "0", "8Ei"))
	}
	if g.chance(0.3) {
		result.Requests["cores"] = quantity(pick(g, "1", "500m", "1250m", "3", "1u"))
	}
	if g.chance(0.05) || len(result.Requests) == 0 {
		result.Requests["nothing"] = quantity("1")
	}
	return result
}

func (g *generator) class() string {
	if g.use("class-missing") {
		return "nowhere"
	}
	if g.tags["several-drivers"] && g.chance(0.3) {
		return "nic"
	}
	return pick(g, "gpu", "gpu", "gpu", "any", "gpu-a")
}

func (g *generator) mode() (resourceapi.DeviceAllocationMode, int64) {
	if g.use("all") {
		return resourceapi.DeviceAllocationModeAll, 0
	}
	if g.use("many-devices") {
		return resourceapi.DeviceAllocationModeExactCount, pick(g, int64(3), 4, 4, 6, 8, 12, 17, 31, 33)
	}
	return resourceapi.DeviceAllocationModeExactCount, pick(g, int64(1), 1, 1, 1, 2, 2, 3)
}

func (g *generator) selectorsFor(class string) []resourceapi.DeviceSelector {
	switch {
	case class == "any" || g.chance(0.6) && !g.focus["selector-error"]:
		if class == "any" && g.focus["selector-error"] && g.chance(0.3) {
			return celSelectors(g.selector(gpuDriver))
		}
		return nil
	case class == "nic":
		return celSelectors(g.selector(nicDriver))
	}
	return celSelectors(g.selector(gpuDriver))
}

func (g *generator) request(index int) resourceapi.DeviceRequest {
	request := resourceapi.DeviceRequest{Name: fmt.Sprintf("r%d", index)}
	if g.use("first-available") {
		for i := range 1 + g.random.IntN(3) {
			class := g.class()
			mode, count := g.mode()
			request.FirstAvailable = append(request.FirstAvailable, resourceapi.DeviceSubRequest{
				Name: fmt.Sprintf("s%d", i), DeviceClassName: class, Selectors: g.selectorsFor(class), AllocationMode: mode, Count: count,
				Tolerations: g.tolerations(), Capacity: g.capacityRequest(),
			})
		}
		return request
	}
	class := g.class()
	mode, count := g.mode()
	request.Exactly = &resourceapi.ExactDeviceRequest{DeviceClassName: class, Selectors: g.selectorsFor(class), AllocationMode: mode, Count: count,
		Tolerations: g.tolerations(), Capacity: g.capacityRequest()}
	if g.use("admin-access") {
		request.Exactly.AdminAccess = ptr.To(true)
	}
	return request
}

func (g *generator) constraint(claim *resourceapi.ResourceClaim, distinct bool) {
	attribute := pick(g, resourceapi.FullyQualifiedName("resource.kubernetes.io/pcieRoot"), "resource.kubernetes.io/pcieRoot",
		"gpu.example.com/model", "gpu.example.com/numa", "gpu.example.com/index", "gpu.example.com/sometimes", "gpu.example.com/shape")
	constraint := resourceapi.DeviceConstraint{MatchAttribute: &attribute}
	if distinct {
		constraint = resourceapi.DeviceConstraint{DistinctAttribute: &attribute}
	}
	if g.use("constraint-on-some") {
		for _, request := range claim.Spec.Devices.Requests {
			switch {
			case g.chance(0.4):
				constraint.Requests = append(constraint.Requests, request.Name)
			case len(request.FirstAvailable) > 0:
				constraint.Requests = append(constraint.Requests, request.Name+"/"+request.FirstAvailable[0].Name)
			}
		}
	}
	claim.Spec.Devices.Constraints = append(claim.Spec.Devices.Constraints, constraint)
}

func (g *generator) pendingClaims() {
	count := 1
	if g.use("several-claims") {
		count = 2 + g.random.IntN(2)
	}
	for range count {
		claim := &resourceapi.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: g.name("claim")}}
		for i := range pick(g, 1, 1, 2, 3) {
			claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, g.request(i))
		}
		if g.use("match") {
			g.constraint(claim, false)
		}
		if g.use("distinct") {
			g.constraint(claim, true)
		}
		g.world.Claims = append(g.world.Claims, claim)
	}
}
