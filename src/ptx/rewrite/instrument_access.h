// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/analysis/counted.h"
