// SPDX-License-Identifier: Apache-2.0
#include "base/tree_archive.h"

#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/printable.h"

namespace tilestep {
namespace {

using Json = nlohmann::json;

std::string keyText(Archive::Key key) {
  return std::string(key);
}

class TreeWriter : public Archive {
 public:
  [[nodiscard]] Json take() { return std::move(object_); }

  [[nodiscard]] bool reads() const override { return false; }
  [[nodiscard]] bool good() const override { return true; }
  bool has(Key key, bool present) override {
    if (!present) object_[keyText(key)] = nullptr;
    return present;
  }
  void check(bool, Key, const std::string&) override {}
  void table(Key key, const Body& body, const TableWords&) override {
    TreeWriter inner;
    body(inner);
    object_[keyText(key)] = inner.take();
  }
  void operator()(Key key, bool& value) override { object_[keyText(key)] = value; }
  void operator()(Key key, std::string& value, const std::string&) override {
    object_[keyText(key)] = value;
  }
  void block(Key key, std::string& value) override { object_[keyText(key)] = value; }
  void operator()(Key key, Dim3& value, uint32_t, const char*) override {
    object_[keyText(key)] = Json::array({value.x, value.y, value.z});
  }
  void operator()(Key key, std::vector<std::string>& values) override {
    object_[keyText(key)] = values;
  }
  void operator()(Key key, std::vector<std::byte>& bytes) override {
    const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
    object_[keyText(key)] = Json::binary(std::vector<uint8_t>(first, first + bytes.size()));
  }

 private:
  void whole(Key key, int64_t& value, int64_t, int64_t, const std::string&) override {
    object_[keyText(key)] = value;
  }
  void natural(Key key, uint64_t& value) override { object_[keyText(key)] = value; }
  void real(Key key, double& value, double, double) override { object_[keyText(key)] = value; }
  void word(Key key, size_t& place, std::span<const char* const> words) override {
    object_[keyText(key)] = words[place];
  }
  void tables(Key key, size_t count, size_t,
              const std::function<void(Archive&, size_t)>& one) override {
    Json list = Json::array();
    for (size_t i = 0; i < count; ++i) {
      TreeWriter inner;
      one(inner, i);
      list.push_back(inner.take());
    }
    object_[keyText(key)] = std::move(list);
  }
  std::vector<std::string> names(size_t, const std::string&) override { return {}; }

  Json object_ = Json::object();
};

class TreeReader : public Archive {
 public:
  TreeReader(const Json& object, std::string name, Trust trust)
      : TreeReader(object, nullptr, std::move(name), trust, ownError_) {}

  [[nodiscard]] Status status() const { return error_ ? Status(*error_) : Status(); }

  [[nodiscard]] bool reads() const override { return true; }
  [[nodiscard]] bool good() const override { return !error_; }
  bool has(Key key, bool) override {
    if (error_) return false;
    const auto at = object_.find(key);
    return at != object_.end() && !at->is_null();
  }
  void check(bool right, Key, const std::string& sentence) override {
    if (!right && !error_) error_ = workError("invalid " + path() + ": " + sentence);
  }
  void table(Key key, const Body& body, const TableWords&) override {
    if (const Json* tree = find(key)) inside(*tree, keyText(key), body);
  }
  void operator()(Key key, bool& value) override {
    const Json* tree = find(key);
    if (tree == nullptr) return;
    if (tree->is_boolean())
      value = tree->get<bool>();
    else
      refuse(key, "true or false");
  }
  void operator()(Key key, std::string& value, const std::string&) override {
    const std::string* text = textAt(key);
    if (text == nullptr) return;
    if (trust_ == Trust::own)
      value = *text;
    else if (text->size() > kLongestText)
      refuse(key, "a string of at most " + std::to_string(kLongestText) + " bytes");
    else
      value = printableLine(*text);
  }
  void block(Key key, std::string& value) override {
    if (const std::string* text = textAt(key))
      value = trust_ == Trust::own ? *text : printable(*text);
  }
  void operator()(Key key, Dim3& value, uint32_t least, const char* noun) override {
    const Json* tree = find(key);
    if (tree == nullptr) return;
    bool right = tree->is_array() && tree->size() == 3;
    for (size_t i = 0; right && i < 3; ++i) {
      const std::optional<int64_t> side = wholeOf((*tree)[i]);
      right = side && *side >= least && *side <= std::numeric_limits<uint32_t>::max();
      if (right) (i == 0 ? value.x : i == 1 ? value.y : value.z) = static_cast<uint32_t>(*side);
    }
    if (!right) refuse(key, "three " + std::string(noun));
  }
  void operator()(Key key, std::vector<std::string>& values) override {
    const Json* tree = find(key);
    if (tree == nullptr) return;
    if (!tree->is_array()) return refuse(key, "a list");
    values.clear();
    for (const Json& one : *tree) {
      const bool right =
          one.is_string() && one.get_ref<const std::string&>().size() <= kLongestText;
      if (!right) return refuse(key, "a list of strings");
      const auto& text = one.get_ref<const std::string&>();
      values.push_back(trust_ == Trust::own ? text : printableLine(text));
    }
  }
  void operator()(Key key, std::vector<std::byte>& bytes) override {
    const Json* tree = find(key);
    if (tree == nullptr) return;
    if (!tree->is_binary()) return refuse(key, "a byte string");
    const auto all = std::as_bytes(std::span(tree->get_binary()));
    bytes.assign(all.begin(), all.end());
  }

