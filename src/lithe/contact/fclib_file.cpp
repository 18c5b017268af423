#include "lithe/contact/fclib_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "lithe/base/hdf5.h"

namespace lithe {

namespace {

using hdf5::Handle;

void write_numbers(hid_t group, const char* name, const std::vector<double>& numbers) {
  hdf5::write_array(group, name, H5T_IEEE_F64LE, {numbers.size()}, numbers);
}
void write_integers(hid_t group, const char* name, const std::vector<double>& numbers) {
  hdf5::write_array(group, name, H5T_STD_I32LE, {numbers.size()}, numbers);
}

void write_matrix(hid_t group, const ContactProblem& problem) {
  const double rows = 3.0 * problem.count(), entries = static_cast<double>(problem.W.size());
  std::vector<double> start{0}, column, value;
  for (int k = 0; k < problem.count(); ++k)
    for (int i = 0; i < 3; ++i) {
      for (std::int32_t p = problem.row_start[k]; p < problem.row_start[k + 1]; ++p)
        for (int j = 0; j < 3; ++j) {
          column.push_back(3.0 * problem.column[p] + j);
          value.push_back(problem.W[9ul * p + 3 * i + j]);
        }
      start.push_back(static_cast<double>(column.size()));
    }
  for (const auto& [name, number] : {std::pair{"nzmax", entries}, {"m", rows}, {"n", rows}, {"nz", -2.0}})
    write_integers(group, name, {number});
  write_integers(group, "p", start);
  write_integers(group, "i", column);
  write_numbers(group, "x", value);
}

std::vector<double> read_numbers(hid_t file, const std::string& name) {
  return hdf5::read_array(hdf5::open_dataset(file, name));
}

double read_number(hid_t file, const std::string& name) {
  const std::vector<double> numbers = read_numbers(file, name);
  if (numbers.size() != 1) throw RunError("'" + name + "' is not one number");
  return numbers[0];
}

// Blocks of contacts from entries, in whatever form they are. Transposes of blocks that are there are added where they
// are not, as zeros: the pattern is symmetric.
void read_matrix(hid_t file, const std::string& name, ContactProblem& problem) {
  const double m = read_number(file, name + "/m"), n = read_number(file, name + "/n"),
               nz = read_number(file, name + "/nz");
  if (m != n || std::fmod(m, 3) != 0 || m < 0) throw RunError("W is not square over contacts of three rows each");
  const std::vector<double> p = read_numbers(file, name + "/p"), i = read_numbers(file, name + "/i"),
                            x = read_numbers(file, name + "/x");
  const std::size_t rows = static_cast<std::size_t>(m), entries = nz >= 0     ? static_cast<std::size_t>(nz)
                                                                  : p.empty() ? 0
                                                                              : static_cast<std::size_t>(p.back());
  if (i.size() < entries || x.size() < entries || p.size() != (nz >= 0 ? entries : rows + 1))
    throw RunError("the arrays of W have other lengths than they say");
  std::vector<std::map<std::int32_t, std::array<double, 9>>> block(rows / 3);
  const auto add = [&](double row, double column, double value) {
    if (!(row >= 0 && row < m && column >= 0 && column < m)) throw RunError("W has an entry outside of itself");
    const auto r = static_cast<std::int32_t>(row), c = static_cast<std::int32_t>(column);
    block[r / 3][c / 3][3ul * (r % 3) + c % 3] += value;
    block[c / 3].try_emplace(r / 3);
  };
  if (nz >= 0) {
    for (std::size_t e = 0; e < entries; ++e) add(p[e], i[e], x[e]);
  } else {
    for (std::size_t line = 0; line < rows; ++line) {
      if (!(p[line] >= 0 && p[line] <= p[line + 1])) throw RunError("the rows of W do not follow each other");
      for (auto e = static_cast<std::size_t>(p[line]); e < static_cast<std::size_t>(p[line + 1]); ++e)
        if (nz == -2) add(static_cast<double>(line), i[e], x[e]);
        else add(i[e], static_cast<double>(line), x[e]);
    }
  }
  for (std::size_t k = 0; k < block.size(); ++k) {
    block[k].try_emplace(static_cast<std::int32_t>(k));
    for (const auto& [column, values] : block[k]) {
      problem.column.push_back(column);
      problem.W.insert(problem.W.end(), values.begin(), values.end());
    }
    problem.row_start.push_back(static_cast<std::int32_t>(problem.column.size()));
  }
}

}  // namespace

// Under another name first: a file that is there is whole.
void write_fclib(const std::string& path, const ContactFile& contacts) {
  const hdf5::Quiet quiet;
  const std::string part = path + ".part";
  try {
    if (std::ranges::any_of(contacts.problem.given, [](double R) { return R >= 0; }))
      throw RunError("friction in joints has no place in FCLIB's form");
    if (contacts.problem.W.size() > std::numeric_limits<std::int32_t>::max())
      throw RunError("W has more entries than FCLIB's form can count");
    Handle file = hdf5::check(H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    {
      const Handle local = hdf5::group(file, "fclib_local"), W = hdf5::group(local, "W"),
                   vectors = hdf5::group(local, "vectors"), info = hdf5::group(local, "info");
      write_integers(local, "spacedim", {3});
      write_matrix(W, contacts.problem);
      write_numbers(vectors, "q", contacts.problem.B);
      write_numbers(vectors, "mu", contacts.problem.friction);
      hdf5::write_text(info, "title", contacts.title);
      if (!contacts.guess.empty()) {
        const Handle guesses = hdf5::group(file, "guesses"), first = hdf5::group(guesses, "1");
        write_integers(guesses, "number_of_guesses", {1});
        write_numbers(first, "u", std::vector<double>(contacts.guess.size(), 0.0));
        write_numbers(first, "r", contacts.guess);
      }
      if (!contacts.solution_R.empty()) {
        const Handle solution = hdf5::group(file, "solution");
        write_numbers(solution, "u", contacts.solution_U);
        write_numbers(solution, "r", contacts.solution_R);
      }
    }
    if (!file.close()) throw RunError(hdf5::reason());
    if (std::rename(part.c_str(), path.c_str()) != 0) throw RunError("it cannot be renamed");
  } catch (const RunError& error) {
    std::remove(part.c_str());
    throw RunError("contact problem '" + path + "' cannot be written: " + error.what());
  }
}

ContactFile read_fclib(const std::string& path) {
  const hdf5::Quiet quiet;
  ContactFile contacts;
  try {
    const Handle file = hdf5::open_to_read(path);
    if (!hdf5::exists(file, "fclib_local"))
      throw RunError(hdf5::exists(file, "fclib_global")
                         ? "it has a global problem (M, H); only local ones, with W, are read"
                         : "it is not in FCLIB's form: 'fclib_local' is missing");
    if (read_number(file, "fclib_local/spacedim") != 3) throw RunError("its contacts are not of three dimensions");
    if (hdf5::exists(file, "fclib_local/V"))
      throw RunError("it has equality rows (V, R) beside W; eliminate them first");
    ContactProblem& problem = contacts.problem;
    read_matrix(file, "fclib_local/W", problem);
    problem.B = read_numbers(file, "fclib_local/vectors/q");
    problem.friction = read_numbers(file, "fclib_local/vectors/mu");
    const std::size_t count = problem.count();
    if (problem.B.size() != 3 * count || problem.friction.size() != count)
      throw RunError("q or mu do not have one contact for each three rows of W");
    if (std::ranges::any_of(problem.friction, [](double mu) { return !(mu >= 0); }))
      throw RunError("mu is negative somewhere");
    const auto vector = [&](const std::string& name) {
      std::vector<double> numbers = hdf5::exists(file, name) ? read_numbers(file, name) : std::vector<double>();
      if (!numbers.empty() && numbers.size() != 3 * count) throw RunError("'" + name + "' does not fit W");
      return numbers;
    };
    if (hdf5::exists(file, "guesses")) contacts.guess = vector("guesses/1/r");
    if (hdf5::exists(file, "solution")) {
      contacts.solution_R = vector("solution/r");
      contacts.solution_U = vector("solution/u");
    }
    if (hdf5::exists(file, "fclib_local/info") && hdf5::exists(file, "fclib_local/info/title"))
      contacts.title = hdf5::read_text(file, "fclib_local/info/title");
  } catch (const RunError& error) {
    throw RunError("contact problem '" + path + "' cannot be read: " + error.what());
  }
  return contacts;
}

}  // namespace lithe
