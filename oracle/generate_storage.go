package main

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

const bindCompleted = "pv.kubernetes.io/bind-completed"

// makeOwners adds the services and controllers from which default spread constraints take their selectors.
func (g *generator) makeOwners() {
	if g.uses("services", 0.3) {
		for range g.between(1, 3) {
			service := &v1.Service{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
				ObjectMeta: metav1.ObjectMeta{Name: g.name("service"), Namespace: pick(g, []string{"default", "default", "team-a", "orphan"})},
			}
			service.Spec.Selector = pick(g, []map[string]string{
				nil, {"app": "web"}, {"app": "db"}, {"app": "cache"}, {"tier": "front"}, {"app": "web", "tier": "back"},
			})
			g.objects = append(g.objects, service)
		}
	}
	if !g.uses("owners", 0.3) {
		return
	}
	selector := func() *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": pick(g, []string{"web", "db", "cache"})}}
	}
	replicaSet := &appsv1.ReplicaSet{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ReplicaSet"}}
	replicaSet.Name, replicaSet.Namespace = "replicas", "default"
	replicaSet.Spec.Selector = selector()
	replicaSet.Spec.Replicas = pointer(int32(0))
	statefulSet := &appsv1.StatefulSet{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"}}
	statefulSet.Name, statefulSet.Namespace = "states", "default"
	statefulSet.Spec.Selector = g.labelSelector()
	statefulSet.Spec.Replicas = pointer(int32(0))
	controller := &v1.ReplicationController{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ReplicationController"}}
	controller.Name, controller.Namespace = "controller", "default"
	controller.Spec.Selector = map[string]string{"app": "web"}
	controller.Spec.Replicas = pointer(int32(0))
	replicaSet.Spec.Template = g.template(replicaSet.Spec.Selector)
	statefulSet.Spec.Template = g.template(statefulSet.Spec.Selector)
	controller.Spec.Template = pointer(g.template(&metav1.LabelSelector{MatchLabels: controller.Spec.Selector}))
	g.objects = append(g.objects, replicaSet, statefulSet, controller)
	for _, owner := range []metav1.OwnerReference{
		{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "replicas"},
		{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "states"},
		{APIVersion: "v1", Kind: "ReplicationController", Name: "controller"},
		{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "gone"},
		{APIVersion: "batch/v1", Kind: "Job", Name: "job"},
	} {
		owner.UID = newUID(owner.Name)
		g.owners = append(g.owners, owner)
	}
}

// template is a pod template that the selector selects.
func (g *generator) template(selector *metav1.LabelSelector) v1.PodTemplateSpec {
	template := v1.PodTemplateSpec{Spec: v1.PodSpec{Containers: []v1.Container{{Name: "main", Image: "quiet:1"}}}}
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		panic(err) // The generator's selectors are well formed.
	}
	for range 100 {
		if parsed.Matches(labels.Set(template.Labels)) {
			return template
		}
		template.Labels = g.podLabels()
	}
	// The selector contradicts itself, which the API server would refuse; take one that does not.
	selector.MatchExpressions = nil
	template.Labels = selector.MatchLabels
	return template
}

func (g *generator) addOwner(pod *v1.Pod) {
	if len(g.owners) == 0 || !g.chance(0.5) {
		return
	}
	owner := pick(g, g.owners)
	if g.chance(0.9) {
		owner.Controller = pointer(true)
	}
	pod.OwnerReferences = []metav1.OwnerReference{owner}
}

// makeStorage adds classes, volumes and claims in every state that a snapshot can show.
func (g *generator) makeStorage() {
	g.makeClasses()
	if g.uses("volume-choice", 0.5) {
		g.makeVolumeChoice()
	}
	if !g.uses("claims", 0.15) && !g.uses("read-write-once-pod", 0.1) && !g.uses("local-volumes", 0.08) {
		return
	}
	for _, namespace := range []string{"default", "team-a"} {
		for _, state := range some(g, 3, 7, []string{
			"bound-zone", "bound-node", "bound-anywhere", "bound-gone", "wait-topology", "wait-local", "wait-anywhere",
			"selected-node", "immediate", "lost", "deleting", "half-bound", "no-class", "bound-anywhere", "wait-local",
		}) {
			g.makeClaim(namespace, state)
		}
		if g.uses("local-volumes", 0.05) {
			// Several claims of one pod compete for the volumes.
			g.makeClaim(namespace, "wait-local")
			g.makeClaim(namespace, "wait-local")
		}
	}
}

// makeVolumeChoice adds a claim that has a volume on most of the nodes, so that nodes differ in how well theirs fits.
// What keeps claim and volume apart is left to the other claims.
func (g *generator) makeVolumeChoice() {
	g.makeClaim("default", "wait-anywhere")
	claim := g.claims[len(g.claims)-1]
	claim.Spec.StorageClassName = pointer("local")
	claim.Spec.AccessModes = []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce}
	claim.Spec.Resources.Requests = v1.ResourceList{v1.ResourceStorage: resource.MustParse("1Gi")}
	claim.Spec.VolumeAttributesClassName = nil
	for _, node := range g.nodes {
		if g.chance(0.9) {
			volume := g.makeVolume(nil, &v1.NodeSelectorRequirement{
				Key: v1.LabelHostname, Operator: v1.NodeSelectorOpIn, Values: []string{node.Name},
			})
			volume.Spec.VolumeAttributesClassName = nil
			volume.Status.Phase = v1.VolumeAvailable
		}
	}
	g.choice = claim
}

