// SPDX-License-Identifier: Apache-2.0
#include "worker/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/bytes.h"
#include "base/tree_archive.h"
#include "support/results.h"

namespace tilestep::worker::frame_test {

using Bytes = std::vector<std::byte>;

Bytes bytesOf(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Bytes framed(const Bytes& body) {
  ByteWriter frame;
  frame.putBytes(frameHeader(body.size()));
  frame.putBytes(body);
  frame.putBytes(std::span(&kFrameEnd, 1));
  return frame.take();
}

std::string refusalOf(const Bytes& header) {
  const auto length = readFrameHeader(std::span(header).first<kHeaderBytes>());
  return length ? "" : length.error().message;
}

Bytes header(std::string_view magic, uint32_t version, uint64_t length) {
  ByteWriter writer;
  writer.putBytes(std::as_bytes(std::span(magic.data(), magic.size())));
  writer.put(version);
  writer.put(length);
  return writer.take();
}

TEST(Frame, RefusalsStateTheReason) {
  EXPECT_TRUE(has(refusalOf(header("bash", 0x6f6e203a, 1)), "does not use Tilestep's protocol"));
  EXPECT_TRUE(has(refusalOf(header("bash", 0x6f6e203a, 1)), "\"bash: no")) << "its output is shown";
  EXPECT_TRUE(has(refusalOf(header("TSW1", kProtocolVersion + 1, 1)),
                  "protocol version " + std::to_string(kProtocolVersion + 1)));
  EXPECT_EQ(refusalOf(header("TSW1", kProtocolVersion, kMaxFrameBytes)), "");
  EXPECT_TRUE(has(refusalOf(header("TSW1", kProtocolVersion, kMaxFrameBytes + 1)), "at most"));
  EXPECT_TRUE(has(refusalOf(header("TSW1", kProtocolVersion, ~uint64_t{0})), "at most"));
}

TEST(Frame, BufferFindsFramesInPiecesOfAnySize) {
  Bytes stream = framed(bytesOf({1, 2, 3}));
  for (const Bytes& body : {Bytes{}, bytesOf({4}), Bytes(1000, std::byte{5})}) {
    const Bytes frame = framed(body);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  for (const size_t cut : {size_t{1}, size_t{7}, size_t{16}, size_t{17}, stream.size()}) {
    FrameBuffer buffer;
    std::vector<Bytes> frames;
    for (size_t at = 0; at < stream.size(); at += cut) {
      ASSERT_TRUE(buffer.feed(std::span(stream).subspan(at, std::min(cut, stream.size() - at))));
      while (auto frame = buffer.next()) frames.push_back(std::move(*frame));
    }
    ASSERT_EQ(frames.size(), 4U) << cut;
    EXPECT_EQ(frames[0], bytesOf({1, 2, 3}));
    EXPECT_TRUE(frames[1].empty());
    EXPECT_EQ(frames[2], bytesOf({4}));
    EXPECT_EQ(frames[3].size(), 1000U);
    EXPECT_TRUE(buffer.betweenFrames());
  }
}

TEST(Frame, TruncatedStreamsGiveOnlyWholeFrames) {
  Bytes stream = framed(bytesOf({1, 2, 3}));
  const size_t first = stream.size();
  const Bytes second = framed(Bytes(100, std::byte{5}));
  stream.insert(stream.end(), second.begin(), second.end());
  for (size_t length = 0; length <= stream.size(); ++length) {
    FrameBuffer buffer;
    ASSERT_TRUE(buffer.feed(std::span(stream).first(length)));
    EXPECT_EQ(buffer.next().has_value(), length >= first) << length;
    EXPECT_EQ(buffer.next().has_value(), length == stream.size()) << length;
    const bool between = length == 0 || length == first || length == stream.size();
    EXPECT_EQ(buffer.betweenFrames(), between) << length;
  }
}

TEST(Frame, BrokenFramesAreRefusedAndEarlierFramesKept) {
  Bytes bytes = framed(bytesOf({1, 2}));
  bytes.back() = std::byte{'\r'};
  FrameBuffer unended;
  EXPECT_TRUE(fails(unended.feed(bytes), "does not end where its length says"));
  Bytes stream = framed(bytesOf({1}));
  const Bytes broken = header("nope", 1, 1);
  stream.insert(stream.end(), broken.begin(), broken.end());
  FrameBuffer buffer;
  EXPECT_FALSE(buffer.feed(stream));
  EXPECT_EQ(buffer.next(), bytesOf({1}));
}

std::string refusal(const Bytes& body) {
  const Status status = checkCbor(body);
  return status ? "" : status.error().message;
}

TEST(Cbor, InvalidFormsAreRefused) {
  for (const Bytes& body : {Bytes{}, bytesOf({0x18}), bytesOf({0x43, 1, 2}), bytesOf({0x82, 1}),
                            bytesOf({0xa1, 0x61, 'a'}), bytesOf({0x1b, 1, 2, 3}),
                            bytesOf({0xbb, 0x80, 0, 0, 0, 0, 0, 0, 0})})
    EXPECT_TRUE(has(refusal(body), "cut off"));
  // A byte string, a text, a list and a map whose length is 2^64 - 1.
  for (const int major : {0x5b, 0x7b, 0x9b, 0xbb}) {
    Bytes body(9, std::byte{0xff});
    body[0] = static_cast<std::byte>(major);
    EXPECT_TRUE(has(refusal(body), "cut off"));
  }
  EXPECT_TRUE(has(refusal(bytesOf({0x00, 0x00})), "trailing bytes"));
  EXPECT_TRUE(has(refusal(bytesOf({0xc1, 0x00})), "tag"));
  EXPECT_TRUE(has(refusal(bytesOf({0x9f, 0xff})), "indefinite"));
  EXPECT_TRUE(has(refusal(bytesOf({0x1c})), "reserved"));
  Bytes many = bytesOf({0x9a, 0x00, 0x20, 0x00, 0x00});
  many.resize(many.size() + 0x200000);
  EXPECT_TRUE(has(refusal(many), "more than"));
}

TEST(Cbor, NestingHasALimit) {
  const auto nested = [](size_t depth) {
    Bytes lists(depth + 1, std::byte{0x81});
    lists.back() = std::byte{0x00};
    return lists;
  };
  EXPECT_EQ(refusal(nested(kMostCborDepth)), "");
  EXPECT_TRUE(has(refusal(nested(kMostCborDepth + 1)), "nested more than 32 deep"));
  // A hundred thousand levels would overflow the stack of a recursive parser.
  Bytes abyss(100000, std::byte{0x81});
  EXPECT_TRUE(has(refusal(abyss), "nested more"));
}

}  // namespace tilestep::worker::frame_test
