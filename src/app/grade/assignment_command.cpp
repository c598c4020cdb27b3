// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <system_error>

#include "app/commands.h"
#include "app/options.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "grade/hidden_launches.h"
#include "grade/starter.h"

namespace tilestep::app {
namespace {

namespace fs = std::filesystem;

struct AssignmentOptions {
  std::string action, name, from = "matmul_tiled";
};

Status write(const fs::path& folder, const std::vector<grade::StarterFile>& files) {
  for (const grade::StarterFile& file : files) {
    const fs::path path = folder / file.path;
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    if (failed)
      return requestError("cannot create " + path.parent_path().string() + ": " + failed.message());
    if (const Status written = writeFileAtomically(path, file.text); !written) return written;
  }
  return {};
}

std::string summaryOf(const std::string& name, const std::vector<grade::StarterFile>& files) {
  std::string text;
  for (const grade::StarterFile& file : files) text += name + "/" + file.path + "\n";
  return text + "\nGive students the folder " + name + "/student. Keep " + name +
         "/teacher to yourself, and grade with\n  tilestep grade SUBMISSIONS --spec " + name +
         "/teacher/" + name + ".toml --csv marks.csv --html pages\n";
}

int make(const AssignmentOptions& options) {
  if (options.action != "new")
    return fail(requestError("assignment has no action " + options.action +
                             "; write: tilestep assignment new NAME"));
  if (!isIdentifier(options.name))
    return fail(requestError("'" + options.name +
                             "' is not a valid kernel name; use letters, digits and _"));
  std::error_code failed;
  if (fs::exists(fs::symlink_status(options.name, failed)))
    return fail(requestError(options.name + " already exists; choose another name"));
  const Result<compile::KernelSource> model = readKernel(options.from, {});
  if (!model) return fail(model.error());
  const Result<compile::Spec> spec = compile::specOf(*model);
  if (!spec) return fail(spec.error());
  const Result<std::vector<grade::StarterFile>> files =
      grade::starterFor(options.name, *model, *spec);
  if (!files) return fail(files.error());
  if (const Status written = write(options.name, *files); !written) return fail(written.error());
  std::string text = summaryOf(options.name, *files);
  if (!grade::hidesResults(spec->kernel))
    text += "\nNote: " + std::string(grade::kResultsAreKnown) + ".\n";
  return print(text, kDone);
}

}  // namespace

void addAssignmentCommand(CommandLine& line) {
  auto options = std::make_shared<AssignmentOptions>();
  Command command = line.add("assignment", "Makes a new assignment: a starter and a private spec",
                             [options] { return make(*options); });
  command.option("action", &options->action, "new", {.type = "new", .required = true});
  command.option("name", &options->name, "The name of the kernel and of the new folder",
                 {.type = "NAME", .required = true});
  command.option("--from", &options->from, "The kernel that is the model (matmul_tiled)",
                 {.type = "KERNEL|FILE.cu"});
  command.footer("Example: tilestep assignment new my_transpose --from transpose");
}

}  // namespace tilestep::app
