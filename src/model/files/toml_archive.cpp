// SPDX-License-Identifier: Apache-2.0
#include "model/files/toml_archive.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <sstream>
#include <utility>

#include "base/toml/parse_toml.h"
#include "base/toml/toml_reader.h"

namespace tilestep::model {
namespace {

class TomlWriter : public Archive {
 public:
  explicit TomlWriter(toml::table& table) : table_(table) {}

  [[nodiscard]] bool reads() const override { return false; }
  [[nodiscard]] bool good() const override { return true; }
  bool has(Key, bool present) override { return present; }
  void check(bool, Key, const std::string&) override {}
  void table(Key key, const Body& body, const TableWords&) override {
    toml::table inner;
    TomlWriter io(inner);
    body(io);
    table_.insert(key, std::move(inner));
  }

 private:
  void operator()(Key key, bool& value) override { table_.insert(key, value); }
  void block(Key key, std::string& value) override { table_.insert(key, value); }
  void operator()(Key key, std::vector<std::string>& values) override {
    toml::array list;
    for (const std::string& value : values) list.push_back(value);
    table_.insert(key, std::move(list));
  }
  void natural(Key key, uint64_t& value) override {
    table_.insert(key, static_cast<int64_t>(value));
  }
  /// Users' files do not contain bytes.
  void operator()(Key, std::vector<std::byte>&) override {}
  void whole(Key key, int64_t& value, int64_t, int64_t, const std::string&) override {
    table_.insert(key, value);
  }
  void real(Key key, double& value, double, double) override { table_.insert(key, value); }
  void operator()(Key key, std::string& value, const std::string&) override {
    table_.insert(key, value);
  }
  void word(Key key, size_t& place, std::span<const char* const> words) override {
    table_.insert(key, words[place]);
  }
  void operator()(Key key, Dim3& value, uint32_t, const char*) override {
    table_.insert(key, toml::array{int64_t{value.x}, int64_t{value.y}, int64_t{value.z}});
  }
  void tables(Key key, size_t there, size_t,
              const std::function<void(Archive&, size_t)>& one) override {
    toml::array list;
    for (size_t i = 0; i < there; ++i) {
      toml::table inner;
      TomlWriter io(inner);
      one(io, i);
      list.push_back(std::move(inner));
    }
    table_.insert(key, std::move(list));
  }
  std::vector<std::string> names(size_t, const std::string&) override { return {}; }

  toml::table& table_;
};

class TomlTableReader : public Archive {
 public:
  TomlTableReader(TomlReader& toml, const toml::table& table) : toml_(toml), table_(table) {}

  /// Reports an unknown key before all other errors in the table.
  void read(const std::string& where, const Body& body) {
    TomlReader before = toml_;
    body(*this);
    if (!hasOwnNames_) before.onlyKeys(table_, asked_, where);
    if (before.error()) toml_ = std::move(before);
  }

  [[nodiscard]] bool reads() const override { return true; }
  [[nodiscard]] bool good() const override { return !toml_.error(); }
  bool has(Key key, bool) override {
    asked_.emplace_back(key);
    return table_.contains(key);
  }
  void check(bool right, Key key, const std::string& sentence) override {
    if (right) return;
    const toml::node* node = table_.get(key);
    toml_.fail(node != nullptr ? *node : static_cast<const toml::node&>(table_), sentence);
  }
  void table(Key key, const Body& body, const TableWords& words) override {
    if (!has(key, true)) return;
    if (const toml::table* inner = table_.get(key)->as_table())
      TomlTableReader(toml_, *inner)
          .read(words.where.empty() ? std::string(key) : words.where, body);
    else
      check(false, key, orElse(words.wrong, std::string(key) + " must be a table"));
  }

 private:
  static std::string orElse(const std::string& wrong, const std::string& usual) {
    return wrong.empty() ? usual : wrong;
  }

  /// The key's value; absent if the key is missing or has another type.
  template <class Value>
  std::optional<Value> valueOf(Key key, const std::string& wrong) {
    if (!has(key, true)) return std::nullopt;
    std::optional<Value> value = table_.get(key)->value_exact<Value>();
    check(value.has_value(), key, wrong);
    return value;
  }

