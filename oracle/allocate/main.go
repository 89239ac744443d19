// Command allocate asks the upstream structured allocator which devices claims get on a node.
//
// It exists so that tests can compare: nothing here decides anything by itself. Worlds are resource.k8s.io/v1 objects,
// one JSON document per line.
package main

import (
	"berth.example/oracle/internal/tool"

	"k8s.io/dynamic-resource-allocation/structured"
)

const usage = `usage: allocate COMMAND [flags]

  answer   FILE                  what upstream allocates in every world of FILE
  cases    -o F                  the written cases and their answers as a data file
  data     -seed N -count N -o F  worlds and answers as one data file, judged before it is written
`

func main() {
	// Gates that are off must not select an older variant with other rules: only these two are compared with.
	structured.EnableAllocators("incubating", "experimental")
	tool.Run("allocate", usage, map[string]func([]string) error{"answer": runAnswer, "cases": runCases, "data": runData})
}
