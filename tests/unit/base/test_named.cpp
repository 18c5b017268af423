// Names are found through a map once there are more than a few, whatever was done to the items in between.
#include <gtest/gtest.h>

#include "lithe/base/named.h"
#include "support/messages.h"

namespace lithe {
namespace {

Named<int> numbered(int count) {
  Named<int> named;
  for (int i = 0; i < count; ++i) named.add("n" + std::to_string(i), i);
  return named;
}

TEST(Named, ManyNamesAreFoundThroughTheMap) {
  EXPECT_FALSE(numbered(3).indexed());
  for (const int count : {3, 8, 9, 10, 100, 100'000}) {
    const Named<int> named = numbered(count), copy = named;
    EXPECT_EQ(named.indexed(), count > 8) << count;
    EXPECT_EQ(copy.indexed(), named.indexed());
    for (const int i : {0, count / 2, count - 1}) EXPECT_EQ(*copy.find("n" + std::to_string(i)), i) << count;
    EXPECT_EQ(named.find("n" + std::to_string(count)), nullptr);
    EXPECT_EQ(named.position("x"), NameIndex::none);
  }
}

TEST(Named, ItemsThatWereChangedByHandAreFound) {
  Named<int> named = numbered(20);
  named.items.erase(named.items.begin() + 3);
  EXPECT_FALSE(named.indexed());
  EXPECT_EQ(named.find("n3"), nullptr);
  EXPECT_EQ(*named.find("n19"), 19);
  named.add("n3", 33);
  EXPECT_TRUE(named.indexed()) << "who adds makes the map again";
  EXPECT_EQ(*named.find("n3"), 33);

  named.items[5].first = "renamed";
  EXPECT_EQ(named.find("n6"), nullptr);
  EXPECT_EQ(*named.find("renamed"), 6);
  named.add("n6", 66);
  EXPECT_EQ(*named.find("n6"), 66);

  named.items.clear();
  EXPECT_EQ(named.find("n19"), nullptr);
  named.add("n19", 1);
  EXPECT_EQ(*named.find("n19"), 1);
}

TEST(Named, ANameIsUsedOnce) {
  for (const int count : {3, 20}) {
    Named<int> named = numbered(count);
    EXPECT_EQ(message_of<InputError>([&] {
                named.add("n2", 3, {"s.yaml", 5, ""});
              }),
              "s.yaml:5: the name 'n2' is used twice; names must be unique");
    EXPECT_EQ(named.size(), static_cast<std::size_t>(count));
    named.clear();
    EXPECT_EQ(named.add("n2", 7), 7);
  }
}

}  // namespace
}  // namespace lithe
