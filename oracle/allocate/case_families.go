package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"
)

const (
	noSchedule = resourceapi.DeviceTaintEffectNoSchedule
	noExecute  = resourceapi.DeviceTaintEffectNoExecute
	noEffect   = resourceapi.DeviceTaintEffectNone
	equal      = resourceapi.DeviceTolerationOpEqual
	exists     = resourceapi.DeviceTolerationOpExists
)

func writtenCases() []*writtenCase {
	var cases []*writtenCase
	add := func(family, name string, build func(c *writtenCase)) {
		c := newCase(family, name)
		build(c)
		cases = append(cases, c)
	}
	constraintCases(add)
	distinctCases(add)
	listCases(add)
	allCases(add)
	adminCases(add)
	alternativeCases(add)
	partitionCases(add)
	taintCases(add)
	bindingCases(add)
	shareCases(add)
	policyCases(add)
	hostCases(add)
	combinationCases(add)
	return cases
}

// inOrder: a map by its keys, so that the same program writes the same file.
func inOrder[V any](values map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if !yield(key, values[key]) {
				return
			}
		}
	}
}

type adder func(family, name string, build func(c *writtenCase))

func constraintCases(add adder) {
	for _, kind := range kindNames {
		values := kinds[kind]
		for name, attributes := range inOrder(map[string][2]deviceOption{
			"equal":   {with("a", values[0]), with("a", values[0])},
			"unequal": {with("a", values[0]), with("a", values[1])},
			"missing": {with("a", values[0]), with("b", values[0])},
			"domain":  {with("a", values[0]), with("gpu.example.com/a", values[0])},
		}) {
			add("match", kind+" "+name, func(c *writtenCase) {
				c.slice(gpuDriver, "pool-1", device("d0", attributes[0]), device("d1", attributes[1]))
				match(c.claim(exactly("r", "gpu", count(2))), "gpu.example.com/a")
			})
		}
	}
	add("match", "values of different types", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", text("1"))))
		match(c.claim(exactly("r", "gpu", count(2))), "gpu.example.com/a")
	})
	// The first group is too small; the second is found by going back.
	for sizes, groups := range inOrder(map[string][2]int{"small before large": {2, 3}, "large before small": {3, 2}, "none is large enough": {2, 2}}) {
		add("match", sizes, func(c *writtenCase) {
			var devices []resourceapi.Device
			for group, size := range groups {
				for i := range size {
					devices = append(devices, device(fmt.Sprintf("g%d-%d", group, i), with("root", integer(int64(group)))))
				}
			}
			c.slice(gpuDriver, "pool-1", devices...)
			match(c.claim(exactly("r", "gpu", count(3))), "gpu.example.com/root")
		})
	}
	for name, of := range inOrder(map[string][]string{"all requests": nil, "one of two requests": {"a"}, "both requests": {"a", "b"}}) {
		add("match", name, func(c *writtenCase) {
			c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))))
			match(c.claim(exactly("a", "gpu"), exactly("b", "gpu")), "gpu.example.com/a", of...)
		})
	}
	for _, shared := range []string{"same", "other"} {
		add("match", "two drivers, "+shared+" root", func(c *writtenCase) {
			root := "resource.kubernetes.io/pcieRoot"
			c.slice(gpuDriver, "pool-1", device("d0", with(root, text("same"))))
			c.slice(nicDriver, "pool-1", device("d0", with(root, text(shared))))
			match(c.claim(exactly("g", "gpu"), exactly("n", "nic")), root)
		})
	}
	add("match", "two constraints", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1)), with("b", integer(1))), device("d1", with("a", integer(1)), with("b", integer(2))),
			device("d2", with("a", integer(1)), with("b", integer(1))))
		claim := c.claim(exactly("r", "gpu", count(2)))
		match(claim, "gpu.example.com/a")
		match(claim, "gpu.example.com/b")
	})
	add("match", "each claim for itself", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))))
		match(c.claim(exactly("r", "gpu")), "gpu.example.com/a")
		match(c.claim(exactly("r", "gpu")), "gpu.example.com/a")
	})
	add("match", "later claim takes the group", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(1))), device("d2", with("a", integer(2))))
		c.claim(exactly("r", "gpu"))
		match(c.claim(exactly("r", "gpu", count(2))), "gpu.example.com/a")
	})
}

