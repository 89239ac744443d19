#include "controllers/compute_domains.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/claim_names.h"
#include "api/compute_domain.h"
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
    for (const auto& read : objects.pods)
      pods_.try_emplace(full_name(read.object.metadata.namespace_, read.object.metadata.name), &read.object);
  }

  std::vector<std::string> run() {
    find_members();
    for (auto& read : objects_.compute_domains) {
      api::ComputeDomain& domain = read.object;
      if (domain.metadata.deletion_timestamp) continue;
      make_objects(domain);
      label_nodes(domain);
      write_status(domain);
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
        const auto pod = pods_.find(full_name(claim.metadata.namespace_, consumer.name));
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
    const auto there = std::ranges::any_of(objects_.resource_claim_templates, [&](const auto& read) {
      return read.object.metadata.namespace_ == space && read.object.metadata.name == name;
    });
    if (there) return;
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

  void make_objects(const api::ComputeDomain& domain) {
    const std::string id = api::domain_id(domain);
    const std::string space(kComputeDomainNamespace);
    const std::string name = "computedomain-daemon-" + id;
    make_template(domain.metadata.namespace_, domain.claim_template_name, "channel", kChannelClass,
                  channel_parameters(id, domain.allocation_mode), id);
    make_template(space, name, "daemon", api::kComputeDomainDaemonClass, daemon_parameters(id), id);
    const auto there = std::ranges::any_of(objects_.daemon_sets, [&](const auto& read) {
      return read.object.metadata.namespace_ == space && read.object.metadata.name == name;
    });
    if (there) return;
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

  void label_nodes(const api::ComputeDomain& domain) {
    const std::string id = api::domain_id(domain);
    const std::set<std::string>& members = members_[id];
    for (auto& read : objects_.nodes) {
      api::StringMap& labels = read.object.metadata.labels;
      const auto found = labels.find(api::kComputeDomainLabel);
      const bool is = found != labels.end() && found->second == id;
      const bool should = members.contains(read.object.metadata.name);
      if (should) labels.insert_or_assign(std::string(api::kComputeDomainLabel), id);
      if (!is || should || !options_.all_known) continue;
      labels.erase(found);
      for (const auto& pod : objects_.pods)
        if (is_daemon(pod.object, id, read.object.metadata.name))
          gone_.push_back(full_name(pod.object.metadata.namespace_, pod.object.metadata.name));
    }
  }

  static bool is_daemon(const api::Pod& pod, const std::string& id, const std::string& node) {
    const auto label = pod.metadata.labels.find(api::kComputeDomainLabel);
    return pod.metadata.namespace_ == kComputeDomainNamespace && label != pod.metadata.labels.end() &&
           label->second == id && pod.spec.node_name == node;
  }

  [[nodiscard]] bool has_daemon(const std::string& id, const std::string& node) const {
    return std::ranges::any_of(objects_.pods, [&](const auto& read) {
      return is_daemon(read.object, id, node) && read.object.status.phase == api::PodPhase::kRunning;
    });
  }

  void write_status(api::ComputeDomain& domain) {
    const std::string id = api::domain_id(domain);
    std::vector<api::ComputeDomainNode> nodes;
    for (const auto& read : objects_.nodes) {
      if (!members_[id].contains(read.object.metadata.name)) continue;
      api::ComputeDomainNode& node = nodes.emplace_back();
      node.name = read.object.metadata.name;
      const auto clique = read.object.metadata.labels.find(api::kCliqueLabel);
      if (clique != read.object.metadata.labels.end()) node.clique_id = clique->second;
      node.index = static_cast<std::int32_t>(nodes.size()) - 1;
      node.ready = has_daemon(id, node.name);
    }
    domain.nodes = std::move(nodes);
    domain.ready = !domain.nodes.empty() && std::ssize(domain.nodes) >= domain.num_nodes &&
                   std::ranges::all_of(domain.nodes, &api::ComputeDomainNode::ready);
  }

  api::ObjectSet& objects_;
  const DomainOptions& options_;
  boost::unordered_flat_map<std::string, const api::Pod*> pods_;
  std::map<std::string, std::set<std::string>> members_;
  std::vector<std::string> gone_;
};

}  // namespace

std::vector<std::string> settle_compute_domains(api::ObjectSet& objects, const DomainOptions& options) {
  if (objects.compute_domains.empty()) return {};
  return Domains(objects, options).run();
}

}  // namespace berth::controllers
