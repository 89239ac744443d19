package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// generator makes expressions that mostly have the type they are asked for and sometimes not, over devices that
// mostly have the names they ask for and sometimes not.
type generator struct {
	random *rand.Rand
	locals map[string][]string // kind of value to the variables in scope
	next   int
}

const (
	kindBool     = "bool"
	kindInt      = "int"
	kindUint     = "uint"
	kindDouble   = "double"
	kindText     = "string"
	kindInts     = "list(int)"
	kindTexts    = "list(string)"
	kindQuantity = "quantity"
	kindVersion  = "semver"
	kindDuration = "duration"
)

var (
	kinds      = []string{kindBool, kindInt, kindUint, kindDouble, kindText, kindInts, kindTexts, kindQuantity, kindVersion, kindDuration}
	drivers    = []string{"gpu.example.com", "nic.example.com"}
	domains    = []string{"gpu.example.com", "nic.example.com", "other.example.com", "nowhere.example.com"}
	attributes = []string{"b", "i", "s", "v", "is", "bs", "ss", "vs", "x"}
	capacities = []string{"memory", "slots", "x"}
	texts      = []string{"", "a", "abc", "gpu", "größe", "日本", "a.b.c", "1.2.3", "40Gi", "-7", "true", "90m", "0x1F", "𝒳y"}
	quantities = []string{"0", "1", "1500m", "40Gi", "1e3", "-2", "100n", "9Ei", "0.5Mi", "x"}
	versions   = []string{"0.0.1", "1.0.0", "1.2.3-rc.1", "1.2.3", "10.0.0+b", "1.2"}
	patterns   = []string{"^a", "[0-9]+", "b$", "", "(a|b)+", "\\\\p{L}", "[", "."}
)

func generate(seed uint64, count int) ([]string, []namedDevice) {
	g := &generator{random: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), locals: map[string][]string{}}
	devices := make([]namedDevice, 8)
	for i := range devices {
		devices[i] = g.device(i)
	}
	expressions := make([]string, 0, count)
	seen := map[string]bool{}
	for len(expressions) < count {
		g.locals, g.next = map[string][]string{}, 0
		expression := g.value(kindBool, 1+g.random.IntN(5))
		if seen[expression] || len(expression) > 1500 {
			continue
		}
		seen[expression] = true
		expressions = append(expressions, expression)
	}
	return expressions, devices
}

func pick[T any](g *generator, from []T) T { return from[g.random.IntN(len(from))] }

func (g *generator) chance(percent int) bool { return g.random.IntN(100) < percent }

func (g *generator) device(number int) namedDevice {
	device := resourceapi.Device{
		Name:       fmt.Sprintf("device-%d", number),
		Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{},
		Capacity:   map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{},
	}
	for _, name := range attributes[:8] {
		for _, domain := range []string{"", "other.example.com/"} {
			if !g.chance(60) {
				continue
			}
			device.Attributes[resourceapi.QualifiedName(domain+name)] = g.attribute(name)
		}
	}
	for _, name := range capacities[:2] {
		if g.chance(80) {
			device.Capacity[resourceapi.QualifiedName(name)] =
				resourceapi.DeviceCapacity{Value: resource.MustParse(pick(g, quantities[:9]))}
		}
	}
	if g.chance(40) {
		allow := g.chance(50)
		device.AllowMultipleAllocations = &allow
	}
	return namedDevice{Driver: pick(g, drivers), Device: device}
}

func (g *generator) attribute(name string) resourceapi.DeviceAttribute {
	integer := int64(g.random.IntN(12) - 3)
	yes := g.chance(50)
	text := pick(g, texts)
	version := pick(g, versions[:5])
	switch name {
	case "b":
		return resourceapi.DeviceAttribute{BoolValue: &yes}
	case "i":
		return resourceapi.DeviceAttribute{IntValue: &integer}
	case "s":
		return resourceapi.DeviceAttribute{StringValue: &text}
	case "v":
		return resourceapi.DeviceAttribute{VersionValue: &version}
	case "is":
		return resourceapi.DeviceAttribute{IntValues: []int64{integer, int64(g.random.IntN(5)), 7}}
	case "bs":
		return resourceapi.DeviceAttribute{BoolValues: []bool{yes, !yes}}
	case "ss":
		return resourceapi.DeviceAttribute{StringValues: []string{text, pick(g, texts), "a"}}
	default:
		return resourceapi.DeviceAttribute{VersionValues: []string{version, "2.0.0"}}
	}
}

