// Scalars of a user's tree: what reads as a number, a whole number, a bool or a text, and what each refusal says.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "lithe/base/value.h"
#include "support/messages.h"

namespace lithe {
namespace {

Value at(std::string text, bool quoted = false) {
  Value v = Value::scalar(std::move(text));
  v.quoted = quoted;
  v.where = {"m.yaml", 7, "bodies.rod.E"};
  return v;
}

TEST(Value, NumbersRead) {
  const std::pair<const char*, double> good[] = {{"0", 0},           {"-3", -3},  {"+2.5", 2.5}, {"1e3", 1000},
                                                 {"2.1e11", 2.1e11}, {".5", 0.5}, {"7.", 7},     {"-1.5E-3", -1.5e-3}};
  for (const auto& [text, expected] : good) EXPECT_EQ(to_double(at(text)), expected) << text;
}

TEST(Value, NumbersRefused) {
  for (const char* text : {"", "abc", "1,5", "1.5m", "1 2", "0x10", "--1", "e5", "true"})
    EXPECT_NE(message_of<InputError>([&] { to_double(at(text)); }).find("a number is expected"), std::string::npos)
        << text;
  for (const char* text : {".nan", ".inf", "-.inf", "nan", "inf", "-inf"})
    EXPECT_NE(message_of<InputError>([&] { to_double(at(text)); }).find("a finite number is expected"),
              std::string::npos)
        << text;
  EXPECT_THROW(to_double(at("1e999")), InputError);
  EXPECT_THROW(to_double(at("3", true)), InputError) << "in quotes it is a text";
  EXPECT_THROW(to_double(Value::list()), InputError);
  EXPECT_THROW(to_double(Value{}), InputError);
}

TEST(Value, MessagesNamePlaceValueAndRemedy) {
  EXPECT_EQ(message_of<InputError>([] { to_double(at("1,5")); }),
            "m.yaml:7: bodies.rod.E: a number is expected, but this is '1,5' (write decimals with a point)");
  EXPECT_EQ(message_of<InputError>([] { to_int(at("2.5")); }),
            "m.yaml:7: bodies.rod.E: a whole number is expected, but this is '2.5'");
  EXPECT_EQ(message_of<InputError>([] { to_bool(at("yes")); }),
            "m.yaml:7: bodies.rod.E: true or false is expected, but this is 'yes'");
  Value list = Value::list();
  list.items.resize(3);
  EXPECT_EQ(message_of<InputError>([&] { to_string(list); }), "a text is expected, but this is a list of 3");
}

TEST(Value, WholeNumbers) {
  EXPECT_EQ(to_int(at("12")), 12);
  EXPECT_EQ(to_int(at("-1e3")), -1000);
  for (const char* text : {"1e10", "-3e9", "0.5"}) EXPECT_THROW(to_int(at(text)), InputError) << text;
}

TEST(Value, BoolsAndTexts) {
  for (const char* text : {"true", "True"}) EXPECT_TRUE(to_bool(at(text)));
  for (const char* text : {"false", "False"}) EXPECT_FALSE(to_bool(at(text)));
  for (const char* text : {"1", "on", "", "TRUE"}) EXPECT_THROW(to_bool(at(text)), InputError) << text;
  EXPECT_THROW(to_bool(at("true", true)), InputError) << "in quotes it is a text";
  EXPECT_EQ(to_string(at("steel")), "steel");
  EXPECT_EQ(to_string(at("3", true)), "3");
  EXPECT_THROW(to_string(Value::map()), InputError);
}

TEST(Value, SpeaksOfItself) {
  Value map = Value::map();
  map.set("a", Value::scalar("1"));
  EXPECT_EQ(spoken(Value{}), "nothing");
  EXPECT_EQ(spoken(Value::scalar("x")), "'x'");
  EXPECT_EQ(spoken(Value::list()), "a list of 0");
  EXPECT_EQ(spoken(map), "a map of 1");
}

TEST(Value, MapsKeepTheUsersOrderAndFindTheirKeys) {
  Value map = Value::map();
  for (const char* key : {"z", "a", "m"}) map.set(key, Value::scalar(key));
  EXPECT_EQ(map.fields[0].first, "z");
  EXPECT_EQ(map.fields[2].first, "m");
  ASSERT_NE(map.find("a"), nullptr);
  EXPECT_EQ(map.find("a")->text, "a");
  EXPECT_EQ(map.find("b"), nullptr);
}

TEST(Value, NumbersSurviveTheirText) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::uint64_t> bits;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t pattern = bits(random);
    double x;
    std::memcpy(&x, &pattern, sizeof x);
    if (!(std::abs(x) <= largest_number)) continue;
    EXPECT_EQ(to_double(Value::scalar(number_text(x))), x);
  }
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(to_double(Value::scalar(number_text(std::numeric_limits<double>::denorm_min()))),
            std::numeric_limits<double>::denorm_min());
}

}  // namespace
}  // namespace lithe