// addVolumeChoice lets a pending pod choose among the volumes of makeVolumeChoice.
func (g *generator) addVolumeChoice(pod *v1.Pod) {
	if g.choice == nil || pod.Namespace != g.choice.Namespace || len(pod.Spec.Volumes) > 0 || !g.chance(0.9) {
		return
	}
	pod.Spec.Volumes = []v1.Volume{{Name: g.choice.Name, VolumeSource: v1.VolumeSource{
		PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: g.choice.Name},
	}}}
}

func (g *generator) makeClasses() {
	wait, now := storagev1.VolumeBindingWaitForFirstConsumer, storagev1.VolumeBindingImmediate
	for _, class := range []*storagev1.StorageClass{
		{ObjectMeta: metav1.ObjectMeta{Name: "now"}, Provisioner: "csi.example.com", VolumeBindingMode: &now},
		{ObjectMeta: metav1.ObjectMeta{Name: "wait"}, Provisioner: "csi.example.com", VolumeBindingMode: &wait},
		{ObjectMeta: metav1.ObjectMeta{Name: "local"}, Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &wait},
		{
			ObjectMeta: metav1.ObjectMeta{Name: "zonal"}, Provisioner: "csi.example.com", VolumeBindingMode: &wait,
			AllowedTopologies: []v1.TopologySelectorTerm{{MatchLabelExpressions: []v1.TopologySelectorLabelRequirement{
				{Key: v1.LabelTopologyZone, Values: some(g, 1, 2, zones)},
			}}},
		},
	} {
		class.TypeMeta = metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass"}
		g.objects = append(g.objects, class)
	}
}

func (g *generator) makeClaim(namespace, state string) {
	claim := &v1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: metav1.ObjectMeta{Name: g.name(state), Namespace: namespace},
	}
	claim.UID = newUID(claim.Name)
	claim.Spec.AccessModes = []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce}
	if g.uses("read-write-once-pod", 0.1) {
		claim.Spec.AccessModes = []v1.PersistentVolumeAccessMode{v1.ReadWriteOncePod}
	}
	claim.Spec.VolumeMode = pointer(v1.PersistentVolumeFilesystem)
	claim.Spec.Resources.Requests = v1.ResourceList{v1.ResourceStorage: resource.MustParse(pick(g, []string{"1Gi", "5Gi", "10Gi"}))}
	claim.Status.Phase = v1.ClaimPending
	if g.uses("attributes-class", 0.05) {
		claim.Spec.VolumeAttributesClassName = pointer(pick(g, []string{"", "gold", "gold", "silver"}))
	}
	bind := func() {
		claim.Spec.StorageClassName = pointer("wait")
		claim.Spec.VolumeName = "pv-" + claim.Name
		claim.Annotations = map[string]string{bindCompleted: "yes"}
		claim.Status.Phase = v1.ClaimBound
	}
	zone := v1.NodeSelectorRequirement{Key: v1.LabelTopologyZone, Operator: v1.NodeSelectorOpIn, Values: some(g, 1, 2, zones)}
	host := v1.NodeSelectorRequirement{Key: v1.LabelHostname, Operator: v1.NodeSelectorOpIn, Values: []string{pick(g, g.nodes).Name}}
	switch state {
	case "bound-zone":
		bind()
		g.makeVolume(claim, &zone)
	case "bound-node":
		bind()
		g.makeVolume(claim, &host)
	case "bound-anywhere":
		bind()
		g.makeVolume(claim, nil)
	case "bound-gone":
		bind()
	case "wait-topology":
		claim.Spec.StorageClassName = pointer("zonal")
	case "wait-anywhere":
		claim.Spec.StorageClassName = pointer("wait")
	case "wait-local":
		claim.Spec.StorageClassName = pointer("local")
		if g.uses("volume-selector", 0.1) {
			claim.Spec.Selector = g.volumeSelector()
		}
		g.makeLocalVolumes(claim, host)
	case "selected-node":
		claim.Spec.StorageClassName = pointer("wait")
		claim.Annotations = map[string]string{"volume.kubernetes.io/selected-node": pick(g, g.nodes).Name}
	case "immediate":
		claim.Spec.StorageClassName = pointer("now")
	case "lost":
		bind()
		claim.Status.Phase = v1.ClaimLost
	case "deleting":
		bind()
		g.makeVolume(claim, nil)
		claim.DeletionTimestamp = pointer(metav1.NewTime(epoch))
		claim.Finalizers = []string{"kubernetes.io/pvc-protection"}
	case "half-bound":
		bind()
		claim.Annotations = nil
		claim.Status.Phase = v1.ClaimPending
		g.makeVolume(claim, nil)
	case "no-class":
		claim.Spec.StorageClassName = pointer("")
	}
	g.objects = append(g.objects, claim)
	g.claims = append(g.claims, claim)
}

