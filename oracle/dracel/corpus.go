package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"sigs.k8s.io/yaml"
)

// readExpressions reads one expression a line. Lines that start with # are remarks; those that start with json: hold a
// JSON string, for expressions with line ends; those that start with repeat: have a number, a text, and what comes
// before and after the repeated text, as one JSON list.
func readExpressions(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var expressions []string
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for number := 1; scanner.Scan(); number++ {
		line := scanner.Text()
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "json:"):
			var expression string
			if err := json.Unmarshal([]byte(line[len("json:"):]), &expression); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, number, err)
			}
			expressions = append(expressions, expression)
		case strings.HasPrefix(line, "repeat:"):
			var parts [3]string
			times := 0
			if err := json.Unmarshal([]byte(line[len("repeat:"):]), &[]any{&times, &parts[0], &parts[1], &parts[2]}); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, number, err)
			}
			expressions = append(expressions, parts[0]+strings.Repeat(parts[1], times)+parts[2])
		default:
			expressions = append(expressions, line)
		}
	}
	return expressions, scanner.Err()
}

// readSlices reads ResourceSlices and gives their devices.
func readSlices(path string) ([]namedDevice, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var devices []namedDevice
	for _, document := range strings.Split(string(content), "\n---\n") {
		var slice resourceapi.ResourceSlice
		if err := yaml.UnmarshalStrict([]byte(document), &slice); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, device := range slice.Spec.Devices {
			devices = append(devices, namedDevice{Driver: slice.Spec.Driver, Device: device})
		}
	}
	return devices, nil
}
