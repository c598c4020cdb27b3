// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/dim3.h"
#include "base/error.h"
#include "base/printable.h"

/// Writing and checked reading of values as JSON-like trees. A struct is described once, by
/// `describe(archive, value)` beside its fields' names; both directions follow from it. Private to
/// messages.cpp: it brings a heavy header.
namespace tilestep::worker {

using Json = nlohmann::json;

/// The last value of an enum that is sent as a number.
template <class Enum>
struct LastOf;

template <class T, class U>
concept Like = std::is_same_v<std::remove_const_t<T>, U>;

class Writer {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    object_[name] = tree(value);
  }
  [[nodiscard]] Json take() { return std::move(object_); }

  template <class T>
  static Json tree(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<unsigned>(value);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string> ||
                         std::is_same_v<T, Json>) {
      return value;
    } else {
      Writer writer;
      describe(writer, value);
      return writer.take();
    }
  }
  template <class T>
  static Json tree(const std::optional<T>& value) {
    return value ? tree(*value) : Json(nullptr);
  }
  template <class T>
  static Json tree(const std::vector<T>& values) {
    if constexpr (std::is_same_v<T, float>) {
      return binary(toColumn(std::span(values)));
    } else {
      Json list = Json::array();
      for (const T& value : values) list.push_back(tree(value));
      return list;
    }
  }
  static Json tree(const std::vector<uint8_t>& bytes) { return Json::binary(bytes); }
  /// A value that may be absent.
  template <class T>
  static Json tree(const std::shared_ptr<const T>& value) {
    if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
      return value ? binary(*value) : Json(nullptr);
    } else {
      return value ? tree(*value) : Json(nullptr);
    }
  }
  static Json tree(const std::map<std::string, int64_t>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[name] = value;
    return object;
  }
  static Json binary(const std::vector<std::byte>& bytes) {
    const auto* first = reinterpret_cast<const uint8_t*>(bytes.data());
    return Json::binary(std::vector<uint8_t>(first, first + bytes.size()));
  }

 private:
  Json object_ = Json::object();
};

/// The most bytes of a text from elsewhere that is one line.
inline constexpr size_t kMostLine = 4096;

/// Reads fields and keeps the first error, after which it reads nothing more.
class Reader {
 public:
  /// `isForeign`: texts are made printable (base/printable.h), and are one line where their field
  /// is none that holds several.
  Reader(const Json& object, std::string path, std::optional<Error>& error, bool isForeign)
      : object_(object), path_(std::move(path)), error_(error), isForeign_(isForeign) {
    if (!object.is_object()) fail(path_, "a map");
  }

  template <class T>
  void operator()(const char* name, T& value) {
    if (error_) return;
    const std::string path = path_ + "." + name;
    const auto at = object_.find(name);
    if (at == object_.end()) {
      error_ = workError("a message lacks its field " + path);
    } else {
      read(*at, value, path);
    }
  }