func distinctCases(add adder) {
	for _, kind := range kindNames {
		values := kinds[kind]
		for name, attributes := range inOrder(map[string][2]deviceOption{
			"different": {with("a", values[0]), with("a", values[1])},
			"equal":     {with("a", values[0]), with("a", values[0])},
			"missing":   {with("a", values[0]), with("b", values[0])},
		}) {
			add("distinct", kind+" "+name, func(c *writtenCase) {
				c.slice(gpuDriver, "pool-1", device("d0", attributes[0]), device("d1", attributes[1]))
				distinct(c.claim(exactly("r", "gpu", count(2))), "gpu.example.com/a")
			})
		}
	}
	add("distinct", "types differ", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", text("1"))))
		distinct(c.claim(exactly("r", "gpu", count(2))), "gpu.example.com/a")
	})
	add("distinct", "across requests", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(1))), device("d2", with("a", integer(2))))
		distinct(c.claim(exactly("r", "gpu"), exactly("s", "gpu")), "gpu.example.com/a")
	})
	add("distinct", "beside match", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1)), with("b", integer(1))), device("d1", with("a", integer(2)), with("b", integer(2))),
			device("d2", with("a", integer(3)), with("b", integer(1))))
		claim := c.claim(exactly("r", "gpu", count(2)))
		distinct(claim, "gpu.example.com/a")
		match(claim, "gpu.example.com/b")
	})
	for _, last := range []int64{1, 3} {
		add("distinct", fmt.Sprintf("third of three is %d", last), func(c *writtenCase) {
			c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))), device("d2", with("a", integer(last))))
			distinct(c.claim(exactly("r", "gpu"), exactly("s", "gpu"), exactly("t", "gpu")), "gpu.example.com/a")
		})
	}
	add("distinct", "shares of one device", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", shareable, memory("8Gi"), with("a", integer(1))), device("d1", shareable, memory("8Gi"), with("a", integer(2))))
		distinct(c.claim(exactly("r", "gpu", asks("1Gi")), exactly("s", "gpu", asks("1Gi"))), "gpu.example.com/a")
	})
}

func listCases(add adder) {
	strings := func(values ...string) deviceOption {
		return with("a", resourceapi.DeviceAttribute{StringValues: values})
	}
	ints := func(values ...int64) deviceOption {
		return with("a", resourceapi.DeviceAttribute{IntValues: values})
	}
	for name, pair := range inOrder(map[string][2]deviceOption{
		"equal lists":            {strings("x", "y"), strings("x", "y")},
		"one in common":          {strings("x", "y"), strings("y", "z")},
		"nothing in common":      {strings("x"), strings("y")},
		"scalar in list":         {with("a", text("x")), strings("x", "y")},
		"scalar not in list":     {with("a", text("z")), strings("x", "y")},
		"other type":             {ints(1, 2), strings("1", "2")},
		"numbers in common":      {ints(1, 2), ints(2, 3)},
		"numbers apart":          {ints(1), ints(2)},
		"missing":                {strings("x"), with("b", text("x"))},
		"versions in common":     {with("a", resourceapi.DeviceAttribute{VersionValues: []string{"1.0.0", "2.0.0"}}), with("a", resourceapi.DeviceAttribute{VersionValue: ptr.To("2.0.0")})},
		"truth values in common": {with("a", resourceapi.DeviceAttribute{BoolValues: []bool{true}}), with("a", resourceapi.DeviceAttribute{BoolValue: ptr.To(true)})},
	}) {
		for _, rule := range []string{"match", "distinct"} {
			add("lists", rule+" "+name, func(c *writtenCase) {
				c.lists().slice(gpuDriver, "pool-1", device("d0", pair[0]), device("d1", pair[1]))
				claim := c.claim(exactly("r", "gpu", count(2)))
				if rule == "match" {
					match(claim, "gpu.example.com/a")
				} else {
					distinct(claim, "gpu.example.com/a")
				}
			})
		}
	}
	add("lists", "pairs agree, three do not", func(c *writtenCase) {
		c.lists().slice(gpuDriver, "pool-1", device("d0", strings("x", "y")), device("d1", strings("y", "z")), device("d2", strings("x", "z")))
		match(c.claim(exactly("r", "gpu", count(3))), "gpu.example.com/a")
	})
	add("lists", "selector looks into the list", func(c *writtenCase) {
		c.lists().slice(gpuDriver, "pool-1", device("d0", strings("x")), device("d1", strings("y", "z")))
		c.claim(exactly("r", "gpu", where(`device.attributes["gpu.example.com"].a.includes("z")`)))
	})
}

