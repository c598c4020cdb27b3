// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/environment.h"
#include "base/files.h"
#include "base/text_table.h"
#include "compile/kernel.h"
#include "lab/figures.h"

namespace tilestep::app {
namespace {

using Json = nlohmann::ordered_json;

std::string rangeOf(const compile::TunableSpec& tunable) {
  if (tunable.values.empty()) {
    std::string text = std::to_string(tunable.minimum) + ".." + std::to_string(tunable.maximum);
    return tunable.step > 1 ? text + " by " + std::to_string(tunable.step) : text;
  }
  std::string text;
  for (const int64_t value : tunable.values) {
    text += (text.empty() ? "" : "|") + std::to_string(value);
  }
  return text;
}

std::string tunablesOf(const compile::KernelSpec& spec) {
  std::string text;
  for (const compile::TunableSpec& tunable : spec.tunables) {
    text += (text.empty() ? "" : ", ") + tunable.name + " " + rangeOf(tunable);
  }
  return text;
}

Json tunableJson(const compile::TunableSpec& tunable) {
  Json json = {{"name", tunable.name},       {"default", tunable.defaultValue},
               {"minimum", tunable.minimum}, {"maximum", tunable.maximum},
               {"step", tunable.step},       {"title", tunable.title}};
  if (!tunable.values.empty()) json["values"] = tunable.values;
  if (!tunable.names.empty()) json["names"] = tunable.names;
  return json;
}

Json entryJson(const compile::CatalogueEntry& entry) {
  Json json = {{"source", entry.source.path}};
  if (!entry.spec) {
    json["error"] = entry.error ? toString(*entry.error) : "";
    return json;
  }
  json["name"] = entry.spec->name;
  json["title"] = entry.spec->title;
  json["summary"] = entry.spec->summary;
  json["sizes"] = Json::object();
  for (const auto& [name, value] : lab::orderedSizes(entry.spec->sizes))
    json["sizes"][name] = value;
  json["tunables"] = Json::array();
  for (const auto& tunable : entry.spec->tunables) json["tunables"].push_back(tunableJson(tunable));
  json["error"] = nullptr;
  return json;
}

int list(bool asJson) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return fail(home.error());
  const auto entries = compile::readCatalogue((*home / "kernels").string());
  Json json = {{"schema", 1}, {"kernels", Json::array()}};
  TextTable table({"kernel", "title", "tunables"});
  std::string broken;
  for (const compile::CatalogueEntry& entry : entries) {
    json["kernels"].push_back(entryJson(entry));
    if (entry.spec) {
      table.add({entry.spec->name, entry.spec->title, tunablesOf(*entry.spec)});
    } else if (entry.error) {
      broken += "\n" + toString(*entry.error) + "\n";
    }
  }
  return print(asJson ? json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
                      : table.text() + broken,
               kDone);
}

}  // namespace

void addKernelsCommand(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  Command command = line.add("kernels", "Lists the kernels of the folder kernels/",
                             [json] { return list(*json); });
  command.flag("--json", *json, "Print JSON");
  command.footer("Example: tilestep kernels --json");
}

}  // namespace tilestep::app
