#include "sim/openb/trace.h"

#include <gtest/gtest.h>

namespace berth::sim::openb {
namespace {

TEST(OpenbTrace, ReadsNodesAndPods) {
  const auto nodes = parse_nodes("sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\nn1,96000,1,0,\n", "n.csv");
  ASSERT_TRUE(nodes) << nodes.error().to_string();
  ASSERT_EQ(nodes->size(), 2U);
  EXPECT_EQ((*nodes)[0].model, "P100");
  EXPECT_EQ((*nodes)[1].gpus, 0);
  const auto pods = parse_pods(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time\n"
      "p0,1000,1,1,460,V100M32|V100M16|V100M32,7\np1,0,0,0,0,,\n",
      "p.csv");
  ASSERT_TRUE(pods) << pods.error().to_string();
  EXPECT_EQ((*pods)[0].models, (std::vector<std::string>{"V100M16", "V100M32"}));
  EXPECT_EQ((*pods)[0].created, 7);
  EXPECT_EQ((*pods)[0].total_milli(), 460);
  EXPECT_EQ((*pods)[1].created, std::nullopt);
}

TEST(OpenbTrace, NamesLineAndColumnOfABadCell) {
  const auto bad = parse_pods("name,cpu_milli,memory_mib,num_gpu,gpu_milli\np0,1x,1,1,1000\n", "p.csv");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().place.line, 2);
  EXPECT_EQ(bad.error().place.field, "cpu_milli");
  EXPECT_FALSE(parse_pods("name,cpu_milli,memory_mib,num_gpu,gpu_milli\np0,1,1,2,500\n", "p.csv"));
  EXPECT_FALSE(parse_pods("name,cpu_milli,memory_mib,num_gpu,gpu_milli\np0,1,1,1,0\n", "p.csv"));
  EXPECT_FALSE(parse_pods("name,cpu_milli,memory_mib,num_gpu,gpu_milli\np0,-1,1,1,1000\n", "p.csv"));
  EXPECT_FALSE(parse_pods("name,cpu_milli\np0,1\n", "p.csv"));
  const std::string timed = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time\n";
  EXPECT_TRUE(parse_pods(timed + "p0,1,1,1,1000,7,7\n", "p.csv"));
  const auto backwards = parse_pods(timed + "p0,1,1,1,1000,7,6\n", "p.csv");
  ASSERT_FALSE(backwards);
  EXPECT_EQ(backwards.error().place.field, "deletion_time");
  EXPECT_FALSE(read_pods("/nonexistent/pods.csv"));
}

}  // namespace
}  // namespace berth::sim::openb
