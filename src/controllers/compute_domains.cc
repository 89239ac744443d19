#include "controllers/compute_domains.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/claim_names.h"
#include "api/compute_domain.h"
#include "api/full_name.h"
#include "controllers/workshop.h"
#include "text/json_writer.h"

namespace berth::controllers {
namespace {

std::string channel_parameters(const std::string& id, api::ChannelAllocationMode mode) {
  std::string out;
  text::JsonWriter writer(out, text::JsonStyle::kCompact);
  writer.begin_object();
  writer.member("apiVersion", "resource.nvidia.com/v1beta1");
  writer.member("kind", "ComputeDomainChannelConfig");
  writer.member("domainID", id);
  writer.member("allocationMode", mode == api::ChannelAllocationMode::kAll ? "All" : "Single");
  writer.end_object();
  return out;
}

std::string daemon_parameters(const std::string& id) {
  std::string out;
  text::JsonWriter writer(out, text::JsonStyle::kCompact);
  writer.begin_object();
  writer.member("apiVersion", "resource.nvidia.com/v1beta1");
  writer.member("kind", "ComputeDomainDaemonConfig");
  writer.member("domainID", id);
  writer.end_object();
  return out;
}

class Domains {
 public:
  Domains(api::ObjectSet& objects, const DomainOptions& options) : objects_(objects), options_(options) {
    for (const auto& read : objects.pods) {
      pods_.try_emplace(api::full_name(read.object.metadata), &read.object);
      note_daemon(read.object);
    }
    for (std::size_t i = 0; i < objects.nodes.size(); ++i) {
      const api::ObjectMeta& node = objects.nodes[i].object.metadata;
      nodes_.try_emplace(node.name, i);
      if (const auto label = node.labels.find(api::kComputeDomainLabel); label != node.labels.end())
        labelled_[label->second].push_back(i);
    }
    for (const auto& read : objects.resource_claim_templates) templates_.insert(api::full_name(read.object.metadata));
    for (const auto& read : objects.daemon_sets) daemon_sets_.insert(api::full_name(read.object.metadata));
  }

  std::vector<std::string> run() {
    find_members();
    for (auto& read : objects_.compute_domains) {
      api::ComputeDomain& domain = read.object;
      if (domain.metadata.deletion_timestamp) continue;
      const std::string id = api::domain_id(domain);
      const std::vector<std::size_t> members = member_nodes(id);
      make_objects(domain, id);
      label_nodes(id, members);
      write_status(domain, id, members);
    }
    return std::move(gone_);
  }

 private:
  // Nodes where a pod has a channel, by the id of the domain. What the allocation says of its devices counts, classes'
  // part of it included.
  void find_members() {
    for (const auto& read : objects_.resource_claims) {
      const api::ResourceClaim& claim = read.object;
      if (!claim.status.allocation) continue;
      std::set<std::string> domains;
      for (const api::DeviceAllocationConfig& config : claim.status.allocation->config)
        add_domain(config.opaque, domains);
      if (claim.status.allocation->config.empty())
        for (const api::DeviceClaimConfig& config : claim.spec.config) add_domain(config.opaque, domains);
      if (domains.empty()) continue;
      for (const api::ClaimConsumer& consumer : claim.status.reserved_for) {
        const auto pod = pods_.find(api::full_name(claim.metadata.namespace_, consumer.name));
        if (pod == pods_.end() || !api::means(consumer, *pod->second) || !is_on_a_node(*pod->second)) continue;
        for (const std::string& id : domains) members_[id].insert(pod->second->spec.node_name);
      }
    }
  }

  static void add_domain(const api::OpaqueConfig& config, std::set<std::string>& domains) {
    if (config.driver != api::kNvidiaComputeDomainDriver) return;
    const auto parsed = api::parse_nvidia_config(config);
    if (!parsed) return;
    if (const auto* channel = std::get_if<api::ComputeDomainChannelConfig>(&*parsed))
      domains.insert(channel->domain_id);
  }

  void make_template(const std::string& space, const std::string& name, std::string request, std::string_view of_class,
                     std::string parameters, const std::string& id) {
    if (!templates_.insert(api::full_name(space, name)).second) return;
    api::ResourceClaimTemplate made;
    made.metadata.namespace_ = space;
    made.metadata.name = name;
    made.metadata.labels.emplace(std::string(api::kComputeDomainLabel), id);
    made.metadata.creation_timestamp = options_.now;
    api::DeviceRequest& asked = made.spec.requests.emplace_back();
    asked.name = std::move(request);
    asked.exactly.emplace().device_class_name = of_class;
    api::DeviceClaimConfig& config = made.spec.config.emplace_back();
    config.requests = {asked.name};
    config.opaque = {std::string(api::kNvidiaComputeDomainDriver), std::move(parameters)};
    objects_.resource_claim_templates.push_back({std::move(made), {}});
  }

