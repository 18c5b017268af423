// Contact problems fall apart: contacts that share no body, nor bodies that touch a common one, do not know of each
// other. Each island is solved alone, to its own number of iterations: large ones one after the other with all threads
// of the team, small ones side by side. How it is cut depends on the problem alone, so do all bits of the result.
#pragma once

#include "lithe/contact/contact_method.h"

namespace lithe {

// Islands of a problem, in the order of their first contacts.
struct ContactIslands {
  std::vector<std::int32_t> start{0};  // [island + 1] into contact
  std::vector<std::int32_t> contact;   // ascending in an island
  std::vector<std::int32_t> local;     // [contact] number in its island
  int count() const { return static_cast<int>(start.size()) - 1; }
};
void split_into_islands(const ContactProblem& problem, ContactIslands& islands);

class IslandSolver final : public ContactSolver {
 public:
  using Make = std::unique_ptr<ContactMethod> (*)();
  IslandSolver(std::string name, Make make, Team* team) : name_(std::move(name)), make_(make), team_(team) {}
  ContactReport solve(const ContactProblem& problem, const ContactOptions& options, std::vector<double>& R,
                      std::vector<double>& U) override;

 private:
  // What a thread solves islands with.
  struct Room {
    std::unique_ptr<ContactMethod> method;
    ContactProblem problem;
    std::vector<double> size, R, U;
  };
  struct Job {
    const ContactProblem& problem;
    const ContactGoal goal;
    std::vector<double>&R, &U;
  };
  Room& room(int thread);
  void solve_all(const Job& job);
  void solve_island(const Job& job, int island, Room& room, Team* team);
  ContactReport joined() const;

  const std::string name_;
  const Make make_;
  Team* const team_;
  ContactIslands islands_;
  std::vector<double> size_;           // [contact] w_k
  std::vector<ContactReport> report_;  // [island]
  std::vector<std::int32_t> task_;     // [task + 1] into small_
  std::vector<std::int32_t> small_;    // islands solved side by side
  std::vector<Room> room_;             // [thread]
};

}  // namespace lithe