func allCases(add adder) {
	for _, number := range []int{0, 1, 3, 32, 33} {
		add("all", fmt.Sprintf("of %d", number), func(c *writtenCase) {
			c.gpus(number)
			c.claim(exactly("r", "gpu", all))
		})
	}
	add("all", "that match", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))), device("d2", with("a", integer(1))))
		c.claim(exactly("r", "gpu", all, where(`device.attributes["gpu.example.com"].a == 1`)))
	})
	add("all", "one in use", func(c *writtenCase) {
		c.gpus(3)
		c.held(gpuDriver, "d01")
		c.claim(exactly("r", "gpu", all))
	})
	add("all", "one tainted", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0"), device("d1", tainted("k", noSchedule)))
		c.claim(exactly("r", "gpu", all))
	})
	add("all", "tainted and tolerated", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0"), device("d1", tainted("k", noSchedule)))
		c.claim(exactly("r", "gpu", all, tolerates("k", exists, "", "")))
	})
	for _, mine := range []string{"pool-1", "pool-2"} {
		add("all", "while "+mine+" is incomplete", func(c *writtenCase) {
			c.gpus(2)
			c.slice(gpuDriver, "pool-2", device("d0"))
			for _, slice := range c.world.Slices {
				if slice.Spec.Pool.Name == mine {
					slice.Spec.Pool.ResourceSliceCount = 2
				}
			}
			c.claim(exactly("r", "gpu", all))
		})
	}
	add("all", "while a pool is invalid", func(c *writtenCase) {
		for range 2 {
			c.slice(gpuDriver, "pool-1", device("d0")).Spec.Pool.ResourceSliceCount = 2
		}
		c.claim(exactly("r", "gpu", all))
	})
	for _, value := range []int64{1, 2} {
		add("all", fmt.Sprintf("with a constraint, second value %d", value), func(c *writtenCase) {
			c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(value))))
			match(c.claim(exactly("r", "gpu", all)), "gpu.example.com/a")
		})
	}
	for _, order := range []string{"before", "after"} {
		for _, number := range []int{2, 3} {
			add("all", fmt.Sprintf("%s one of %d network cards", order, number), func(c *writtenCase) {
				c.gpus(2)
				for i := range number - 1 {
					c.slice(nicDriver, fmt.Sprintf("pool-%d", i+1), device("n0"))
				}
				requests := []resourceapi.DeviceRequest{exactly("all", "gpu", all), exactly("one", "nic", count(2))}
				if order == "after" {
					requests[0], requests[1] = requests[1], requests[0]
				}
				c.claim(requests...)
			})
		}
	}
	add("all", "beside another request for the same", func(c *writtenCase) {
		c.gpus(2)
		c.claim(exactly("one", "gpu"), exactly("all", "gpu", all))
	})
	add("all", "as an alternative", func(c *writtenCase) {
		c.gpus(2)
		c.held(gpuDriver, "d00")
		c.claim(first("r", exactly("all", "gpu", all), exactly("one", "gpu")))
	})
	add("all", "of a class without selectors", func(c *writtenCase) {
		c.gpus(2)
		c.slice(nicDriver, "pool-1", device("n0"))
		c.claim(exactly("r", "any", all))
	})
	add("all", "of two claims", func(c *writtenCase) {
		c.gpus(2)
		c.claim(exactly("r", "gpu", all))
		c.claim(exactly("r", "gpu", all))
	})
	add("all", "that a card still has counters for", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", consumes("card", "slices", "2")), device("d1", consumes("card", "slices", "2")))
		c.counters(counterSet("card", "slices", "4"))
		c.claim(exactly("r", "gpu", all))
	})
	add("all", "that a card has no counters for", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", consumes("card", "slices", "2")), device("d1", consumes("card", "slices", "3")))
		c.counters(counterSet("card", "slices", "4"))
		c.claim(exactly("r", "gpu", all))
	})
}

func adminCases(add adder) {
	for _, gate := range []bool{true, false} {
		add("admin", fmt.Sprintf("device in use, gate %v", gate), func(c *writtenCase) {
			if !gate {
				c.off("DRAAdminAccess")
			}
			c.gpus(1)
			c.held(gpuDriver, "d00")
			c.claim(exactly("r", "gpu", admin))
		})
	}
	add("admin", "all devices, some in use", func(c *writtenCase) {
		c.gpus(3)
		c.held(gpuDriver, "d01")
		c.claim(exactly("r", "gpu", all, admin))
	})
	add("admin", "held with admin access is free", func(c *writtenCase) {
		c.gpus(1)
		c.held(gpuDriver, "d00").Status.Allocation.Devices.Results[0].AdminAccess = ptr.To(true)
		c.claim(exactly("r", "gpu"))
	})
	add("admin", "twice in one claim", func(c *writtenCase) {
		c.gpus(1)
		c.claim(exactly("r", "gpu", admin), exactly("s", "gpu", admin))
	})
	add("admin", "beside a user in another claim", func(c *writtenCase) {
		c.gpus(1)
		c.claim(exactly("r", "gpu"))
		c.claim(exactly("r", "gpu", admin))
	})
	add("admin", "looks at a tainted device", func(c *writtenCase) {
		c.gpus(1, tainted("k", noSchedule))
		c.claim(exactly("r", "gpu", admin))
	})
	add("admin", "more than there are", func(c *writtenCase) {
		c.gpus(1)
		c.claim(exactly("r", "gpu", admin, count(2)))
	})
	add("admin", "partition of a card in use", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", consumes("card", "slices", "4")), device("d1", consumes("card", "slices", "2")))
		c.counters(counterSet("card", "slices", "4"))
		c.held(gpuDriver, "d0")
		c.claim(exactly("r", "gpu", admin, where(`device.driver == "gpu.example.com"`)))
	})
}

