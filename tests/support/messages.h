// What an action's exception says.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace lithe {

template <class Error, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "an exception was expected";
  return "";
}

}  // namespace lithe