// makeLocalVolumes adds volumes that the claim might take.
func (g *generator) makeLocalVolumes(claim *v1.PersistentVolumeClaim, host v1.NodeSelectorRequirement) {
	setAside := false // of two volumes that name one claim upstream takes any
	for range g.between(0, 4) {
		host.Values = []string{pick(g, g.nodes).Name}
		volume := g.makeVolume(nil, &host)
		if g.chance(0.4) {
			volume.Spec.VolumeAttributesClassName = claim.Spec.VolumeAttributesClassName
		}
		if !g.uses("claim-reference", 0.1) {
			continue
		}
		reference := &v1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name}
		switch g.between(0, 3) {
		case 0:
			reference.Name = "gone"
			fallthrough
		case 1:
			reference.UID = "uid-of-another"
			if g.chance(0.7) {
				volume.Status.Phase = v1.VolumeReleased
			}
		case 2:
			reference.UID = claim.UID
		}
		if reference.UID != "uid-of-another" {
			if setAside {
				continue
			}
			setAside = true
		}
		volume.Spec.ClaimRef = reference
	}
}

// volumeSelector selects volumes by what volumeLabels gives them.
func (g *generator) volumeSelector() *metav1.LabelSelector {
	requirement := metav1.LabelSelectorRequirement{Key: v1.LabelTopologyZone, Operator: metav1.LabelSelectorOpIn, Values: some(g, 1, 2, zones)}
	return pick(g, []*metav1.LabelSelector{
		{},
		{MatchLabels: map[string]string{"tier": "fast"}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"slow"}}}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{requirement}},
	})
}

// volumeLabels are zones and regions, as one, as a set or as nothing that can be read, and a label to select by.
func (g *generator) volumeLabels() map[string]string {
	labels := map[string]string{}
	if g.chance(0.6) {
		labels["tier"] = pick(g, []string{"fast", "slow"})
	}
	if !g.uses("volume-zones", 0.25) {
		return labels
	}
	if g.chance(0.8) {
		labels[pick(g, []string{v1.LabelTopologyZone, v1.LabelTopologyZone, v1.LabelFailureDomainBetaZone})] =
			pick(g, []string{"zone-a", "zone-b", "zone-c", "zone-a__zone-b", "zone-b__zone-c", "zone-a____zone-c", ""})
	}
	if g.chance(0.4) {
		labels[pick(g, []string{v1.LabelTopologyRegion, v1.LabelFailureDomainBetaRegion})] =
			pick(g, []string{"region-1", "region-1", "region-2", "region-1__region-2"})
	}
	return labels
}