 private:
  TreeReader(const Json& object, const TreeReader* outer, std::string name, Trust trust,
             std::optional<Error>& error)
      : object_(object), outer_(outer), name_(std::move(name)), trust_(trust), error_(error) {
    if (!object.is_object()) fail("is not a map");
  }

  [[nodiscard]] std::string path() const {
    return outer_ == nullptr ? name_ : outer_->path() + "." + name_;
  }
  void fail(const std::string& what) {
    if (!error_) error_ = workError(path() + " " + what);
  }
  void refuse(Key key, const std::string& wanted) {
    if (!error_) error_ = workError(path() + "." + keyText(key) + " is not " + wanted);
  }
  /// Null after an earlier error, or if the field is missing, which is an error.
  const Json* find(Key key) {
    if (error_) return nullptr;
    const auto at = object_.find(key);
    if (at != object_.end()) return &*at;
    fail("has no field " + keyText(key));
    return nullptr;
  }
  const std::string* textAt(Key key) {
    const Json* tree = find(key);
    if (tree == nullptr) return nullptr;
    if (tree->is_string()) return &tree->get_ref<const std::string&>();
    refuse(key, "a string");
    return nullptr;
  }
  void inside(const Json& tree, std::string name, const Body& body) {
    TreeReader inner(tree, this, std::move(name), trust_, error_);
    if (!error_) body(inner);
  }
  static std::optional<int64_t> wholeOf(const Json& tree) {
    if (tree.is_number_unsigned()) {
      const auto number = tree.get<uint64_t>();
      return std::in_range<int64_t>(number) ? std::optional(static_cast<int64_t>(number))
                                            : std::nullopt;
    }
    return tree.is_number_integer() ? std::optional(tree.get<int64_t>()) : std::nullopt;
  }

  void whole(Key key, int64_t& value, int64_t low, int64_t high, const std::string&) override {
    const Json* tree = find(key);
    if (tree == nullptr) return;
    const std::optional<int64_t> number = wholeOf(*tree);
    if (number && *number >= low && *number <= high)
      value = *number;
    else
      refuse(key, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  void natural(Key key, uint64_t& value) override {
    const Json* tree = find(key);
    if (tree == nullptr) return;
    if (tree->is_number_unsigned())
      value = tree->get<uint64_t>();
    else
      refuse(key, "a whole number of at least 0");
  }
  void real(Key key, double& value, double low, double high) override {
    const Json* tree = find(key);
    if (tree == nullptr) return;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const bool isFree = low == -kInfinity && high == kInfinity;
    const double number = tree->is_number() ? tree->get<double>() : 0;
    if (tree->is_number() && (isFree || (number >= low && number <= high)))
      value = number;
    else
      refuse(key, isFree ? "a number" : "a number in its range");
  }
  void word(Key key, size_t& place, std::span<const char* const> words) override {
    const std::string* text = textAt(key);
    if (text == nullptr) return;
    for (size_t i = 0; i < words.size(); ++i)
      if (*text == words[i]) {
        place = i;
        return;
      }
    refuse(key, "a known word");
  }
  void tables(Key key, size_t, size_t most,
              const std::function<void(Archive&, size_t)>& one) override {
    const Json* tree = find(key);
    if (tree == nullptr) return;
    if (!tree->is_array() || tree->size() > most)
      return refuse(key, "a list of at most " + std::to_string(most) + " entries");
    for (size_t i = 0; i < tree->size() && !error_; ++i)
      inside((*tree)[i], keyText(key) + "[" + std::to_string(i) + "]",
             [&](Archive& in) { one(in, i); });
  }
  std::vector<std::string> names(size_t most, const std::string& tooMany) override {
    std::vector<std::string> all;
    if (error_) return all;
    check(object_.size() <= most, {}, tooMany);
    for (const auto& [name, value] : object_.items()) {
      const bool right =
          trust_ == Trust::own || (name.size() <= kLongestText && printableLine(name) == name);
      check(right, {}, "a name is too long or not printable");
      if (error_) return {};
      all.push_back(name);
    }
    return all;
  }

  const Json& object_;
  const TreeReader* outer_;
  std::string name_;
  Trust trust_;
  std::optional<Error> ownError_;  ///< Used by the outermost reader only.
  std::optional<Error>& error_;
};

Status readTree(const Json& tree, const std::string& what, Trust trust, const Archive::Body& body) {
  TreeReader reader(tree, what, trust);
  if (reader.good()) body(reader);
  return reader.status();
}

Json treeOf(const Archive::Body& body) {
  TreeWriter writer;
  body(writer);
  return writer.take();
}

}  // namespace

std::vector<std::byte> toCbor(const Archive::Body& body) {
  const std::vector<uint8_t> cbor = Json::to_cbor(treeOf(body));
  const auto bytes = std::as_bytes(std::span(cbor));
  return {bytes.begin(), bytes.end()};
}

Status readCbor(std::span<const std::byte> bytes, const std::string& what, Trust trust,
                const Archive::Body& body, uint64_t mostItems) {
  if (Status whole = checkCbor(bytes, mostItems); !whole) return whole;
  try {
    const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
    return readTree(Json::from_cbor(first, first + bytes.size()), what, trust, body);
  } catch (const Json::exception& failure) {
    return workError("invalid CBOR: " + std::string(failure.what()));
  }
}

std::string toJsonText(const Archive::Body& body) {
  // Names from user programs may be invalid UTF-8.
  return treeOf(body).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status readJsonText(std::string_view text, const std::string& what, Trust trust,
                    const Archive::Body& body) {
  const Json tree = Json::parse(text, nullptr, false);
  if (tree.is_discarded()) return workError(what + " is not JSON");
  return readTree(tree, what, trust, body);
}

}  // namespace tilestep
