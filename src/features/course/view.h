// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "features/course/course.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

struct CourseView : View {
  static constexpr std::string_view kFeature = "course";
  std::shared_ptr<const Course> course;  ///< Null if there is no plan, or only a damaged one.
};

}  // namespace tilestep::features
