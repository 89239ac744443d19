// Command dracel asks the upstream DRA CEL package what expressions over devices give.
//
// For every expression and every environment in which the API server or the scheduler may compile it: the compile
// error, or the estimated cost and, per device, the value or the run-time error, and the actual cost. Nothing here
// decides anything by itself.
package main

import (
	"encoding/json"
	"flag"

	"berth.example/oracle/internal/tool"
)

const usage = `usage: dracel COMMAND [flags]

  corpus   -dir DIR -o FILE        answers for the expressions and devices written down in DIR
  generate -seed N -count N -o FILE  answers for expressions and devices made from a seed
`

func main() {
	tool.Run("dracel", usage, map[string]func([]string) error{"corpus": runCorpus, "generate": runGenerate})
}

func runCorpus(arguments []string) error {
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	dir := flags.String("dir", "dracel/corpus", "where the expressions and devices are")
	out := outFlag(flags)
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	expressions, err := readExpressions(*dir + "/expressions.txt")
	if err != nil {
		return err
	}
	devices, err := readSlices(*dir + "/slices.yaml")
	if err != nil {
		return err
	}
	return write(*out, map[string]any{}, expressions, devices)
}

func runGenerate(arguments []string) error {
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "of the generator")
	count := flags.Int("count", 1000, "expressions to make")
	out := outFlag(flags)
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	expressions, devices := generate(*seed, *count)
	return write(*out, map[string]any{"seed": *seed}, expressions, devices)
}

func outFlag(flags *flag.FlagSet) *string {
	return flags.String("o", "-", "file to write; gzip if it ends in .gz")
}

// write adds to the header what all files have, and the answers behind it.
func write(path string, header map[string]any, expressions []string, devices []namedDevice) error {
	header["module"] = "k8s.io/dynamic-resource-allocation"
	header["version"] = moduleVersion
	header["environments"] = environmentNames()
	header["devices"] = devices
	return tool.Write(path, func(encoder *json.Encoder) error {
		if err := encoder.Encode(header); err != nil {
			return err
		}
		for _, expression := range expressions {
			if err := encoder.Encode(answer(expression, devices)); err != nil {
				return err
			}
		}
		return nil
	})
}