func alternativeCases(add adder) {
	one := `device.attributes["gpu.example.com"].a == 1`
	two := `device.attributes["gpu.example.com"].a == 2`
	for _, use := range []string{"nothing", "d0", "d1"} {
		for _, order := range [][2]string{{one, two}, {two, one}} {
			add("alternatives", fmt.Sprintf("%q first, %s in use", order[0], use), func(c *writtenCase) {
				c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))))
				if use != "nothing" {
					c.held(gpuDriver, use)
				}
				c.claim(first("r", exactly("x", "gpu", where(order[0])), exactly("y", "gpu", where(order[1]))))
			})
		}
	}
	for _, number := range []int64{1, 2, 3, 4} {
		add("alternatives", fmt.Sprintf("%d devices or one", number), func(c *writtenCase) {
			c.gpus(3)
			c.claim(first("r", exactly("many", "gpu", count(number)), exactly("one", "gpu")))
		})
	}
	for _, rest := range []int64{1, 2, 3} {
		add("alternatives", fmt.Sprintf("yields to %d of a later request", rest), func(c *writtenCase) {
			c.gpus(3)
			c.claim(first("r", exactly("many", "gpu", count(2)), exactly("one", "gpu")), exactly("s", "gpu", count(rest)))
		})
		add("alternatives", fmt.Sprintf("yields to %d of a later claim", rest), func(c *writtenCase) {
			c.gpus(3)
			c.claim(first("r", exactly("many", "gpu", count(2)), exactly("one", "gpu")))
			c.claim(exactly("s", "gpu", count(rest)))
		})
	}
	for name, of := range inOrder(map[string][]string{"request": {"r", "s"}, "alternative that is taken": {"r/x", "s"}, "alternative that is not": {"r/y", "s"}}) {
		add("alternatives", "constraint on the "+name, func(c *writtenCase) {
			c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))))
			match(c.claim(first("r", exactly("x", "gpu", where(one)), exactly("y", "gpu", where(two))), exactly("s", "gpu")), "gpu.example.com/a", of...)
		})
	}
	add("alternatives", "with the gate off", func(c *writtenCase) {
		c.off("DRAPrioritizedList").gpus(1)
		c.claim(first("r", exactly("x", "gpu")))
	})
	add("alternatives", "class of the second is missing", func(c *writtenCase) {
		c.gpus(1)
		c.claim(first("r", exactly("x", "gpu"), exactly("y", "nothing")))
	})
	add("alternatives", "tolerations of the second", func(c *writtenCase) {
		c.gpus(1, tainted("k", noSchedule))
		c.claim(first("r", exactly("x", "gpu"), exactly("y", "gpu", tolerates("k", exists, "", ""))))
	})
	for _, numbers := range [][2]int64{{20, 12}, {20, 13}, {33, 1}} {
		add("alternatives", fmt.Sprintf("%d or 2, and %d", numbers[0], numbers[1]), func(c *writtenCase) {
			c.gpus(40)
			c.claim(first("r", exactly("x", "gpu", count(numbers[0])), exactly("y", "gpu", count(2))), exactly("s", "gpu", count(numbers[1])))
		})
	}
	add("alternatives", "configuration of what is taken", func(c *writtenCase) {
		c.gpus(2)
		claim := c.claim(first("r", exactly("x", "gpu", count(5)), exactly("y", "gpu")), exactly("s", "gpu"))
		for _, of := range [][]string{{"r/x"}, {"r/y"}, {"r"}, {"s"}, {"r", "s"}, nil} {
			claim.Spec.Devices.Config = append(claim.Spec.Devices.Config, resourceapi.DeviceClaimConfiguration{Requests: of, DeviceConfiguration: opaque(fmt.Sprint(len(claim.Spec.Devices.Config)))})
		}
		for i := range 2 {
			c.world.Classes[1].Spec.Config = append(c.world.Classes[1].Spec.Config, resourceapi.DeviceClassConfiguration{DeviceConfiguration: opaque(fmt.Sprintf("%d0", i+1))})
		}
	})
	add("alternatives", "configuration of two classes", func(c *writtenCase) {
		c.gpus(2)
		c.slice(nicDriver, "pool-1", device("n0"))
		c.claim(exactly("g", "gpu"), exactly("n", "nic"), exactly("h", "gpu"))
		for i := range c.world.Classes {
			c.world.Classes[i].Spec.Config = []resourceapi.DeviceClassConfiguration{{DeviceConfiguration: opaque(fmt.Sprint(i))}}
		}
	})
}

