#include "engine/world/image_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace berth::engine {
namespace {

using Images = std::vector<ImageState>;

class ImageTableTest : public testing::Test {
 protected:
  ImageTableTest() {
    // Numbered in another order than that of their names.
    for (const char* name : {"m", "z", "a", "k"}) nodes_.push_back(names_.names.intern(name));
    image_ = names_.names.intern("app:1");
  }

  Names names_;
  std::vector<NameId> nodes_;
  NameId image_;
};

TEST_F(ImageTableTest, TheSizeIsThatOfTheFirstNodeByNameWhicheverCameFirst) {
  ImageTable table(names_);
  EXPECT_EQ(table.spread(image_), ImageSpread{});
  table.replace(nodes_[0], {}, Images{{image_, 30}});
  EXPECT_EQ(table.spread(image_), (ImageSpread{30, 1}));
  table.replace(nodes_[2], {}, Images{{image_, 1000}});
  EXPECT_EQ(table.spread(image_), (ImageSpread{1000, 2})) << "a comes before m";
  table.replace(nodes_[2], Images{{image_, 1000}}, {});
  EXPECT_EQ(table.spread(image_), (ImageSpread{30, 1}));
  table.replace(nodes_[0], Images{{image_, 30}}, Images{{image_, 20}});
  EXPECT_EQ(table.spread(image_), (ImageSpread{20, 1}));
  table.replace(nodes_[0], Images{{image_, 20}}, Images{{image_, 25}});
  EXPECT_EQ(table.spread(image_), (ImageSpread{25, 1}));
}

TEST_F(ImageTableTest, WhatStaysTheSameMovesNothingOn) {
  ImageTable table(names_);
  table.replace(nodes_[0], {}, Images{{image_, 30}});
  const std::uint64_t before = table.changes();
  table.replace(nodes_[0], Images{{image_, 30}}, Images{{image_, 30}});
  EXPECT_EQ(table.changes(), before);
  table.replace(nodes_[0], Images{{image_, 30}}, {});
  EXPECT_NE(table.changes(), before);
}

TEST_F(ImageTableTest, AfterAnyHistoryItSaysWhatTheNodesSay) {
  Random random(5);
  std::vector<NameId> images = {image_, names_.names.intern("app:2"), names_.names.intern("app:3")};
  ImageTable table(names_);
  std::vector<Images> held(nodes_.size());
  for (int step = 0; step < 2000; ++step) {
    const std::size_t node = random.below(nodes_.size());
    Images now;
    for (const NameId image : images) {
      if (random.chance(1, 2)) now.push_back({image, random.between(1, 3)});
    }
    std::ranges::sort(now);
    table.replace(nodes_[node], held[node], now);
    held[node] = now;
    for (const NameId image : images) {
      std::map<std::string, std::int64_t> sizes;
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        for (const ImageState& state : held[i]) {
          if (state.image == image) sizes.emplace(names_.names.text(nodes_[i]), state.size_bytes);
        }
      }
      const ImageSpread expected =
          sizes.empty() ? ImageSpread{} : ImageSpread{sizes.begin()->second, static_cast<std::uint32_t>(sizes.size())};
      ASSERT_EQ(table.spread(image), expected);
    }
  }
}

}  // namespace
}  // namespace berth::engine