func quoted(text string) string { return `"` + text + `"` }

// read is an attribute of any type; with a hint it is mostly of the kind that is wanted.
func (g *generator) read(name string) string {
	if g.chance(10) {
		name = pick(g, attributes)
	}
	base := "device.attributes[" + quoted(pick(g, domains[:3])) + "]"
	switch g.random.IntN(10) {
	case 0:
		base = "device.attributes[device.driver]"
	case 1:
		base = "device.attributes[" + quoted(pick(g, domains)) + "]"
	}
	if g.chance(25) {
		return base + "[" + quoted(name) + "]"
	}
	return base + "." + name
}

func (g *generator) capacity() string {
	return "device.capacity[" + quoted(pick(g, domains)) + "]." + pick(g, capacities)
}

// value is an expression of a kind, of a depth at most.
func (g *generator) value(kind string, depth int) string {
	if g.chance(2) {
		kind = pick(g, kinds)
	}
	if names := g.locals[kind]; len(names) > 0 && g.chance(35) {
		return pick(g, names)
	}
	if depth <= 0 || g.chance(12) {
		return g.leaf(kind)
	}
	if g.chance(6) {
		return "(" + g.value(kindBool, depth-1) + " ? " + g.value(kind, depth-1) + " : " + g.value(kind, depth-1) + ")"
	}
	if g.chance(4) {
		inner := pick(g, kinds)
		init := g.value(inner, depth-1)
		name := g.bind(inner)
		body := g.value(kind, depth-1)
		g.unbind(inner)
		return "cel.bind(" + name + ", " + init + ", " + body + ")"
	}
	sub := func(k string) string { return g.value(k, depth-1) }
	switch kind {
	case kindBool:
		return g.boolean(depth)
	case kindInt:
		return g.choose(
			func() string {
				return "(" + sub(kindInt) + pick(g, []string{" + ", " - ", " * ", " / ", " % "}) + sub(kindInt) + ")"
			},
			func() string { return "-" + sub(kindInt) },
			func() string { return sub(pick(g, []string{kindText, kindInts, kindTexts})) + ".size()" },
			func() string { return "size(" + sub(pick(g, []string{kindText, kindInts, kindTexts})) + ")" },
			func() string {
				return sub(kindText) + pick(g, []string{".indexOf(", ".lastIndexOf("}) + sub(kindText) + ")"
			},
			func() string { return sub(kindInts) + "[" + sub(kindInt) + "]" },
			func() string { return sub(kindInts) + pick(g, []string{".sum()", ".min()", ".max()"}) },
			func() string { return sub(kindInts) + ".indexOf(" + sub(kindInt) + ")" },
			func() string { return "int(" + sub(pick(g, []string{kindText, kindDouble, kindInt, kindUint})) + ")" },
			func() string { return sub(kindVersion) + pick(g, []string{".major()", ".minor()", ".patch()"}) },
			func() string { return sub(kindQuantity) + pick(g, []string{".sign()", ".asInteger()"}) },
			func() string { return sub(kindQuantity) + ".compareTo(" + sub(kindQuantity) + ")" },
			func() string { return sub(kindVersion) + ".compareTo(" + sub(kindVersion) + ")" },
			func() string {
				return sub(kindDuration) + pick(g, []string{".getSeconds()", ".getMinutes()", ".getMilliseconds()"})
			},
			func() string { return g.optional("i", sub(kindInt)) },
		)
	case kindUint:
		return g.choose(
			func() string {
				return "(" + sub(kindUint) + pick(g, []string{" + ", " - ", " * ", " / ", " % "}) + sub(kindUint) + ")"
			},
			func() string { return "uint(" + sub(pick(g, []string{kindInt, kindDouble, kindText})) + ")" },
		)
	case kindDouble:
		return g.choose(
			func() string {
				return "(" + sub(kindDouble) + pick(g, []string{" + ", " - ", " * ", " / "}) + sub(kindDouble) + ")"
			},
			func() string { return "double(" + sub(pick(g, []string{kindInt, kindText, kindUint})) + ")" },
			func() string { return sub(kindQuantity) + ".asApproximateFloat()" },
			func() string { return "-" + sub(kindDouble) },
		)
	case kindText:
		return g.choose(
			func() string { return "(" + sub(kindText) + " + " + sub(kindText) + ")" },
			func() string {
				return "string(" + sub(pick(g, []string{kindInt, kindDouble, kindBool, kindUint, kindDuration})) + ")"
			},
			func() string { return sub(kindText) + pick(g, []string{".lowerAscii()", ".upperAscii()", ".trim()"}) },
			func() string { return sub(kindText) + ".substring(" + sub(kindInt) + ")" },
			func() string { return sub(kindText) + ".charAt(" + sub(kindInt) + ")" },
			func() string { return sub(kindText) + ".replace(" + sub(kindText) + ", " + sub(kindText) + ")" },
			func() string { return sub(kindTexts) + pick(g, []string{".join()", ".join(\"-\")"}) },
			func() string { return sub(kindTexts) + "[" + sub(kindInt) + "]" },
			func() string { return sub(kindText) + ".find(" + quoted(pick(g, patterns)) + ")" },
			func() string { return `"%s|%d".format([` + sub(kindText) + ", " + sub(kindText) + "])" },
			func() string {
				return `"%s".format([` + sub(pick(g, []string{kindText, kindInt, kindBool, kindDuration})) + "])"
			},
			func() string { return g.optional("s", sub(kindText)) },
		)
	case kindInts:
		return g.choose(
			func() string { return "[" + sub(kindInt) + ", " + sub(kindInt) + "]" },
			func() string { return "(" + sub(kindInts) + " + " + sub(kindInts) + ")" },
			func() string { return g.loop(sub(kindInts), kindInt, ".map(", kindInt, depth) },
			func() string { return g.loop(sub(kindInts), kindInt, ".filter(", kindBool, depth) },
			func() string { return g.loop(sub(kindTexts), kindText, ".map(", kindInt, depth) },
			func() string { return sub(kindInts) + pick(g, []string{".sort()", ".distinct()", ".reverse()"}) },
			func() string { return sub(kindInts) + ".slice(" + sub(kindInt) + ", " + sub(kindInt) + ")" },
			func() string { return "lists.range(" + sub(kindInt) + ")" },
			func() string { return g.loop(sub(kindInts), kindInt, ".sortBy(", kindInt, depth) },
			func() string { return g.loop2(sub(kindInts), ".transformList(", kindInt, depth) },
		)
	case kindTexts:
		return g.choose(
			func() string { return "[" + sub(kindText) + ", " + sub(kindText) + "]" },
			func() string { return sub(kindText) + ".split(" + sub(kindText) + ")" },
			func() string { return sub(kindText) + ".findAll(" + quoted(pick(g, patterns)) + ")" },
			func() string { return g.loop(sub(kindTexts), kindText, ".filter(", kindBool, depth) },
			func() string { return g.loop(sub(kindInts), kindInt, ".map(", kindText, depth) },
			func() string { return sub(kindTexts) + pick(g, []string{".sort()", ".distinct()", ".reverse()"}) },
		)
	case kindQuantity:
		return g.choose(
			func() string {
				return sub(kindQuantity) + pick(g, []string{".add(", ".sub("}) + sub(pick(g, []string{kindQuantity, kindInt})) + ")"
			},
			func() string { return "quantity(" + sub(kindText) + ")" },
			g.capacity,
			func() string {
				return "device.capacity[" + quoted(pick(g, domains)) + "].?" + pick(g, capacities) + ".orValue(" + sub(kindQuantity) + ")"
			},
		)
	case kindVersion:
		return g.choose(
			func() string { return "semver(" + sub(kindText) + ", true)" },
			func() string { return g.optional("v", sub(kindVersion)) },
		)
	default:
		return g.choose(
			func() string {
				return "(" + sub(kindDuration) + pick(g, []string{" + ", " - "}) + sub(kindDuration) + ")"
			},
			func() string { return "duration(" + sub(kindText) + ")" },
		)
	}
}

