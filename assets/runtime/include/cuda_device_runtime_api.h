// SPDX-License-Identifier: Apache-2.0
// Empty: program.h, which is included first, declares what programs need from this header.
#pragma once