func opaque(value string) resourceapi.DeviceConfiguration {
	parameters := resourceapi.OpaqueDeviceConfiguration{Driver: gpuDriver}
	parameters.Parameters.Raw = []byte(`{"value":` + value + `}`)
	return resourceapi.DeviceConfiguration{Opaque: &parameters}
}

func partitionCases(add adder) {
	for _, free := range []int64{1, 2, 3, 4} {
		for _, number := range []int64{1, 2} {
			add("partitions", fmt.Sprintf("%d slices for %d of two", free, number), func(c *writtenCase) {
				c.slice(gpuDriver, "pool-1", device("d0", consumes("card", "slices", "2")), device("d1", consumes("card", "slices", "2")))
				c.counters(counterSet("card", "slices", fmt.Sprint(free)))
				c.claim(exactly("r", "gpu", count(number)))
			})
		}
	}
	for _, used := range []string{"whole", "left", "right"} {
		for _, wanted := range []string{"whole", "left", "any"} {
			add("partitions", used+" in use, "+wanted+" wanted", func(c *writtenCase) {
				c.slice(gpuDriver, "pool-1",
					device("left", with("part", text("left")), consumes("card", "s0", "1")),
					device("right", with("part", text("right")), consumes("card", "s1", "1")),
					device("whole", with("part", text("whole")), consumes("card", "s0", "1", "s1", "1")))
				c.counters(counterSet("card", "s0", "1", "s1", "1"))
				c.held(gpuDriver, used)
				request := exactly("r", "gpu")
				if wanted != "any" {
					request = exactly("r", "gpu", where(fmt.Sprintf(`device.attributes["gpu.example.com"].part == "%s"`, wanted)))
				}
				c.claim(request)
			})
		}
	}
	add("partitions", "two sets at once", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", consumes("a", "x", "1"), consumes("b", "x", "1")), device("d1", consumes("a", "x", "1")), device("d2", consumes("b", "x", "1")))
		c.counters(counterSet("a", "x", "1"), counterSet("b", "x", "1"))
		c.claim(exactly("r", "gpu", count(2)))
	})
	for name, device := range inOrder(map[string]resourceapi.Device{"set": device("d0", consumes("nothing", "x", "1")), "counter": device("d0", consumes("a", "nothing", "1"))}) {
		add("partitions", "unknown "+name, func(c *writtenCase) {
			c.slice(gpuDriver, "pool-1", device)
			c.counters(counterSet("a", "x", "1"))
			c.claim(exactly("r", "gpu"))
		})
	}
	add("partitions", "set named twice", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", consumes("a", "x", "1")))
		c.counters(counterSet("a", "x", "1"))
		c.counters(counterSet("a", "x", "1"))
		c.claim(exactly("r", "gpu"))
	})
	add("partitions", "two drivers with one name of pool", func(c *writtenCase) {
		c.slice(nicDriver, "pool-1", device("n0"))
		c.slice(gpuDriver, "pool-1", device("d0", consumes("a", "x", "1"))).Spec.Pool.ResourceSliceCount = 2
		sets := c.slice(gpuDriver, "pool-1")
		sets.Spec.SharedCounters = []resourceapi.CounterSet{counterSet("a", "x", "1")}
		sets.Spec.Pool.ResourceSliceCount = 2
		c.claim(exactly("r", "gpu"), exactly("n", "nic"))
	})
	add("partitions", "with the gate off", func(c *writtenCase) {
		c.off("DRAPartitionableDevices").slice(gpuDriver, "pool-1", device("d0", consumes("a", "x", "1")))
		c.counters(counterSet("a", "x", "1"))
		c.claim(exactly("r", "gpu"))
	})
	add("partitions", "taint gives counters back", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", consumes("a", "x", "1"), tainted("k", noSchedule)), device("d1", consumes("a", "x", "1")))
		c.counters(counterSet("a", "x", "1"))
		c.claim(exactly("r", "gpu"))
	})
	add("partitions", "constraint gives counters back", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1)), consumes("a", "x", "1")), device("d1", with("a", integer(2)), consumes("a", "x", "1")),
			device("d2", with("a", integer(1)), consumes("a", "x", "1")))
		c.counters(counterSet("a", "x", "2"))
		match(c.claim(exactly("r", "gpu", count(2))), "gpu.example.com/a")
	})
	add("partitions", "fractions of a counter", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", consumes("a", "x", "500m")), device("d1", consumes("a", "x", "0.5")), device("d2", consumes("a", "x", "1m")))
		c.counters(counterSet("a", "x", "1"))
		c.claim(exactly("r", "gpu", count(3)))
	})
	add("partitions", "overcommitted already", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", consumes("a", "x", "2")), device("d1", consumes("b", "x", "1")))
		c.counters(counterSet("a", "x", "1"), counterSet("b", "x", "1"))
		c.held(gpuDriver, "d0")
		c.claim(exactly("r", "gpu"))
	})
	for _, alternative := range []string{"7", "3"} {
		add("partitions", "as alternatives with "+alternative+" free", func(c *writtenCase) {
			c.slice(gpuDriver, "pool-1", device("big", with("size", integer(4)), consumes("a", "x", "4")), device("small", with("size", integer(2)), consumes("a", "x", "2")))
			c.counters(counterSet("a", "x", alternative))
			c.claim(first("r", exactly("big", "gpu", where(`device.attributes["gpu.example.com"].size == 4`)), exactly("small", "gpu", where(`device.attributes["gpu.example.com"].size == 2`))))
		})
	}
}

