// Command oracle asks the upstream scheduler's own packages what they find for a cluster written down in JSON.
//
// It exists so that tests can compare: nothing here decides anything by itself. Input and output are JSON, one
// document per line, so that the cost of starting is paid once for many worlds.
package main

import (
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"
)

// kubernetesVersion is the module whose packages answer. Data files carry it, because answers belong to it.
const kubernetesVersion = "v1.37.2"

const usage = `usage: oracle COMMAND [flags]

  schedule -cluster FILE     filters, scores and preemption for every pending pod of every world in FILE ("-": stdin)
  generate -seed N -count N  worlds that use every rule, singly and in combination
  judge    -cluster FILE     how often each filter rejects and each score differs; exit 2 when below the bar
  data     -seed N -count N  worlds and answers as one data file, judged before it is written
  quantity [FILE]            one quantity per line: canonical form, value, milli value, or the error
  selector [FILE]            one {"selector":..., "labels":...} per line: matches or not, or the error
`

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(1)
	}
	commands := map[string]func([]string) error{
		"schedule": runSchedule,
		"generate": runGenerate,
		"judge":    runJudge,
		"data":     runData,
		"quantity": runQuantity,
		"selector": runSelector,
	}
	command, ok := commands[os.Args[1]]
	if !ok {
		fmt.Fprintf(os.Stderr, "oracle: %q is not a command.\n\n%s", os.Args[1], usage)
		os.Exit(1)
	}
	if err := command(os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "oracle %s: %v\n", os.Args[1], err)
		os.Exit(2)
	}
}