// makeVolume adds a volume: bound to the claim, or, without one, available in class local.
func (g *generator) makeVolume(claim *v1.PersistentVolumeClaim, where *v1.NodeSelectorRequirement) *v1.PersistentVolume {
	volume := &v1.PersistentVolume{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolume"}}
	volume.Spec.VolumeMode = pointer(v1.PersistentVolumeFilesystem)
	volume.Spec.PersistentVolumeSource.CSI = &v1.CSIPersistentVolumeSource{Driver: "csi.example.com", VolumeHandle: g.name("handle")}
	volume.Spec.AccessModes = []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce}
	volume.Spec.StorageClassName = "wait"
	volume.Labels = g.volumeLabels()
	if g.uses("attributes-class", 0.05) {
		volume.Spec.VolumeAttributesClassName = pointer(pick(g, []string{"", "gold", "silver"}))
	}
	if where != nil {
		volume.Spec.NodeAffinity = &v1.VolumeNodeAffinity{Required: &v1.NodeSelector{
			NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchExpressions: []v1.NodeSelectorRequirement{*where}}},
		}}
	}
	if claim == nil {
		volume.Name = g.name("local-pv")
		volume.Spec.StorageClassName = "local"
		// All sizes differ, because upstream takes any of equal ones.
		g.volumes++
		size := int64(pick(g, []int{2, 8, 20}))<<30 + int64(g.volumes)<<20
		volume.Spec.Capacity = v1.ResourceList{v1.ResourceStorage: *resource.NewQuantity(size, resource.BinarySI)}
		volume.Status.Phase = v1.VolumeAvailable
		if g.chance(0.2) {
			volume.Status.Phase = v1.VolumeReleased
		}
		if g.chance(0.3) {
			volume.Spec.AccessModes = append(volume.Spec.AccessModes, v1.ReadWriteOncePod)
		}
	} else {
		volume.Name = "pv-" + claim.Name
		volume.Spec.Capacity = claim.Spec.Resources.Requests
		volume.Spec.AccessModes = claim.Spec.AccessModes
		volume.Spec.ClaimRef = &v1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID}
		volume.Status.Phase = v1.VolumeBound
	}
	g.objects = append(g.objects, volume)
	return volume
}

// addClaims lets a pod use claims of its namespace, and now and then one that does not exist.
func (g *generator) addClaims(pod *v1.Pod, pending bool) {
	if len(g.claims) == 0 {
		return
	}
	rarely := 0.3
	if !pending {
		rarely = 0.15
	}
	if !g.uses("claims", rarely) && !g.uses("read-write-once-pod", rarely) {
		return
	}
	var names []string
	for _, claim := range g.claims {
		if claim.Namespace != pod.Namespace {
			continue
		}
		if !pending && slices.Contains(claim.Spec.AccessModes, v1.ReadWriteOncePod) {
			if g.exclusive[claim.Name] {
				continue
			}
			g.exclusive[claim.Name] = true
		}
		names = append(names, claim.Name)
	}
	if pending && g.chance(0.06) {
		names = []string{"missing"}
	}
	for _, name := range some(g, 1, 2, names) {
		pod.Spec.Volumes = append(pod.Spec.Volumes, v1.Volume{Name: name, VolumeSource: v1.VolumeSource{
			PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: name},
		}})
	}
}

// addEphemeralClaim gives a pending pod a generic ephemeral volume. Its claim is named after pod and volume and counts
// only if the pod owns it.
func (g *generator) addEphemeralClaim(pod *v1.Pod) {
	if !g.uses("ephemeral-claim", 0.02) {
		return
	}
	pod.Spec.Volumes = append(pod.Spec.Volumes, v1.Volume{Name: "scratch", VolumeSource: v1.VolumeSource{
		Ephemeral: &v1.EphemeralVolumeSource{VolumeClaimTemplate: &v1.PersistentVolumeClaimTemplate{
			Spec: v1.PersistentVolumeClaimSpec{
				AccessModes: []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce}, StorageClassName: pointer("zonal"),
				Resources: v1.VolumeResourceRequirements{Requests: v1.ResourceList{v1.ResourceStorage: resource.MustParse("1Gi")}},
			},
		}},
	}})
	if g.chance(0.15) {
		return // The controller has not made the claim yet.
	}
	before := len(g.objects)
	g.makeClaim(pod.Namespace, pick(g, []string{"bound-gone", "bound-anywhere", "bound-zone", "wait-topology", "wait-topology", "wait-anywhere", "immediate"}))
	g.claims = g.claims[:len(g.claims)-1]
	for _, object := range g.objects[before:] {
		claim, ok := object.(*v1.PersistentVolumeClaim)
		if !ok {
			continue
		}
		claim.Name = pod.Name + "-scratch"
		owner := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: pod.Name, UID: pod.UID, Controller: pointer(true)}
		if g.chance(0.15) {
			owner.Name, owner.UID = "somebody", "uid-somebody"
		}
		claim.OwnerReferences = []metav1.OwnerReference{owner}
	}
}
