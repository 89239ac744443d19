// Objects through controllers, translation and the first decisions: no crash; controllers are satisfied with what they
// made; an update without a change tells nothing; whoever still waits is told why.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "api/load.h"
#include "controllers/reconcile.h"
#include "dialects/kubernetes/translator.h"
#include "engine/engine.h"
#include "support/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace api = berth::api;
  namespace controllers = berth::controllers;
  namespace engine = berth::engine;
  api::ObjectSet objects = api::load_text({reinterpret_cast<const char*>(data), size}, "fuzz.yaml").objects;
  controllers::Options options;
  options.now = 1'700'000'000;
  options.max_pods = 200;
  controllers::Expansion made = controllers::reconcile(objects, options);
  require(made.pods.size() <= 200);
  const bool refused = !made.errors.empty();
  controllers::add(std::move(made), objects);
  (void)controllers::settle_claims(objects);
  // A refused object asks again and may find room now; all others have what they want.
  if (!refused) require(controllers::reconcile(objects, options).pods.empty());
  engine::Names names;
  berth::dialects::kubernetes::Translator translator({{api::berth_default_profile()}}, names, {.now = options.now});
  const std::size_t profiles = translator.config().profiles.size();
  const std::vector<engine::Event> events = translator.update(objects);
  require(translator.update(objects).empty());
  require(translator.config().profiles.size() == profiles);
  engine::Engine scheduler(translator.config(), names);
  const engine::StepResult result = scheduler.step(events, options.now);
  for (const engine::Pending& pending : result.pending) (void)scheduler.explain(pending.pod);
  return 0;
}
