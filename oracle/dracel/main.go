// Command dracel asks the upstream DRA CEL package what expressions over devices give.
//
// For every expression and every environment in which the API server or the scheduler may compile it: the compile
// error, or the estimated cost and, per device, the value or the run-time error, and the actual cost. Nothing here
// decides anything by itself.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

const usage = `usage: dracel COMMAND [flags]

  corpus   -dir DIR -o FILE        answers for the expressions and devices written down in DIR
  generate -seed N -count N -o FILE  answers for expressions and devices made from a seed
`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(1)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "dracel %s: %v\n", os.Args[1], err)
		os.Exit(2)
	}
}

func run(command string, arguments []string) error {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	dir := flags.String("dir", "dracel/corpus", "where the expressions and devices are")
	seed := flags.Uint64("seed", 1, "of the generator")
	count := flags.Int("count", 1000, "expressions to make")
	out := flags.String("o", "-", "file to write; gzip if it ends in .gz")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	var expressions []string
	var devices []namedDevice
	var err error
	header := map[string]any{"module": "k8s.io/dynamic-resource-allocation", "version": moduleVersion}
	switch command {
	case "corpus":
		if expressions, err = readExpressions(*dir + "/expressions.txt"); err != nil {
			return err
		}
		if devices, err = readSlices(*dir + "/slices.yaml"); err != nil {
			return err
		}
	case "generate":
		header["seed"] = *seed
		expressions, devices = generate(*seed, *count)
	default:
		return fmt.Errorf("%q is not a command", command)
	}
	header["environments"] = environmentNames()
	header["devices"] = devices
	return write(*out, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
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

// write gives a buffered file, zipped without a time so that equal answers are equal bytes.
func write(path string, fill func(io.Writer) error) error {
	if path == "-" {
		return fill(os.Stdout)
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	if strings.HasSuffix(path, ".gz") {
		zipped, err := gzip.NewWriterLevel(buffered, gzip.BestCompression)
		if err != nil {
			return err
		}
		if err := fill(zipped); err != nil {
			return err
		}
		if err := zipped.Close(); err != nil {
			return err
		}
	} else if err := fill(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}
