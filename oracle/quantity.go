package main

import (
	"encoding/json"
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"

	"berth.example/oracle/internal/tool"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// pathArgument is the first argument, or standard input.
func pathArgument(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return "-"
}

// runQuantity prints what the API machinery makes of each line. Lines are JSON strings, so that spaces and empty
// strings can be asked about. With -count it asks about made-up strings instead of reading any.
func runQuantity(args []string) error {
	flags := flag.NewFlagSet("quantity", flag.ContinueOnError)
	seed := flags.Uint64("seed", 1, "seed of made-up quantities")
	count := flags.Int("count", 0, "number of made-up quantities; 0 reads the file instead")
	if err := flags.Parse(args); err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if *count > 0 {
		header := tool.Header{
			Module: "k8s.io/apimachinery v0" + strings.TrimPrefix(kubernetesVersion, "v1"), Seed: *seed, Worlds: *count,
		}
		if err := header.Encode(encoder); err != nil {
			return err
		}
		for _, text := range madeUpQuantities(*seed, *count) {
			if err := encoder.Encode(describeQuantity(text)); err != nil {
				return err
			}
		}
		return nil
	}
	return forEachLine(pathArgument(flags.Args()), func(line []byte) error {
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			return err
		}
		return encoder.Encode(describeQuantity(text))
	})
}

func describeQuantity(text string) map[string]any {
	quantity, err := resource.ParseQuantity(text)
	if err != nil {
		return map[string]any{"text": text, "error": err.Error()}
	}
	described := map[string]any{
		"text": text, "canonical": quantity.String(), "value": quantity.Value(), "milli": quantity.MilliValue(),
	}
	if outOfRange(text) {
		// Upstream caps or wraps silently; what it prints then is no amount that anybody wrote.
		described["outOfRange"] = true
	}
	return described
}

var quantityParts = regexp.MustCompile(`^([+-]?)([0-9]*)(?:\.([0-9]*))?([A-Za-z]*)([-+]?[0-9]*)$`)

// outOfRange tells whether the exact amount of a legal quantity is 2^63 or more, or below -2^63+1.
func outOfRange(text string) bool {
	parts := quantityParts.FindStringSubmatch(text)
	amount, ok := new(big.Rat).SetString("0" + parts[2] + "." + parts[3] + "0")
	if !ok {
		return false
	}
	decimal := map[string]int{"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
	binary := map[string]uint{"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
	power := decimal[parts[4]]
	if parts[5] != "" {
		power, _ = strconv.Atoi(parts[5])
	}
	factor := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil))
	if power < 0 {
		factor.Inv(factor)
	}
	amount.Mul(amount, factor)
	amount.Mul(amount, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), binary[parts[4]])))
	return amount.Cmp(new(big.Rat).SetInt64(math.MaxInt64)) > 0
}

// madeUpQuantities are strings near the grammar of quantities: about two thirds are legal.
func madeUpQuantities(seed uint64, count int) []string {
	random := rand.New(rand.NewPCG(seed, 0))
	digits := []string{
		"0", "1", "5", "12", "100", "1000", "1023", "1024", "1025", "007", "999", "1048576", "123456789", "4294967296",
		"9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551616", "",
	}
	fractions := []string{"", "", "", "", ".", ".0", ".5", ".25", ".001", ".0001", ".9999999999", ".000000001", ".10"}
	signs := []string{"", "", "", "", "", "+", "-", "--"}
	suffixes := []string{
		"", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "K", "ki", "mi", "Mb", " ", "i",
		"e0", "e3", "E3", "e-3", "E+6", "e18", "e19", "e-9", "e-12", "e", "E-", "e+", "e3Ki", "m2", "e1.5", "e100", "Zi", "u ",
	}
	one := func(choices []string) string { return choices[random.IntN(len(choices))] }
	texts := []string{"", " ", "1 Gi", " 1", "1\t", "0x10", "1_000", "1,5", "NaN", "Inf", "true", "\u0661", "1\n"}
	for len(texts) < count {
		texts = append(texts, one(signs)+one(digits)+one(fractions)+one(suffixes))
	}
	return texts
}

// runSelector prints for each line {"selector": LabelSelector or null, "labels": {...}} whether it matches.
func runSelector(args []string) error {
	encoder := json.NewEncoder(os.Stdout)
	return forEachLine(pathArgument(args), func(line []byte) error {
		var question struct {
			Selector *metav1.LabelSelector `json:"selector"`
			Labels   map[string]string     `json:"labels"`
		}
		if err := json.Unmarshal(line, &question); err != nil {
			return err
		}
		selector, err := metav1.LabelSelectorAsSelector(question.Selector)
		if err != nil {
			return encoder.Encode(map[string]any{"error": err.Error()})
		}
		return encoder.Encode(map[string]any{
			"matches": selector.Matches(labels.Set(question.Labels)), "empty": selector.Empty(),
		})
	})
}