  void block(Key key, std::string& value) override { (*this)(key, value, {}); }
  void operator()(Key key, std::vector<std::string>& values) override {
    if (has(key, true)) values = toml_.texts(table_, std::string(key).c_str());
  }
  void natural(Key key, uint64_t& value) override {
    auto number = static_cast<int64_t>(value);
    whole(key, number, 0, std::numeric_limits<int64_t>::max(), {});
    value = static_cast<uint64_t>(number);
  }
  void operator()(Key, std::vector<std::byte>&) override {}
  void operator()(Key key, bool& value) override {
    value = valueOf<bool>(key, std::string(key) + " must be true or false").value_or(value);
  }
  void whole(Key key, int64_t& value, int64_t low, int64_t high,
             const std::string& wrong) override {
    value = valueOf<int64_t>(key, orElse(wrong, std::string(key) + " must be a whole number"))
                .value_or(value);
    const std::string range = std::to_string(low) + " to " + std::to_string(high);
    check(value >= low && value <= high, key,
          orElse(wrong, std::string(key) + " must be from " + range));
  }
  void real(Key key, double& value, double low, double high) override {
    if (!has(key, true)) return;
    const toml::node& node = *table_.get(key);
    const bool isNumber = node.is_floating_point() || node.is_integer();
    const std::optional<double> found = isNumber ? node.value<double>() : std::nullopt;
    std::array<char, 80> range{};
    std::snprintf(range.data(), range.size(), " must be a number from %g to %g", low, high);
    check(found && *found >= low && *found <= high, key, std::string(key) + range.data());
    value = found.value_or(value);
  }
  void operator()(Key key, std::string& value, const std::string& wrong) override {
    value =
        valueOf<std::string>(key, std::string(key) + " must be a string in quotes").value_or(value);
    check(value.size() <= kLongestText && value.find('\0') == std::string::npos, key,
          orElse(wrong, std::string(key) + " is too long or contains a zero byte"));
  }
  void word(Key key, size_t& place, std::span<const char* const> words) override {
    const auto value = valueOf<std::string>(key, std::string(key) + " must be a string in quotes");
    if (!value) return;
    std::string all;
    for (size_t i = 0; i < words.size(); ++i) {
      if (*value == words[i]) {
        place = i;
        return;
      }
      all += (i == 0 ? "" : ", ") + std::string(words[i]);
    }
    check(false, key, std::string(key) + " must be one of: " + all);
  }
  void operator()(Key key, Dim3& value, uint32_t least, const char* noun) override {
    asked_.emplace_back(key);
    const std::vector<int64_t> all = toml_.integers(table_, std::string(key).c_str());
    const auto fits = [&](int64_t v) {
      return v >= least && v <= std::numeric_limits<int32_t>::max();
    };
    const bool right = all.size() == 3 && std::ranges::all_of(all, fits);
    check(right, key, std::string(key) + " must be three " + noun + ": [x, y, z]");
    const auto at = [&](size_t i) { return static_cast<uint32_t>(all[i]); };
    if (right) value = {at(0), at(1), at(2)};
  }
  void tables(Key key, size_t, size_t most,
              const std::function<void(Archive&, size_t)>& one) override {
    asked_.emplace_back(key);
    const std::vector<const toml::table*> all = toml_.tables(table_, std::string(key).c_str());
    check(all.size() <= most, key,
          "more than " + std::to_string(most) + " " + std::string(key) + "s");
    for (size_t i = 0; i < all.size() && !toml_.error(); ++i)
      TomlTableReader(toml_, *all[i]).read(std::string(key), [&](Archive& io) { one(io, i); });
  }
  std::vector<std::string> names(size_t most, const std::string& tooMany) override {
    hasOwnNames_ = true;
    std::vector<std::string> all;
    if (table_.size() > most) {
      toml_.fail(table_, tooMany);
      return all;
    }
    for (const auto& [key, node] : table_) all.emplace_back(key.str());
    return all;
  }

  TomlReader& toml_;
  const toml::table& table_;
  std::vector<std::string> asked_;
  bool hasOwnNames_ = false;  ///< The table's keys are names, so any key is accepted.
};

}  // namespace

void describeVersion(Archive& io, int version) {
  int found = version;
  const bool isThere = io.has("version", true);
  io("version", found, 0, 1 << 20);
  io.check(isThere && found == version, "version",
           "version must be " + std::to_string(version) + ", the only one that this program reads");
}

std::string toTomlText(const std::string& comment, const Archive::Body& body) {
  toml::table root;
  TomlWriter io(root);
  body(io);
  std::ostringstream text;
  text << comment << root << "\n";
  return text.str();
}

Status readToml(std::string_view text, const std::string& file, const Archive::Body& body) {
  TomlReader toml(file, text);
  const Result<toml::table> root = parseToml(text, file);
  if (root)
    TomlTableReader(toml, *root).read("the file", body);
  else
    toml.failToParse(root.error());
  if (toml.error()) return *toml.error();
  return {};
}

}  // namespace tilestep::model
