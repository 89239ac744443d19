// Package tool is what the oracle's programs have in common: commands, and data files.
package tool

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// Run gives the arguments to the command that the first of them names, and ends the process if it fails. What upstream
// logs is dropped.
func Run(name, usage string, commands map[string]func([]string) error) {
	klog.SetLogger(logr.Discard())
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(1)
	}
	command, ok := commands[os.Args[1]]
	if !ok {
		fmt.Fprintf(os.Stderr, "%s: %q is not a command.\n\n%s", name, os.Args[1], usage)
		os.Exit(1)
	}
	if err := command(os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "%s %s: %v\n", name, os.Args[1], err)
		os.Exit(2)
	}
}

// Write gives an encoder of lines to a file, or to standard output for "-". A file whose name ends in .gz is zipped,
// without a time, so that equal lines are equal bytes.
func Write(path string, fill func(*json.Encoder) error) error {
	encode := func(out io.Writer) error {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return fill(encoder)
	}
	if path == "-" {
		return encode(os.Stdout)
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
		if err := encode(zipped); err != nil {
			return err
		}
		if err := zipped.Close(); err != nil {
			return err
		}
	} else if err := encode(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.Close()
}

// Header is the first line of a data file, as {"header": ...}.
type Header struct {
	Module string `json:"module"` // whose packages answer: answers belong to it
	Seed   uint64 `json:"seed"`
	Worlds int    `json:"worlds"`
}

// Encode writes the line.
func (h Header) Encode(encoder *json.Encoder) error {
	return encoder.Encode(map[string]any{"header": h})
}

// Data writes worlds with their answers as one file and the judgement of the worlds to standard error. `next` makes the
// line of world number i, nil to leave it out. Nothing in the file depends on time, machine or map order, so the same
// seed gives the same bytes.
func Data(arguments []string, module string, next func(seed uint64, i int) (any, error),
	judge func(io.Writer) error) error {
	flags := flag.NewFlagSet("data", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "seed of the worlds")
	count := flags.Int("count", 10, "number of worlds")
	path := flags.String("o", "", "file to write")
	strict := flags.Bool("judge", true, "fail when the worlds use too little")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	err := Write(*path, func(encoder *json.Encoder) error {
		if err := (Header{Module: module, Seed: *seed, Worlds: *count}).Encode(encoder); err != nil {
			return err
		}
		for i, written := 0, 0; written < *count; i++ {
			line, err := next(*seed, i)
			if err != nil {
				return err
			}
			if line == nil {
				continue
			}
			if err := encoder.Encode(line); err != nil {
				return err
			}
			written++
		}
		return nil
	})
	if err != nil {
		return err
	}
	verdict := judge(os.Stderr)
	if !*strict {
		return nil
	}
	return verdict
}