  void make_objects(const api::ComputeDomain& domain, const std::string& id) {
    const std::string space(kComputeDomainNamespace);
    const std::string name = "computedomain-daemon-" + id;
    make_template(domain.metadata.namespace_, domain.claim_template_name, "channel", kChannelClass,
                  channel_parameters(id, domain.allocation_mode), id);
    make_template(space, name, "daemon", api::kComputeDomainDaemonClass, daemon_parameters(id), id);
    if (!daemon_sets_.insert(api::full_name(space, name)).second) return;
    const std::string label(api::kComputeDomainLabel);
    api::DaemonSet made;
    made.metadata.namespace_ = space;
    made.metadata.name = name;
    made.metadata.labels.emplace(label, id);
    made.metadata.creation_timestamp = options_.now;
    made.selector.match_labels.emplace(label, id);
    made.pod_template.metadata.labels.emplace(label, id);
    api::PodSpec& spec = made.pod_template.spec;
    spec.node_selector.emplace(label, id);
    spec.resource_claims.push_back({"compute-domain-daemon", "", name});
    spec.containers.emplace_back().name = "compute-domain-daemon";
    objects_.daemon_sets.push_back({std::move(made), {}});
  }

  // The domain's nodes, in the order of all nodes.
  [[nodiscard]] std::vector<std::size_t> member_nodes(const std::string& id) const {
    std::vector<std::size_t> result;
    const auto members = members_.find(id);
    if (members == members_.end()) return result;
    for (const std::string& name : members->second)
      if (const auto node = nodes_.find(name); node != nodes_.end()) result.push_back(node->second);
    std::ranges::sort(result);
    return result;
  }

  void label_nodes(const std::string& id, const std::vector<std::size_t>& members) {
    const std::string label(api::kComputeDomainLabel);
    for (const std::size_t node : members) objects_.nodes[node].object.metadata.labels.insert_or_assign(label, id);
    const auto labelled = labelled_.find(id);
    if (labelled == labelled_.end() || !options_.all_known) return;
    for (const std::size_t node : labelled->second) {
      api::ObjectMeta& metadata = objects_.nodes[node].object.metadata;
      const auto found = metadata.labels.find(label);
      if (std::ranges::binary_search(members, node)) continue;
      // Another domain may have taken the node since; the daemon goes all the same.
      if (found != metadata.labels.end() && found->second == id) metadata.labels.erase(found);
      const auto daemons = daemons_.find({id, metadata.name});
      if (daemons == daemons_.end()) continue;
      for (const api::Pod* pod : daemons->second) gone_.push_back(api::full_name(pod->metadata));
    }
  }

  void note_daemon(const api::Pod& pod) {
    const auto label = pod.metadata.labels.find(api::kComputeDomainLabel);
    if (pod.metadata.namespace_ != kComputeDomainNamespace || label == pod.metadata.labels.end()) return;
    daemons_[{label->second, pod.spec.node_name}].push_back(&pod);
  }

  [[nodiscard]] bool has_daemon(const std::string& id, const std::string& node) const {
    const auto daemons = daemons_.find({id, node});
    return daemons != daemons_.end() && std::ranges::any_of(daemons->second, [](const api::Pod* pod) {
             return pod->status.phase == api::PodPhase::kRunning;
           });
  }

  void write_status(api::ComputeDomain& domain, const std::string& id, const std::vector<std::size_t>& members) const {
    std::vector<api::ComputeDomainNode> nodes;
    for (const std::size_t member : members) {
      const api::ObjectMeta& metadata = objects_.nodes[member].object.metadata;
      api::ComputeDomainNode& node = nodes.emplace_back();
      node.name = metadata.name;
      const auto clique = metadata.labels.find(api::kCliqueLabel);
      if (clique != metadata.labels.end()) node.clique_id = clique->second;
      node.index = static_cast<std::int32_t>(nodes.size()) - 1;
      node.ready = has_daemon(id, node.name);
    }
    domain.nodes = std::move(nodes);
    domain.ready = !domain.nodes.empty() && std::ssize(domain.nodes) >= domain.num_nodes &&
                   std::ranges::all_of(domain.nodes, &api::ComputeDomainNode::ready);
  }

  api::ObjectSet& objects_;
  const DomainOptions& options_;
  // Looked up once for all domains: there may be as many as nodes.
  boost::unordered_flat_map<std::string, const api::Pod*> pods_;                         // by full name
  boost::unordered_flat_map<std::string, std::size_t> nodes_;                            // by name
  boost::unordered_flat_map<std::string, std::vector<std::size_t>> labelled_;            // by id: as they came
  std::map<std::pair<std::string, std::string>, std::vector<const api::Pod*>> daemons_;  // by id and node
  boost::unordered_flat_set<std::string> templates_;                                     // by full name
  boost::unordered_flat_set<std::string> daemon_sets_;                                   // the same
  std::map<std::string, std::set<std::string>> members_;
  std::vector<std::string> gone_;
};

}  // namespace

std::vector<std::string> settle_compute_domains(api::ObjectSet& objects, const DomainOptions& options) {
  if (objects.compute_domains.empty()) return {};
  return Domains(objects, options).run();
}

}  // namespace berth::controllers