func taintCases(add adder) {
	for _, effect := range []resourceapi.DeviceTaintEffect{noSchedule, noExecute, noEffect} {
		for name, options := range inOrder(map[string][]requestOption{
			"nothing":         nil,
			"its key":         {tolerates("k", exists, "", "")},
			"its value":       {tolerates("k", equal, "v", "")},
			"another value":   {tolerates("k", equal, "w", "")},
			"another key":     {tolerates("other", exists, "", "")},
			"every key":       {tolerates("", exists, "", "")},
			"NoSchedule only": {tolerates("k", exists, "", noSchedule)},
		}) {
			add("taints", string(effect)+", tolerating "+name, func(c *writtenCase) {
				c.gpus(1, tainted("k", effect))
				c.claim(exactly("r", "gpu", options...))
			})
		}
	}
	add("taints", "two, one tolerated", func(c *writtenCase) {
		c.gpus(1, tainted("k", noSchedule), tainted("l", noExecute))
		c.claim(exactly("r", "gpu", tolerates("k", exists, "", "")))
	})
	add("taints", "with the gate off", func(c *writtenCase) {
		c.off("DRADeviceTaints").gpus(1, tainted("k", noSchedule))
		c.claim(exactly("r", "gpu"))
	})
	add("taints", "another device is free of them", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", tainted("k", noSchedule)), device("d1"))
		c.claim(exactly("r", "gpu"))
	})
}

func bindingCases(add adder) {
	for _, gate := range []bool{true, false} {
		for _, binds := range []bool{true, false} {
			add("binding", fmt.Sprintf("gate %v, binds %v", gate, binds), func(c *writtenCase) {
				if !gate {
					c.off("DRADeviceBindingConditions")
				}
				slice := c.gpus(1, conditional(binds))
				slice.Spec.NodeName, slice.Spec.AllNodes = nil, ptr.To(true)
				c.claim(exactly("r", "gpu"))
			})
		}
	}
	add("binding", "pool without conditions comes first", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", conditional(false)))
		c.slice(gpuDriver, "pool-2", device("d0"))
		c.claim(exactly("r", "gpu"))
	})
	add("binding", "one device makes its pool last", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0"), device("d1", conditional(false)))
		c.slice(gpuDriver, "pool-2", device("d0"))
		c.claim(exactly("r", "gpu", count(2)))
	})
	add("binding", "needed where nothing else is", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", conditional(false)))
		c.slice(gpuDriver, "pool-2", device("d0"))
		c.claim(exactly("r", "gpu", count(2)))
	})
	add("binding", "of another driver", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", conditional(true)))
		c.slice(nicDriver, "pool-1", device("n0"))
		c.claim(exactly("r", "any", count(2)))
	})
}

