#include "text/input.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "support/entry_collector.h"

namespace berth::text {
namespace {

using support::EntryCollector;
using Texts = std::vector<std::string>;

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Result<std::string> inflate_text(const std::string& packed, std::uint64_t limit = 1 << 30) {
  auto source = inflate_if_gzip(std::make_unique<MemorySource>(packed), {limit});
  if (!source) return std::unexpected(source.error());
  return read_all(**source);
}

EntryCollector read(std::string_view text, std::string_view name) {
  EntryCollector seen;
  MemorySource source(text);
  read_entries(source, name, {}, seen);
  return seen;
}

class InputFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("berth-input-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "below");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::filesystem::path folder_;
};

TEST(Inflate, PassesPlainTextThrough) {
  EXPECT_EQ(inflate_text("").value(), "");
  EXPECT_EQ(inflate_text("a").value(), "a");
  EXPECT_EQ(inflate_text("plain text").value(), "plain text");
}

TEST(Inflate, ReadsMembersAndPadding) {
  const std::string text(3'000'000, 'q');
  EXPECT_EQ(inflate_text(gzip(text)).value(), text);
  EXPECT_EQ(inflate_text(gzip("one ") + gzip("") + gzip("two") + std::string(512, '\0')).value(), "one two");
}

TEST(Inflate, RefusesDamageCutsAndBombs) {
  const std::string packed = gzip("some text that is long enough to damage");
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;
  EXPECT_EQ(inflate_text(damaged).error().code, ErrorCode::kSyntax);
  EXPECT_NE(inflate_text(packed.substr(0, packed.size() - 9)).error().message.find("cut short"), std::string::npos);
  EXPECT_EQ(inflate_text(packed + "garbage").error().code, ErrorCode::kSyntax);
  EXPECT_EQ(inflate_text(gzip(std::string(2'000'000, 'x')), 1'000'000).error().code, ErrorCode::kLimit);
}

TEST(Inflate, GzipInsideOfGzipIsRefused) {
  EXPECT_NE(inflate_text(gzip(gzip("a: 1\n"))).error().message.find("gzip inside of gzip"), std::string::npos);
}

// Documents that do not pack away to nothing.
std::string many_documents(int first, int last, bool json) {
  std::string text;
  Random random(7);
  for (int i = first; i < last; ++i) {
    const std::string filling =
        std::to_string(random.below(1'000'000'000)) + std::to_string(random.below(1'000'000'000));
    text += json ? "{\"n\": " + std::to_string(i) + ", \"x\": \"" + filling + "\"}\n"
                 : "---\nn: " + std::to_string(i) + "\nx: a" + filling + "\n";
  }
  return text;
}

EntryCollector read_packed(const std::string& packed) {
  EntryCollector seen;
  const auto source = inflate_if_gzip(std::make_unique<MemorySource>(packed));
  EXPECT_TRUE(source);
  read_entries(**source, "x.gz", {}, seen);
  return seen;
}

// What had no room in the last buffer was lost with the end of the file.
TEST(Inflate, OfAFileThatIsCutShortAllIsReadHoweverSmallTheBuffer) {
  const std::string packed = gzip(std::string(100'000, 'x'));
  const auto read = [&](std::size_t step) {
    const auto source =
        inflate_if_gzip(std::make_unique<MemorySource>(std::string_view(packed).substr(0, packed.size() - 20)));
    std::string text;
    std::vector<char> buffer(step);
    for (auto count = (*source)->read(buffer); count && *count != 0; count = (*source)->read(buffer))
      text.append(buffer.data(), *count);
    return text.size();
  };
  EXPECT_EQ(read(7), read(200'000));
  EXPECT_GT(read(7), 50'000U);
}

TEST(ReadEntries, GzipThatIsCutShortOrDamagedLosesNoWholeDocument) {
  for (const bool json : {false, true}) {
    const std::string packed = gzip(many_documents(0, 4'000, json));
    const EntryCollector cut = read_packed(packed.substr(0, packed.size() / 10 * 9));
    EXPECT_GT(cut.entries.size(), 3'400U) << json;
    EXPECT_NE(cut.errors.at(0).message.find("cut short"), std::string::npos);
    EXPECT_NE(cut.errors.at(0).message.find("What comes before was read."), std::string::npos);

    std::string damaged = packed;
    damaged[packed.size() - 6] ^= 1;  // the check sum
    const EntryCollector all = read_packed(damaged);
    EXPECT_EQ(all.entries.size(), 4'000U);
    EXPECT_EQ(all.errors.size(), 1U);

    const EntryCollector trailing = read_packed(packed + "garbage");
    EXPECT_EQ(trailing.entries.size(), 4'000U);
    EXPECT_NE(trailing.errors.at(0).message.find("is no gzip"), std::string::npos);

    const std::string second = gzip(many_documents(4'000, 8'000, json));
    EXPECT_GT(read_packed(packed + second.substr(0, second.size() / 2)).entries.size(), 5'600U);
  }
}

TEST(ReadEntries, AByteOrderMarkBetweenJoinedFilesLosesNoDocument) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(read(mark + "{\"a\": 1}\n" + mark + "{\"b\": 2}\n---\n" + mark + "c: 3\nd: 4\n", "-").texts(),
            (Texts{"{\"a\":1}", "{\"b\":2}", "{\"c\":3,\"d\":4}"}));
  EXPECT_EQ(read("{\"a\": 1}\n" + mark + "---\n{\"b\": 2}\n", "x.json").texts(), (Texts{"{\"a\":1}", "{\"b\":2}"}));
}

TEST(ReadEntries, TellsJsonFromYaml) {
  EXPECT_EQ(read("{\"a\": 1}\n---\nb: 2\n---\n{\"c\": 3}\n", "-").texts(),
            (Texts{"{\"a\":1}", "{\"b\":2}", "{\"c\":3}"}));
  EXPECT_EQ(read("---\na: 1\n", "x.json").texts(), (Texts{"{\"a\":1}"}));
  EXPECT_EQ(read("# c\n  a: 1\n  b: 2\n", "-").texts(), (Texts{"{\"a\":1,\"b\":2}"}));
  EXPECT_EQ(read("\n\n  a: 1\n  b: 2\n", "-").entries[0].start, (Location{3, 3}));
  EXPECT_EQ(read("{a: 1}\n", "x.yaml.gz").texts(), (Texts{"{\"a\":1}"}));
  EXPECT_EQ(read("{a: 1}\n", "x.json").errors.size(), 1U);
  EXPECT_EQ(read("{a: 1}\n---\n{b: c}", "-").texts(), (Texts{"{\"a\":1}", "{\"b\":\"c\"}"}));
  EXPECT_NE(read("{\"a\": [1, ", "x.yaml").errors.at(0).message.find("JSON"), std::string::npos)
      << "cut JSON is told as JSON";
  const EntryCollector mixed = read("{\"a\": 1}\n---\nb: 2\nb: 3\n", "-");
  ASSERT_EQ(mixed.errors.size(), 1U);
  EXPECT_EQ(mixed.errors[0].place.document, 2);
  EXPECT_EQ(mixed.errors[0].place.line, 4);
}

TEST_F(InputFiles, DirectoryGivesItsObjectFilesSorted) {
  for (const char* name : {"b.yaml", "a.json", "c.yml.gz", "notes.txt", "below/d.yaml"}) write(name, "x: 1\n");
  const auto files = expand_input(folder_.string());
  ASSERT_TRUE(files);
  EXPECT_EQ(files->passed_over, 2) << "notes.txt and below";
  EXPECT_EQ(files->files,
            (Texts{(folder_ / "a.json").string(), (folder_ / "b.yaml").string(), (folder_ / "c.yml.gz").string()}));
  EXPECT_EQ(expand_input((folder_ / "below" / "..").string()).value().files.size(), 3U);
}

TEST_F(InputFiles, ADeviceWithoutAnEndIsRefused) {
  EXPECT_EQ(open_input("/dev/zero").error().code, ErrorCode::kIo);
  EXPECT_NE(read_file("/dev/zero").error().message.find("never ends"), std::string::npos);
  EXPECT_EQ(read_file("/dev/null").value(), "");
}

TEST_F(InputFiles, SaysWhatIsMissing) {
  EXPECT_EQ(expand_input((folder_ / "none.yaml").string()).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(expand_input((folder_ / "below").string()).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(open_input((folder_ / "none.yaml").string()).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read_file(folder_.string()).error().code, ErrorCode::kIo);
}

TEST_F(InputFiles, ReadsPackedFiles) {
  write("a.json.gz", gzip("{\"a\": 1}"));
  const auto source = open_input((folder_ / "a.json.gz").string());
  ASSERT_TRUE(source);
  EntryCollector seen;
  read_entries(**source, "a.json.gz", {}, seen);
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}"}));
}

}  // namespace
}  // namespace berth::text