// right is the right side of an equality. Upstream cannot compare with what quantity arithmetic gave there, which
// docs/differences.md has as a defect.
func (g *generator) right(kind string, depth int) string {
	if kind == kindQuantity {
		return g.leaf(kind)
	}
	return g.value(kind, depth-1)
}

func (g *generator) choose(from ...func() string) string { return pick(g, from)() }

func (g *generator) boolean(depth int) string {
	sub := func(k string) string { return g.value(k, depth-1) }
	compared := pick(g, kinds)
	return g.choose(
		func() string { return "(" + sub(kindBool) + " && " + sub(kindBool) + ")" },
		func() string { return "(" + sub(kindBool) + " || " + sub(kindBool) + ")" },
		func() string { return "!" + sub(kindBool) },
		func() string {
			return "(" + sub(compared) + pick(g, []string{" == ", " != "}) + g.right(compared, depth) + ")"
		},
		func() string { return "(" + sub(compared) + " == " + g.right(compared, depth) + ")" },
		func() string {
			return "(" + sub(compared) + pick(g, []string{" < ", " <= ", " > ", " >= "}) + sub(pick(g, []string{compared, kindInt, kindDouble})) + ")"
		},
		func() string { return "(" + sub(kindInt) + " in " + sub(kindInts) + ")" },
		func() string { return "(" + sub(kindText) + " in " + sub(kindTexts) + ")" },
		func() string {
			return sub(kindText) + pick(g, []string{".contains(", ".startsWith(", ".endsWith("}) + sub(kindText) + ")"
		},
		func() string { return sub(kindText) + ".matches(" + quoted(pick(g, patterns)) + ")" },
		func() string {
			return g.loop(sub(kindInts), kindInt, pick(g, []string{".all(", ".exists(", ".exists_one("}), kindBool, depth)
		},
		func() string {
			return g.loop(sub(kindTexts), kindText, pick(g, []string{".all(", ".exists("}), kindBool, depth)
		},
		func() string {
			return g.loop2(sub(kindInts), pick(g, []string{".all(", ".exists(", ".existsOne("}), kindBool, depth)
		},
		func() string {
			return "has(" + "device.attributes[" + quoted(pick(g, domains)) + "]." + pick(g, attributes) + ")"
		},
		func() string {
			return "(" + quoted(pick(g, attributes)) + " in device.attributes[" + quoted(pick(g, domains)) + "])"
		},
		func() string { return "(" + quoted(pick(g, domains)) + " in device.attributes)" },
		func() string {
			return sub(kindQuantity) + pick(g, []string{".isGreaterThan(", ".isLessThan("}) + sub(kindQuantity) + ")"
		},
		func() string {
			return sub(kindVersion) + pick(g, []string{".isGreaterThan(", ".isLessThan("}) + sub(kindVersion) + ")"
		},
		func() string {
			return pick(g, []string{"isQuantity(", "isSemver(", "isURL(", "isIP("}) + sub(kindText) + ")"
		},
		func() string { return g.read(pick(g, attributes)) + " == " + sub(pick(g, kinds)) },
		func() string { return g.read(pick(g, attributes)) + ".includes(" + sub(pick(g, kinds)) + ")" },
		func() string {
			return g.loop(g.read("is"), kindInt, pick(g, []string{".all(", ".exists("}), kindBool, depth)
		},
		func() string {
			return g.loop("device.attributes", kindText, pick(g, []string{".all(", ".exists("}), kindBool, depth)
		},
		func() string { return "sets.contains(" + g.leaf(kindInts) + ", " + g.leaf(kindInts) + ")" },
		func() string { return g.optional("b", sub(kindBool)) },
		func() string {
			return "device.attributes[" + quoted(pick(g, domains)) + "][?" + quoted(pick(g, attributes)) + "].hasValue()"
		},
		func() string { return "device.driver == " + quoted(pick(g, drivers)) },
		func() string { return "device.allowMultipleAllocations" },
		func() string { return g.read("b") },
	)
}