func shareCases(add adder) {
	for _, amount := range []string{"1Gi", "4Gi", "5Gi", "8Gi", "9Gi"} {
		for _, used := range []string{"", "4Gi"} {
			add("shares", fmt.Sprintf("%s beside %q", amount, used), func(c *writtenCase) {
				c.gpus(1, shareable, memory("8Gi"))
				if used != "" {
					share(c.held(gpuDriver, "d00"), used)
				}
				c.claim(exactly("r", "gpu", asks(amount)))
			})
		}
	}
	for _, number := range []int64{2, 3} {
		add("shares", fmt.Sprintf("%d claims of 4Gi", number), func(c *writtenCase) {
			c.gpus(1, shareable, memory("8Gi"))
			for range number {
				c.claim(exactly("r", "gpu", asks("4Gi")))
			}
		})
		add("shares", fmt.Sprintf("%d requests of one claim", number), func(c *writtenCase) {
			c.gpus(1, shareable, memory("8Gi"))
			var requests []resourceapi.DeviceRequest
			for i := range number {
				requests = append(requests, exactly(fmt.Sprintf("r%d", i), "gpu", asks("4Gi")))
			}
			c.claim(requests...)
		})
		add("shares", fmt.Sprintf("count of %d on two devices", number), func(c *writtenCase) {
			c.gpus(2, shareable, memory("8Gi"))
			c.claim(exactly("r", "gpu", count(number), asks("1Gi")))
		})
	}
	add("shares", "without asking takes everything", func(c *writtenCase) {
		c.gpus(1, shareable, memory("8Gi"))
		c.claim(exactly("r", "gpu"))
		c.claim(exactly("r", "gpu"))
	})
	add("shares", "of a device without capacity", func(c *writtenCase) {
		c.gpus(1, shareable)
		c.claim(exactly("r", "gpu"))
		c.claim(exactly("r", "gpu"))
	})
	add("shares", "of a capacity it lacks", func(c *writtenCase) {
		c.gpus(1, shareable)
		c.claim(exactly("r", "gpu", asks("1Gi")))
	})
	add("shares", "second device when the first is full", func(c *writtenCase) {
		c.gpus(2, shareable, memory("8Gi"))
		share(c.held(gpuDriver, "d00"), "6Gi")
		c.claim(exactly("r", "gpu", asks("4Gi")))
	})
	add("shares", "with the gate off", func(c *writtenCase) {
		c.off("DRAConsumableCapacity").gpus(1, shareable, memory("8Gi"))
		c.claim(exactly("r", "gpu"))
		c.claim(exactly("r", "gpu"))
	})
	add("shares", "asking with the gate off", func(c *writtenCase) {
		c.off("DRAConsumableCapacity").gpus(1, memory("8Gi"))
		c.claim(exactly("r", "gpu", asks("1Gi")))
	})
	for _, amount := range []string{"8Gi", "9Gi"} {
		add("shares", "of a device that is not shared, "+amount, func(c *writtenCase) {
			c.gpus(1, memory("8Gi"))
			c.claim(exactly("r", "gpu", asks(amount)))
		})
	}
	add("shares", "of a partition are charged once", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", shareable, memory("8Gi"), consumes("a", "x", "1")), device("d1", consumes("a", "x", "1")))
		c.counters(counterSet("a", "x", "1"))
		share(c.held(gpuDriver, "d0"), "4Gi")
		c.claim(exactly("r", "gpu", asks("4Gi")))
	})
}

func policyCases(add adder) {
	ranged := func(min, max, step string) resourceapi.CapacityRequestPolicy {
		policy := resourceapi.CapacityRequestPolicy{Default: ptr.To(quantity(min)), ValidRange: &resourceapi.CapacityRequestPolicyRange{Min: ptr.To(quantity(min))}}
		if max != "" {
			policy.ValidRange.Max = ptr.To(quantity(max))
		}
		if step != "" {
			policy.ValidRange.Step = ptr.To(quantity(step))
		}
		return policy
	}
	values := resourceapi.CapacityRequestPolicy{Default: ptr.To(quantity("2Gi")), ValidValues: []resource.Quantity{quantity("2Gi"), quantity("4Gi")}}
	for name, policy := range inOrder(map[string]resourceapi.CapacityRequestPolicy{
		"range": ranged("2Gi", "6Gi", ""), "step": ranged("2Gi", "6Gi", "2Gi"), "values": values,
		"default": {Default: ptr.To(quantity("3Gi"))},
	}) {
		for _, amount := range []string{"", "1Gi", "2Gi", "3Gi", "4097Mi", "6Gi", "7Gi"} {
			add("policies", name+" asked for "+amount, func(c *writtenCase) {
				c.gpus(1, shareable, memory("8Gi", policy))
				request := exactly("r", "gpu")
				if amount != "" {
					request = exactly("r", "gpu", asks(amount))
				}
				c.claim(request)
			})
		}
	}
	for _, amount := range []string{"250m", "750m", "1200m"} {
		add("policies", "fractions asked for "+amount, func(c *writtenCase) {
			c.gpus(1, shareable, memory("2", ranged("500m", "1500m", "500m")))
			c.claim(exactly("r", "gpu", asks(amount)))
		})
	}
}

