package main

import (
	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
)

// World is one question: which devices do the pending claims get on the node?
type World struct {
	Name string `json:"name"`
	// Tags are the rules that the generator used.
	Tags     []string                     `json:"tags"`
	Features map[string]bool              `json:"features"`
	Node     *v1.Node                     `json:"node"`
	Classes  []*resourceapi.DeviceClass   `json:"classes"`
	Slices   []*resourceapi.ResourceSlice `json:"slices"`
	// Claims in pod order; those with an allocation are in use.
	Claims []*resourceapi.ResourceClaim `json:"claims"`
}

// Answer is what upstream says.
type Answer struct {
	// Outcome is allocated, no, invalid (no, and some pool is invalid) or error.
	Outcome string `json:"outcome"`
	// Class of the error; see classify. Wordings are not kept: upstream names one of several causes at random.
	Class   string                         `json:"class,omitempty"`
	Results []resourceapi.AllocationResult `json:"results,omitempty"`
	// Selectors says for each expression and slice what the selector answers for its devices: a word of y, n and e.
	Selectors map[string]map[string]string `json:"selectors,omitempty"`
}
