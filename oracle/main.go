// Command oracle asks the upstream scheduler's own packages what they find for a cluster written down in JSON.
//
// It exists so that tests can compare: nothing here decides anything by itself. Input and output are JSON, one
// document per line, so that the cost of starting is paid once for many worlds.
package main

import "berth.example/oracle/internal/tool"

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
	tool.Run("oracle", usage, map[string]func([]string) error{
		"schedule": runSchedule,
		"generate": runGenerate,
		"judge":    runJudge,
		"data":     runData,
		"quantity": runQuantity,
		"selector": runSelector,
	})
}
