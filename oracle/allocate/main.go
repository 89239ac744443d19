// Command allocate asks the upstream structured allocator which devices claims get on a node.
//
// It exists so that tests can compare: nothing here decides anything by itself. Worlds are resource.k8s.io/v1 objects,
// one JSON document per line.
package main

import (
	"fmt"
	"io"
	"os"

	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/klog/v2"
)

const usage = `usage: allocate COMMAND [flags]

  answer   FILE                  what upstream allocates in every world of FILE
  cases    -o F                  the written cases and their answers as a data file
  data     -seed N -count N -o F  worlds and answers as one data file, judged before it is written
`

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(1)
	}
	// Gates that are off must not select an older variant with other rules: only these two are compared with.
	structured.EnableAllocators("incubating", "experimental")
	commands := map[string]func([]string) error{"answer": runAnswer, "cases": runCases, "data": runData}
	command, ok := commands[os.Args[1]]
	if !ok {
		fmt.Fprintf(os.Stderr, "allocate: %q is not a command.\n\n%s", os.Args[1], usage)
		os.Exit(1)
	}
	if err := command(os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "allocate %s: %v\n", os.Args[1], err)
		os.Exit(2)
	}
}
