// One description reads, writes and lists a struct of every form that a field may have.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../allocation_counter.h"
#include "lithe/base/describe.h"
#include "lithe/base/listing.h"
#include "support/messages.h"

namespace lithe {
namespace {

enum class Colour { red, light_blue };

struct Wheel {
  double radius = 0.3;
  int spokes = 32;
};
struct Ski {
  double length = 0;
};
struct Sledge {
  std::string name = "rosebud";
  double mass = 0;
  bool brake = false;
  Colour colour = Colour::light_blue;
  std::array<double, 3> position{0, 1, 0};
  std::vector<int> years;
  std::optional<double> price;
  std::variant<Ski, Wheel> runner;
  Named<Wheel> spare;
};
struct Meadow {  // every form of rows of numbers
  std::vector<std::vector<double>> flowers;
  std::vector<std::array<int, 2>> paths;
  std::optional<std::vector<double>> heights;
  std::vector<Colour> colours;
};

}  // namespace

template <>
struct Words<Colour> {
  static constexpr std::array<const char*, 2> names{"red", "light_blue"};
};

namespace {

LITHE_DESCRIBE(Wheel, "wheel", "rolls") {
  visit("radius", &Wheel::radius, Field{.help = "radius", .unit = "m", .allowed = positive});
  visit("spokes", &Wheel::spokes, Field{.help = "number of spokes", .allowed = not_negative});
}
LITHE_DESCRIBE(Meadow, "meadow", "has flowers") {
  visit("flowers", &Meadow::flowers, Field{.help = "one row each"});
  visit("paths", &Meadow::paths, Field{.help = "from, to", .allowed = not_negative});
  visit("heights", &Meadow::heights, Field{.help = "of the grass", .unit = "m", .usual_low = 0.01, .usual_high = 2});
  visit("colours", &Meadow::colours, Field{.help = "in order"});
}
LITHE_DESCRIBE(Ski, "ski", "slides") {
  visit("length", &Ski::length, Field{.help = "length", .unit = "m", .required = true});
}
LITHE_DESCRIBE(Sledge, "sledge", "carries people") {
  visit("name", &Sledge::name, Field{.help = "its name"});
  visit("mass", &Sledge::mass,
        Field{.help = "a mass", .unit = "kg", .required = true, .usual_low = 1, .usual_high = 100});
  visit("brake", &Sledge::brake, Field{.help = "has a brake"});
  visit("colour", &Sledge::colour, Field{.help = "its colour"});
  visit("position", &Sledge::position, Field{.help = "where it stands", .unit = "m"});
  visit("years", &Sledge::years, Field{.help = "when it was used"});
  visit("price", &Sledge::price, Field{.help = "its price", .allowed = positive});
  visit("runner", &Sledge::runner, Field{.help = "what it runs on"});
  visit("spare", &Sledge::spare, Field{.help = "spare wheels"});
}

// A map written as pairs; every value knows the line of its key.
Value map(std::initializer_list<Value::Field> fields) {
  Value v = Value::map();
  int line = 0;
  for (auto [key, value] : fields) {
    value.where = {"s.yaml", ++line, key};
    v.set(key, std::move(value));
  }
  return v;
}
Value list(std::initializer_list<const char*> texts) {
  Value v = Value::list();
  for (const char* text : texts) v.items.push_back(Value::scalar(text));
  return v;
}
Value text(const char* t) { return Value::scalar(t); }

Sledge read(const Value& value, Reading& reading) {
  Sledge s;
  read_value(value, s, Field{}, reading);
  return s;
}
Sledge read(const Value& value) {
  Reading reading;
  return read(value, reading);
}
std::string refusal(const Value& value) {
  return message_of<InputError>([&] { read(value); });
}

TEST(Describe, ReadsEveryFormOfField) {
  const Sledge s = read(map({{"name", text("blitz")},
                             {"mass", text("12")},
                             {"brake", text("true")},
                             {"colour", text("red")},
                             {"position", list({"1", "2", "3"})},
                             {"years", list({"1941", "1942"})},
                             {"price", text("9.5")},
                             {"runner", map({{"type", text("wheel")}, {"radius", text("0.5")}})},
                             {"spare", map({{"left", map({{"spokes", text("8")}})}, {"right", map({})}})}}));
  EXPECT_EQ(s.name, "blitz");
  EXPECT_EQ(s.mass, 12);
  EXPECT_TRUE(s.brake);
  EXPECT_EQ(s.colour, Colour::red);
  EXPECT_EQ(s.position[2], 3);
  EXPECT_EQ(s.years, (std::vector<int>{1941, 1942}));
  EXPECT_EQ(s.price, 9.5);
  ASSERT_TRUE(std::holds_alternative<Wheel>(s.runner));
  EXPECT_EQ(std::get<Wheel>(s.runner).radius, 0.5);
  EXPECT_EQ(std::get<Wheel>(s.runner).spokes, 32) << "what is not said keeps its default";
  EXPECT_EQ(s.spare.names(), (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(s.spare.find("left")->spokes, 8);
  EXPECT_EQ(s.spare.where[1].path, "right");
}

TEST(Describe, TheFirstAlternativeIsTheDefault) {
  const Sledge s = read(map({{"mass", text("12")}, {"runner", map({{"length", text("2")}})}}));
  ASSERT_TRUE(std::holds_alternative<Ski>(s.runner));
  EXPECT_EQ(std::get<Ski>(s.runner).length, 2);
  EXPECT_FALSE(s.price);
  EXPECT_FALSE(read(map({{"mass", text("12")}, {"price", Value{}}, {"spare", Value{}}})).price);
}

TEST(Describe, RefusesWithPlaceValueAndRemedy) {
  const Value mass = text("12");
  EXPECT_EQ(refusal(map({})), "'mass' is missing (a mass, kg)");
  EXPECT_EQ(refusal(map({{"mas", mass}})), "s.yaml:1: mas: 'mas' is not a key here (did you mean 'mass'?)")
      << "a misspelt required key is told as misspelt";
  EXPECT_EQ(refusal(map({{"mass", mass}, {"mass", mass}})), "s.yaml:2: mass: the key 'mass' is given twice");
  EXPECT_EQ(refusal(map({{"mass", mass}, {"type", text("sledge")}})).substr(0, 39),
            "s.yaml:2: type: 'type' is not a key her")
      << "only alternatives have a type";
  EXPECT_EQ(refusal(map({{"mass", mass}, {"price", text("-1")}})),
            "s.yaml:2: price: this is -1, but it must be greater than 0");
  EXPECT_EQ(refusal(map({{"mass", mass}, {"position", list({"1", "2"})}})),
            "s.yaml:2: position: a list of 3 is expected, but this is a list of 2");
  EXPECT_EQ(refusal(map({{"mass", mass}, {"years", text("1941")}})),
            "s.yaml:2: years: a list is expected, but this is '1941'");
  EXPECT_EQ(refusal(map({{"mass", mass}, {"colour", text("lightblue")}})),
            "s.yaml:2: colour: 'lightblue' is not known (did you mean 'light_blue'?)");
  EXPECT_EQ(refusal(map({{"mass", mass}, {"runner", map({{"type", text("whel")}})}})),
            "s.yaml:1: type: type 'whel' is not known (did you mean 'wheel'?)");
  EXPECT_EQ(refusal(map({{"mass", mass}, {"runner", text("ski")}})),
            "s.yaml:2: runner: a map with the key 'type' is expected, but this is 'ski'");
  EXPECT_EQ(refusal(map({{"mass", mass}, {"spare", list({})}})),
            "s.yaml:2: spare: a map of names is expected, but this is a list of 0");
  EXPECT_EQ(refusal(map({{"mass", mass}, {"runner", map({{"type", text("wheel")}, {"radius", text("0")}})}})),
            "s.yaml:2: radius: this is 0, but it must be greater than 0");
  EXPECT_EQ(refusal(text("sledge")), "a map of keys is expected (carries people), but this is 'sledge'");
}

TEST(Describe, UnusualMagnitudesAreAWarning) {
  Reading reading;
  read(map({{"mass", text("12000")}}), reading);
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(reading.warnings[0],
            "s.yaml:1: mass: 12000 kg is unusual for a mass (usually 1 to 100): are the units SI?");
  Reading quiet;
  for (const char* usual : {"1", "100", "-50", "0"}) read(map({{"mass", text(usual)}}), quiet);
  EXPECT_TRUE(quiet.warnings.empty());
}

TEST(Describe, WhatIsWrittenReadsBack) {
  Sledge s;
  s.name = "17";  // a text that looks like a number stays a text
  s.mass = 1.0 / 3;
  s.years = {3, 4};
  s.runner = Wheel{.radius = 0.1, .spokes = 5};
  s.spare.add("one", Wheel{});
  const Value written = write_value(s);
  EXPECT_TRUE(written.find("name")->quoted);
  EXPECT_EQ(written.find("price"), nullptr) << "what is not set is not written";
  EXPECT_EQ(written.find("runner")->fields[0].first, "type");
  const Sledge again = read(written);
  EXPECT_EQ(again.name, s.name);
  EXPECT_EQ(again.mass, s.mass);
  EXPECT_EQ(again.colour, s.colour);
  EXPECT_EQ(again.years, s.years);
  EXPECT_EQ(std::get<Wheel>(again.runner).spokes, 5);
  EXPECT_EQ(again.spare.names(), s.spare.names());
}

Value numbers(std::vector<double> values, std::vector<std::size_t> shape) {
  return Value::array(std::make_shared<const Numbers>(Numbers{std::move(values), std::move(shape)}));
}
// As a script gives it: no file, paths of Python's.
Value meadow(const char* key, Value value) {
  Value v = Value::map();
  value.where.path = std::string("Meadow.") + key;
  v.set(key, std::move(value));
  return v;
}
Meadow read_meadow(const Value& value, Reading& reading) {
  Meadow m;
  read_value(value, m, Field{}, reading);
  return m;
}
std::string meadow_refusal(const char* key, Value value) {
  Reading reading;
  return message_of<InputError>([&] { read_meadow(meadow(key, std::move(value)), reading); });
}

TEST(Arrays, AreReadIntoRows) {
  Reading reading;
  EXPECT_EQ(read_meadow(meadow("flowers", numbers({1, 2, 3, 4, 5, 6}, {3, 2})), reading).flowers,
            (std::vector<std::vector<double>>{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(read_meadow(meadow("paths", numbers({1, 2, 3, 4}, {2, 2})), reading).paths,
            (std::vector<std::array<int, 2>>{{1, 2}, {3, 4}}));
  EXPECT_EQ(read_meadow(meadow("heights", numbers({0.5, 1}, {2})), reading).heights, (std::vector<double>{0.5, 1}));
  EXPECT_TRUE(read_meadow(meadow("flowers", numbers({}, {0, 3})), reading).flowers.empty());
  Value rows = Value::list();  // rows of different lengths, each an array
  rows.items = {numbers({1}, {1}), numbers({2, 3}, {2})};
  EXPECT_EQ(read_meadow(meadow("flowers", rows), reading).flowers, (std::vector<std::vector<double>>{{1}, {2, 3}}));
  EXPECT_TRUE(reading.warnings.empty());
}

TEST(Arrays, TakeNothingForANumber) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP();
  const std::size_t rows = 10'000, width = 12;
  const Value value = meadow("flowers", numbers(std::vector<double>(rows * width, 1.0 / 3), {rows, width}));
  Reading reading;
  read_meadow(value, reading);  // makes the schema
  const fixtures::AllocationCounter counter;
  const Meadow read = read_meadow(value, reading);
  EXPECT_EQ(read.flowers.back().back(), 1.0 / 3);
  EXPECT_LT(counter.taken(), static_cast<long>(rows) + 50) << "a vector for each row and no more";
  const fixtures::AllocationCounter writing;
  const Value written = write_value(read);
  EXPECT_EQ(written.find("flowers")->kind, Value::Kind::numbers);
  EXPECT_LT(writing.taken(), 100);
}

TEST(Arrays, AreRefusedLikeLists) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(meadow_refusal("flowers", numbers({1, 2, 3, nan}, {2, 2})),
            "Meadow.flowers[1][1]: a finite number is expected, but this is 'nan'");
  EXPECT_EQ(meadow_refusal("paths", numbers({1, 2, 3, -4}, {2, 2})),
            "Meadow.paths[1][1]: this is -4, but it must be 0 or more");
  EXPECT_EQ(meadow_refusal("paths", numbers({1, 2.5}, {1, 2})),
            "Meadow.paths[0][1]: a whole number is expected, but this is '2.5'");
  EXPECT_EQ(meadow_refusal("paths", numbers({1, 3e9}, {1, 2})),
            "Meadow.paths[0][1]: this is 3e+09, but a whole number must be at most 2e+09 in size");
  EXPECT_EQ(meadow_refusal("paths", numbers({1, 2, 3}, {1, 3})),
            "Meadow.paths[0]: a list of 2 is expected, but this is a list of 3");
  EXPECT_EQ(meadow_refusal("paths", numbers({1, 2}, {2})), "Meadow.paths[0]: a list of 2 is expected, but this is '1'");
  EXPECT_EQ(meadow_refusal("flowers", numbers({1, 2}, {2})), "Meadow.flowers[0]: a list is expected, but this is '1'");
  EXPECT_EQ(meadow_refusal("flowers", numbers({1, 2}, {1, 2, 1})),
            "Meadow.flowers[0][0]: a number is expected, but this is a list of 1");
  EXPECT_EQ(meadow_refusal("colours", numbers({1}, {1})).substr(0, 36), "Meadow.colours[0]: '1' is not known ");
}

TEST(Arrays, UnusualNumbersAreAWarning) {
  Reading reading;
  Value heights = numbers({0.5, 30, 1}, {3});
  EXPECT_EQ(read_meadow(meadow("heights", heights), reading).heights, (std::vector<double>{0.5, 30, 1}));
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(reading.warnings[0],
            "Meadow.heights[1]: 30 m is unusual for of the grass (usually 0.01 to 2): are the units SI?");
  heights.told = true;
  reading.warnings.clear();
  read_meadow(meadow("heights", heights), reading);
  EXPECT_TRUE(reading.warnings.empty());
}

TEST(Arrays, AreWrittenWhereRowsAreEqual) {
  Meadow m;
  m.flowers = {{1, 2}, {3}};
  m.paths = {{1, 2}, {3, 4}};
  const Value written = write_value(m);
  EXPECT_EQ(written.find("flowers")->kind, Value::Kind::list);
  EXPECT_EQ(written.find("paths")->kind, Value::Kind::numbers);
  EXPECT_EQ(flow_text(written), "{flowers: [[1, 2], [3]], paths: [[1, 2], [3, 4]], colours: []}");
  Reading reading;
  const Meadow again = read_meadow(written, reading);
  EXPECT_EQ(again.flowers, m.flowers);
  EXPECT_EQ(again.paths, m.paths);
}

TEST(CheckFields, SaysWhatReadingWouldSay) {
  const auto refused = [](auto&& change) {
    Sledge s;
    s.mass = 12;
    s.spare.add("left", Wheel{}, {"s.yaml", 7, "spare.left"});
    change(s);
    Reading reading;
    return message_of<InputError>([&] { check_fields(type_of<Sledge>(), &s, reading); });
  };
  EXPECT_EQ(refused([](Sledge& s) { s.price = -1; }), "price: this is -1, but it must be greater than 0");
  EXPECT_EQ(refused([](Sledge& s) { s.position[1] = INFINITY; }),
            "position.1: a finite number is expected, but this is 'inf'");
  EXPECT_EQ(refused([](Sledge& s) { s.runner = Wheel{.radius = 0}; }),
            "runner.radius: this is 0, but it must be greater than 0");
  EXPECT_EQ(refused([](Sledge& s) { s.spare.find("left")->spokes = -3; }),
            "s.yaml:7: spare.left.spokes: this is -3, but it must be 0 or more");
  EXPECT_EQ(refused([](Sledge& s) { s.name = "a\x01"; }).substr(0, 6), "name: ");
  Sledge heavy;
  heavy.mass = 1e4;
  Reading reading;
  check_fields(type_of<Sledge>(), &heavy, reading);
  ASSERT_EQ(reading.warnings.size(), 1u);
}

TEST(Schema, EveryKindOfTypeIsKnown) {
  const Schema& s = schema(static_cast<const Sledge*>(nullptr));
  using Kind = Type::Kind;
  const Kind kinds[] = {Kind::text, Kind::number,   Kind::boolean, Kind::words, Kind::array,
                        Kind::list, Kind::optional, Kind::choice,  Kind::named};
  ASSERT_EQ(s.members.size(), std::size(kinds));
  for (std::size_t i = 0; i < s.members.size(); ++i) EXPECT_EQ(s.members[i].type->kind, kinds[i]) << s.members[i].key;
  EXPECT_STREQ(s.class_name, "Sledge");
  EXPECT_EQ(s.keys().front(), "name");
  Sledge sledge;
  *static_cast<double*>(s.members[1].in(static_cast<void*>(&sledge))) = 7;
  EXPECT_EQ(sledge.mass, 7);
  const std::shared_ptr<void> made = s.maker();
  EXPECT_EQ(static_cast<const Sledge*>(made.get())->name, "rosebud");
}

TEST(Listing, SaysTypeDefaultUnitAndRange) {
  const ThingInfo sledge = list_description(schema(static_cast<const Sledge*>(nullptr)));
  EXPECT_EQ(sledge.name, "sledge");
  EXPECT_EQ(sledge.help, "carries people");
  const struct {
    const char *name, *type, *fallback, *unit, *allowed;
    bool required;
  } expected[] = {{"name", "text", "rosebud", "", "", false},
                  {"mass", "number", "", "kg", "", true},
                  {"brake", "true | false", "false", "", "", false},
                  {"colour", "red | light_blue", "light_blue", "", "", false},
                  {"position", "list of 3 (number)", "[0, 1, 0]", "m", "", false},
                  {"years", "list of (whole number)", "", "", "", false},
                  {"price", "number", "", "", "greater than 0", false},
                  {"runner", "map, type: ski | wheel", "", "", "", false},
                  {"spare", "map of names", "", "", "", false}};
  ASSERT_EQ(sledge.options.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const OptionInfo& option = sledge.options[i];
    EXPECT_EQ(option.name, expected[i].name);
    EXPECT_EQ(option.type, expected[i].type) << option.name;
    EXPECT_EQ(option.fallback, expected[i].fallback) << option.name;
    EXPECT_EQ(option.unit, expected[i].unit) << option.name;
    EXPECT_EQ(option.allowed, expected[i].allowed) << option.name;
    EXPECT_EQ(option.required, expected[i].required) << option.name;
  }
}

TEST(Listing, WalksTheAlternatives) {
  const auto things = list_alternatives(type_of<std::variant<Ski, Wheel>>());
  ASSERT_EQ(things.size(), 2u);
  EXPECT_EQ(things[0].name, "ski");
  EXPECT_EQ(things[1].options[1].fallback, "32");
}

TEST(Listing, WritesValuesInOneLine) {
  const Value v = map({{"a", list({"1", "2"})}, {"b", Value::map()}, {"c", text("x")}});
  Value with_null = Value::list();
  with_null.items = {text("0"), Value{}};
  EXPECT_EQ(flow_text(v), "{a: [1, 2], b: {}, c: x}");
  EXPECT_EQ(flow_text(with_null), "[0, null]");
  EXPECT_EQ(flow_text(Value{}), "");
}

}  // namespace
}  // namespace lithe
