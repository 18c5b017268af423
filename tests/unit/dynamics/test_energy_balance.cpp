// By what gains and losses of energy are judged.
#include <gtest/gtest.h>

#include "lithe/system/state.h"

namespace lithe {
namespace {

// What is made counts by what was there and came in, however large it has become itself.
TEST(EnergyBalance, WhatIsMadeDoesNotHideBehindItself) {
  EnergyBalance energy;
  energy.kinetic_start = energy.kinetic = 2;
  energy.measure();
  energy.applied = 3;
  energy.kinetic = 5;
  energy.measure();
  EXPECT_EQ(energy.available, 5);
  energy.internal = 1e6;  // a strain that nothing paid for, and rubbed off
  energy.contact = -1e6;
  energy.kinetic = 7;
  energy.measure();
  energy.note(2, 0, 0.5);
  EXPECT_EQ(energy.size, 1e6);
  EXPECT_EQ(energy.available, 5);
  EXPECT_EQ(energy.gain, 2);
  EXPECT_GT(energy.gain, 0.01 * energy.available);
  EXPECT_LT(energy.worst, 0.01 * energy.size);
}

// Loads that take energy out bring none, springs that let go do.
TEST(EnergyBalance, AvailableIsTheMostThatCameIn) {
  EnergyBalance energy;
  energy.kinetic_start = 10;
  energy.applied = -4;
  energy.measure();
  EXPECT_EQ(energy.available, 10);
  energy.internal = -3;
  energy.measure();
  EXPECT_EQ(energy.available, 13);
  energy.applied = energy.internal = 0;
  energy.measure();
  EXPECT_EQ(energy.available, 13);
}

// The largest of either sign is kept with its time, a loss is no gain.
TEST(EnergyBalance, SignsAreKept) {
  EnergyBalance energy;
  energy.note(0.5, 0.1, 1);
  energy.note(-2, -1, 2);
  energy.note(1, 0.05, 3);
  EXPECT_EQ(energy.worst, 2);
  EXPECT_EQ(energy.worst_time, 2);
  EXPECT_EQ(energy.gain, 1);
  EXPECT_EQ(energy.gain_time, 3);
  EXPECT_EQ(energy.made, 0.1);
  EXPECT_EQ(energy.made_time, 1);
}

}  // namespace
}  // namespace lithe