func hostCases(add adder) {
	for _, node := range []string{"node-1", "node-2"} {
		add("hosts", "devices of "+node, func(c *writtenCase) {
			c.gpus(1).Spec.NodeName = ptr.To(node)
			c.claim(exactly("r", "gpu"))
		})
	}
	for _, zone := range []string{"a", "b"} {
		add("hosts", "nodes of zone "+zone, func(c *writtenCase) {
			slice := c.gpus(1)
			slice.Spec.NodeName, slice.Spec.NodeSelector = nil, selectorOn("zone", zone)
			c.claim(exactly("r", "gpu"))
		})
	}
	add("hosts", "two selectors together", func(c *writtenCase) {
		for i, key := range []string{"zone", "rack"} {
			slice := c.slice(gpuDriver, fmt.Sprintf("pool-%d", i), device("d0"))
			slice.Spec.NodeName = nil
			slice.Spec.NodeSelector = selectorOn(key, map[string]string{"zone": "a", "rack": "r1"}[key])
		}
		c.claim(exactly("r", "gpu", count(2)))
	})
	add("hosts", "one selector twice", func(c *writtenCase) {
		for i := range 2 {
			slice := c.slice(gpuDriver, fmt.Sprintf("pool-%d", i), device("d0"))
			slice.Spec.NodeName, slice.Spec.NodeSelector = nil, selectorOn("zone", "b", "a")
		}
		c.claim(exactly("r", "gpu", count(2)))
	})
	add("hosts", "all nodes", func(c *writtenCase) {
		slice := c.gpus(1)
		slice.Spec.NodeName, slice.Spec.AllNodes = nil, ptr.To(true)
		c.claim(exactly("r", "gpu"))
	})
	add("hosts", "local beside attached", func(c *writtenCase) {
		slice := c.slice(gpuDriver, "pool-1", device("d0"))
		slice.Spec.NodeName, slice.Spec.AllNodes = nil, ptr.To(true)
		c.slice(nicDriver, "pool-1", device("n0"))
		c.claim(exactly("r", "any", count(2)))
	})
	add("hosts", "each device has its nodes", func(c *writtenCase) {
		slice := c.gpus(3)
		slice.Spec.NodeName, slice.Spec.PerDeviceNodeSelection = nil, ptr.To(true)
		slice.Spec.Devices[0].NodeName = ptr.To("node-2")
		slice.Spec.Devices[1].NodeSelector = &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchFields: []v1.NodeSelectorRequirement{
			{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{"node-1"}}}}}}
		slice.Spec.Devices[2].AllNodes = ptr.To(true)
		c.claim(exactly("r", "gpu", count(2)))
	})
	for _, generation := range []int64{1, 2} {
		for _, node := range []string{"node-1", "node-2"} {
			add("hosts", fmt.Sprintf("generation %d moves to %s", generation, node), func(c *writtenCase) {
				c.slice(gpuDriver, "pool-1", device("old"))
				moved := c.slice(gpuDriver, "pool-1", device("new"))
				moved.Spec.Pool.Generation, moved.Spec.NodeName = generation, ptr.To(node)
				if generation == 1 {
					c.world.Slices[0].Spec.Pool.ResourceSliceCount, moved.Spec.Pool.ResourceSliceCount = 2, 2
				}
				c.claim(exactly("r", "gpu"))
			})
		}
	}
}

func combinationCases(add adder) {
	for _, n := range []int64{4, 5} {
		for _, k := range []int64{1, 2, 3} {
			add("combinations", fmt.Sprintf("%d of %d, and the rest and one", k, n), func(c *writtenCase) {
				c.gpus(int(n))
				c.claim(exactly("a", "gpu", count(k)), exactly("b", "gpu", count(n-k+1)))
			})
		}
	}
	add("combinations", "across pools", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))))
		c.slice(gpuDriver, "pool-2", device("d0", with("a", integer(2))), device("d1", with("a", integer(3))))
		match(c.claim(exactly("r", "gpu", count(2))), "gpu.example.com/a")
	})
	add("combinations", "across slices of a pool", func(c *writtenCase) {
		for i := range 3 {
			c.slice(gpuDriver, "pool-1", device(fmt.Sprintf("d%d", i), with("a", integer(int64(i%2))))).Spec.Pool.ResourceSliceCount = 3
		}
		match(c.claim(exactly("r", "gpu", count(2))), "gpu.example.com/a")
	})
	add("combinations", "a greedy first request", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))))
		c.claim(exactly("any", "gpu"), exactly("one", "gpu", where(`device.attributes["gpu.example.com"].a == 1`)))
	})
	add("combinations", "a greedy first claim", func(c *writtenCase) {
		c.slice(gpuDriver, "pool-1", device("d0", with("a", integer(1))), device("d1", with("a", integer(2))))
		c.claim(exactly("any", "gpu"))
		c.claim(exactly("one", "gpu", where(`device.attributes["gpu.example.com"].a == 1`)))
	})
	for _, order := range []string{"error in a free device", "error in a device in use"} {
		add("combinations", order, func(c *writtenCase) {
			c.slice(gpuDriver, "pool-1", device("d0", with("b", integer(1))), device("d1", with("a", integer(1))))
			if order == "error in a device in use" {
				c.held(gpuDriver, "d0")
			}
			c.claim(exactly("r", "gpu", where(`device.attributes["gpu.example.com"].a == 1`)))
		})
	}
}