  template <class T>
  void read(const Json& tree, T& value, const std::string& path) {
    if (error_) return;
    if constexpr (std::is_same_v<T, bool>) {
      tree.is_boolean() ? void(value = tree.get<bool>()) : fail(path, "true or false");
    } else if constexpr (std::is_enum_v<T>) {
      uint8_t number = 0;
      read(tree, number, path);
      if (number > static_cast<uint8_t>(LastOf<T>::value)) return fail(path, "a known value");
      value = static_cast<T>(number);
    } else if constexpr (std::is_integral_v<T>) {
      readInteger(tree, value, path);
    } else if constexpr (std::is_floating_point_v<T>) {
      tree.is_number() ? void(value = tree.get<T>()) : fail(path, "a number");
    } else if constexpr (std::is_same_v<T, std::string>) {
      readText(tree, value, path);
    } else if constexpr (std::is_same_v<T, Json>) {
      value = tree;
    } else {
      Reader reader(tree, path, error_, isForeign_);
      if (!error_) describe(reader, value);
    }
  }
  template <class T>
  void read(const Json& tree, std::optional<T>& value, const std::string& path) {
    value.reset();
    if (tree.is_null()) return;
    T inner{};
    read(tree, inner, path);
    value = std::move(inner);
  }
  template <class T>
  void read(const Json& tree, std::shared_ptr<const T>& value, const std::string& path) {
    value = nullptr;
    if (tree.is_null()) return;
    if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
      if (!tree.is_binary()) return fail(path, "a byte string");
      const std::span<const std::byte> bytes = bytesOf(tree);
      value = std::make_shared<const T>(bytes.begin(), bytes.end());
    } else {
      auto inner = std::make_shared<T>();
      read(tree, *inner, path);
      value = std::move(inner);
    }
  }
  void read(const Json& tree, std::vector<uint8_t>& bytes, const std::string& path) {
    if (!tree.is_binary()) return fail(path, "a byte string");
    bytes = tree.get_binary();
  }
  template <class T>
  void read(const Json& tree, std::vector<T>& values, const std::string& path) {
    if constexpr (std::is_same_v<T, float>) {
      if (!tree.is_binary()) return fail(path, "a byte string");
      auto column = fromColumn<float>(bytesOf(tree));
      if (!column) return fail(path, "whole numbers of 4 bytes");
      values = std::move(*column);
    } else {
      if (!tree.is_array()) return fail(path, "a list");
      values.assign(tree.size(), T{});
      for (size_t i = 0; i < values.size() && !error_; ++i) {
        read(tree[i], values[i], path + "[" + std::to_string(i) + "]");
      }
    }
  }
  void read(const Json& tree, std::map<std::string, int64_t>& values, const std::string& path) {
    if (!tree.is_object()) return fail(path, "a map");
    for (const auto& [name, value] : tree.items()) {
      if (isForeign_ && (name.size() > kMostLine || printableLine(name) != name))
        return fail(path, "a map of names");
      read(value, values[name], path + "." + name);
    }
  }

  void fail(const std::string& path, const std::string& wanted) {
    if (!error_) error_ = workError("a message's field " + path + " is not " + wanted);
  }
  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// The tree's bytes; only where it is_binary().
  static std::span<const std::byte> bytesOf(const Json& tree) {
    const auto& bytes = tree.get_binary();
    return std::as_bytes(std::span(bytes.data(), bytes.size()));
  }

 private:
  void readText(const Json& tree, std::string& value, const std::string& path) {
    if (!tree.is_string()) return fail(path, "a text");
    const auto& text = tree.get_ref<const std::string&>();
    if (!isForeign_) {
      value = text;
      return;
    }
    // A kernel's printf, errors, PTX, and the file of a kernel.
    constexpr std::array<std::string_view, 5> kSeveralLines{".text", ".message", ".body",
                                                            ".sourceLine", ".kernelText"};
    const bool isBlock = std::ranges::any_of(
        kSeveralLines, [&](std::string_view end) { return path.ends_with(end); });
    if (!isBlock && text.size() > kMostLine)
      return fail(path, "a text of at most " + std::to_string(kMostLine) + " bytes");
    value = isBlock ? printable(text) : printableLine(text);
  }
  template <class T>
  void readInteger(const Json& tree, T& value, const std::string& path) {
    if (tree.is_number_unsigned()) {
      const auto number = tree.get<uint64_t>();
      if (!std::in_range<T>(number)) return fail(path, "in its range");
      value = static_cast<T>(number);
    } else if (tree.is_number_integer()) {
      const auto number = tree.get<int64_t>();
      if (!std::in_range<T>(number)) return fail(path, "in its range");
      value = static_cast<T>(number);
    } else {
      fail(path, "a whole number");
    }
  }

  const Json& object_;
  std::string path_;
  std::optional<Error>& error_;
  bool isForeign_;
};

}  // namespace tilestep::worker
