package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
)

// write turns objects into JSON as people and tools write it: without empty parts, and with quantities in any of
// the spellings that mean the same.
func (g *generator) write(list []runtime.Object) ([]json.RawMessage, error) {
	var written []json.RawMessage
	for _, object := range list {
		raw, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		var tree map[string]any
		if err := json.Unmarshal(raw, &tree); err != nil {
			return nil, err
		}
		prune(tree)
		g.respellTree(tree)
		if raw, err = json.Marshal(tree); err != nil {
			return nil, err
		}
		written = append(written, raw)
	}
	return written, nil
}

// prune drops nulls and the empty maps that mean nothing. An empty selector is not among them: it means everything.
func prune(tree map[string]any) {
	for key, value := range tree {
		switch value := value.(type) {
		case nil:
			delete(tree, key)
		case map[string]any:
			prune(value)
			if len(value) == 0 && (key == "status" || key == "resources" || key == "spec" || key == "strategy") {
				delete(tree, key)
			}
		case []any:
			for _, item := range value {
				if item, ok := item.(map[string]any); ok {
					prune(item)
				}
			}
		}
	}
}

// respellTree visits the resource lists. Maps are visited in sorted order, for the random source's sake.
func (g *generator) respellTree(tree map[string]any) {
	for _, key := range sortedKeys(tree) {
		switch value := tree[key].(type) {
		case map[string]any:
			switch key {
			case "requests", "limits", "allocatable", "capacity", "overhead":
				for _, name := range sortedKeys(value) {
					if text, ok := value[name].(string); ok && g.chance(0.15) {
						value[name] = g.respell(text)
					}
				}
			default:
				g.respellTree(value)
			}
		case []any:
			for _, item := range value {
				if item, ok := item.(map[string]any); ok {
					g.respellTree(item)
				}
			}
		}
	}
}

// respell writes a quantity in another way that has the same value.
func (g *generator) respell(text string) any {
	quantity := resource.MustParse(text)
	value, milli := quantity.Value(), quantity.MilliValue()
	whole := milli == value*1000
	spellings := []string{"+" + text, fmt.Sprintf("%dm", milli)}
	if milli < 1<<40 {
		spellings = append(spellings, fmt.Sprintf("%d000u", milli), fmt.Sprintf("%d.%03d", milli/1000, milli%1000))
	}
	if whole {
		spellings = append(spellings, fmt.Sprintf("%de0", value), fmt.Sprintf("%d.0", value), fmt.Sprintf("%d", value))
		if value%1000 == 0 {
			spellings = append(spellings, fmt.Sprintf("%dE3", value/1000), fmt.Sprintf("%dk", value/1000))
		}
		if value%512 == 0 {
			spellings = append(spellings, strings.TrimSuffix(fmt.Sprintf("%.1f", float64(value)/1024), ".0")+"Ki")
		}
	}
	g.tags["quantity-spelling"] = true
	chosen := pick(g, spellings)
	if other, err := resource.ParseQuantity(chosen); err != nil || other.Cmp(quantity) != 0 {
		return text
	}
	if whole && value < 1<<31 && g.chance(0.3) {
		return value // A bare number is a quantity too.
	}
	return chosen
}

func sortedKeys(tree map[string]any) []string {
	keys := make([]string, 0, len(tree))
	for key := range tree {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