// optional reads an attribute that may be missing.
func (g *generator) optional(name, otherwise string) string {
	return "device.attributes[" + quoted(pick(g, domains)) + "].?" + name + ".orValue(" + otherwise + ")"
}

func (g *generator) bind(kind string) string {
	name := fmt.Sprintf("%c%d", 'a'+rune(strings.Index("bilqsud", kind[:1])), g.next)
	if strings.Index("bilqsud", kind[:1]) < 0 {
		name = fmt.Sprintf("z%d", g.next)
	}
	g.next++
	g.locals[kind] = append(g.locals[kind], name)
	return name
}

func (g *generator) unbind(kind string) {
	names := g.locals[kind]
	g.locals[kind] = names[:len(names)-1]
}

func (g *generator) loop(over, element, macro, body string, depth int) string {
	name := g.bind(element)
	inside := g.value(body, depth-1)
	g.unbind(element)
	return over + macro + name + ", " + inside + ")"
}

func (g *generator) loop2(over, macro, body string, depth int) string {
	index := g.bind(kindInt)
	name := g.bind(kindInt)
	inside := g.value(body, depth-1)
	g.unbind(kindInt)
	g.unbind(kindInt)
	return over + macro + index + ", " + name + ", " + inside + ")"
}

func (g *generator) leaf(kind string) string {
	switch kind {
	case kindBool:
		return g.choose(
			func() string { return pick(g, []string{"true", "false", "device.allowMultipleAllocations"}) },
			func() string { return g.read("b") },
			func() string { return "device.driver == " + quoted(pick(g, drivers)) },
		)
	case kindInt:
		return g.choose(
			func() string {
				return pick(g, []string{"0", "1", "2", "-1", "7", "42", "9223372036854775807", "0x10", "-9223372036854775808"})
			},
			func() string { return fmt.Sprint(g.random.IntN(10)) },
			func() string { return g.read("i") },
		)
	case kindUint:
		return pick(g, []string{"0u", "1u", "7u", "18446744073709551615u", "3u"})
	case kindDouble:
		return pick(g, []string{"0.0", "1.0", "1.5", "-2.25", "1e15", "0.1", "7.0", "9007199254740993.0"})
	case kindText:
		return g.choose(
			func() string { return quoted(pick(g, texts)) },
			func() string { return "device.driver" },
			func() string { return g.read("s") },
		)
	case kindInts:
		return g.choose(
			func() string { return pick(g, []string{"[]", "[1]", "[3, 1, 2]", "[7, 7]", "[-1, 0, 1]"}) },
			func() string { return g.read("is") },
		)
	case kindTexts:
		return g.choose(
			func() string { return pick(g, []string{"[]", `["a"]`, `["b", "a"]`, `["", "é"]`}) },
			func() string { return g.read("ss") },
		)
	case kindQuantity:
		return g.choose(func() string { return "quantity(" + quoted(pick(g, quantities)) + ")" }, g.capacity)
	case kindVersion:
		return g.choose(
			func() string { return "semver(" + quoted(pick(g, versions)) + ")" },
			func() string { return g.read("v") },
		)
	default:
		return "duration(" + quoted(pick(g, []string{"1s", "90m", "-1.5s", "0s", "1h30m", "100ms"})) + ")"
	}
}
