// Command celsuite asks cel-go, with the libraries of the Kubernetes API server, what expressions give, and writes the
// answers as lines of the CEL specification's conformance suite. Nothing here decides anything by itself.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"berth.example/oracle/internal/tool"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/ext"
	"google.golang.org/protobuf/encoding/protojson"
	"k8s.io/apiserver/pkg/cel/library"
)

const usage = `usage: celsuite COMMAND [flags]

  lines -dir DIR -o FILE   lines for the expressions in DIR/expressions-*.txt
`

func main() {
	tool.Run("celsuite", usage, map[string]func([]string) error{"lines": runLines})
}

func runLines(arguments []string) error {
	flags := flag.NewFlagSet("lines", flag.ContinueOnError)
	dir := flags.String("dir", "celsuite", "where the expressions are")
	out := flags.String("o", "-", "file to write")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	environment, err := newEnvironment()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(*dir, "expressions-*.txt"))
	if err != nil {
		return err
	}
	sort.Strings(files)
	return tool.Write(*out, func(encoder *json.Encoder) error {
		for _, file := range files {
			if err := writeFile(environment, file, encoder); err != nil {
				return err
			}
		}
		return nil
	})
}

// newEnvironment has what Berth's src/cel has: the language and all its libraries, literals of mixed types included.
func newEnvironment() (*cel.Env, error) {
	return cel.NewEnv(
		cel.CrossTypeNumericComparisons(true),
		cel.DefaultUTCTimeZone(true),
		cel.OptionalTypes(),
		cel.EnableIdentifierEscapeSyntax(),
		ext.Bindings(),
		ext.Strings(),
		ext.Sets(),
		ext.Lists(ext.ListsVersion(3)),
		ext.TwoVarComprehensions(),
		ext.Encoders(),
		library.URLs(),
		library.Regex(),
		library.Quantity(),
		library.IP(),
		library.CIDR(),
		library.Format(),
		library.SemverLib(library.SemverVersion(1)),
		library.Lists(library.ListsVersion(1)),
	)
}

// line is one line of the suite, with the keys that are used here.
type line struct {
	Suite      string      `json:"suite"`
	Section    string      `json:"section"`
	Name       string      `json:"name"`
	Expression string      `json:"expr"`
	Typed      *typed      `json:"typed_result,omitempty"`
	Error      *evalErrors `json:"eval_error,omitempty"`
}

type typed struct {
	Result any             `json:"result"`
	Type   json.RawMessage `json:"deduced_type"`
}

type evalErrors struct {
	Errors []message `json:"errors"`
}

type message struct {
	Message string `json:"message"`
}

// writeFile reads one expression a line. "# section NAME" begins a section; a line that starts with json: holds a JSON
// string; one that starts with nest: has a number, what opens, what is inside, and what closes.
func writeFile(environment *cel.Env, path string, encoder *json.Encoder) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	section, number := "", 0
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for at := 1; scanner.Scan(); at++ {
		text := scanner.Text()
		if name, found := strings.CutPrefix(text, "# section "); found {
			section, number = strings.ReplaceAll(name, " ", "_"), 0
			continue
		}
		if text == "" {
			continue
		}
		expression, err := written(text)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, at, err)
		}
		number++
		one, err := ask(environment, expression)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, at, err)
		}
		one.Suite, one.Section, one.Name = "berth", section, fmt.Sprint(number)
		if err := encoder.Encode(one); err != nil {
			return err
		}
	}
	return scanner.Err()
}

func written(text string) (string, error) {
	if content, found := strings.CutPrefix(text, "json:"); found {
		var expression string
		err := json.Unmarshal([]byte(content), &expression)
		return expression, err
	}
	if content, found := strings.CutPrefix(text, "nest:"); found {
		times, opens, inside, closes := 0, "", "", ""
		err := json.Unmarshal([]byte(content), &[]any{&times, &opens, &inside, &closes})
		return strings.Repeat(opens, times) + inside + strings.Repeat(closes, times), err
	}
	return text, nil
}

func ask(environment *cel.Env, expression string) (line, error) {
	failed := func(text string) line {
		return line{Expression: expression, Error: &evalErrors{[]message{{text}}}}
	}
	compiled, issues := environment.Compile(expression)
	if issues.Err() != nil {
		return failed(issues.Errors()[0].Message), nil
	}
	program, err := environment.Program(compiled)
	if err != nil {
		return failed(err.Error()), nil
	}
	value, _, err := program.Eval(map[string]any{})
	if err != nil {
		return failed(err.Error()), nil
	}
	result, err := notation(value)
	if err != nil {
		return line{}, fmt.Errorf("%s: %w", expression, err)
	}
	deduced, err := notationOfType(compiled.OutputType())
	return line{Expression: expression, Typed: &typed{Result: result, Type: deduced}}, err
}

func notationOfType(found *cel.Type) (json.RawMessage, error) {
	proto, err := cel.TypeToExprType(found)
	if err != nil {
		return nil, err
	}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(proto)
	if err != nil {
		return nil, err
	}
	var any any // the spaces of protojson are random
	if err := json.Unmarshal(text, &any); err != nil {
		return nil, err
	}
	return json.Marshal(any)
}

// notation is how the suite writes a value.
func notation(value ref.Val) (any, error) {
	kind := func(name string, content any) (any, error) { return map[string]any{name: content}, nil }
	switch known := value.(type) {
	case types.Null:
		return kind("null_value", nil)
	case types.Bool:
		return kind("bool_value", bool(known))
	case types.Int:
		return kind("int64_value", fmt.Sprint(int64(known)))
	case types.Uint:
		return kind("uint64_value", fmt.Sprint(uint64(known)))
	case types.Double:
		if name := fmt.Sprint(float64(known)); strings.ContainsAny(name, "NI") {
			return kind("double_value", map[string]string{"NaN": "NaN", "+Inf": "Infinity", "-Inf": "-Infinity"}[name])
		}
		return kind("double_value", float64(known))
	case types.String:
		return kind("string_value", string(known))
	case types.Bytes:
		return kind("bytes_value", []byte(known))
	case *types.Type:
		return kind("type_value", known.TypeName())
	case types.Timestamp:
		return kind("object_value", map[string]string{"@type": "type.googleapis.com/google.protobuf.Timestamp",
			"value": known.Time.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")})
	case types.Duration:
		return kind("object_value", map[string]string{"@type": "type.googleapis.com/google.protobuf.Duration",
			"value": known.Duration.String()})
	case traits.Mapper:
		entries := []any{}
		for it := known.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			keyText, err := notation(key)
			if err != nil {
				return nil, err
			}
			valueText, err := notation(known.Get(key))
			if err != nil {
				return nil, err
			}
			entries = append(entries, map[string]any{"key": keyText, "value": valueText})
		}
		sort.Slice(entries, func(i, j int) bool { return fmt.Sprint(entries[i]) < fmt.Sprint(entries[j]) })
		return kind("map_value", map[string]any{"entries": entries})
	case traits.Lister:
		values := []any{}
		for it := known.Iterator(); it.HasNext() == types.True; {
			element, err := notation(it.Next())
			if err != nil {
				return nil, err
			}
			values = append(values, element)
		}
		return kind("list_value", map[string]any{"values": values})
	}
	return nil, fmt.Errorf("a value of type %s cannot be written; make a bool or a text of it", value.Type().TypeName())
}
