#include "lithe/io/memory_plan.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "lithe/base/error.h"
#include "lithe/base/memory.h"
#include "lithe/dynamics/linear_system.h"
#include "lithe/io/results.h"
#include "lithe/io/run.h"
#include "lithe/io/runner.h"
#include "lithe/io/series.h"
#include "lithe/linalg/choose_solver.h"

namespace lithe {

namespace {

double resident_memory() {
  double pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The least memory that every solver's library takes for itself, OpenBLAS's buffers above all.
constexpr double libraries = 64 << 20;

// B per nonzero of L as AMD counts it: values and indices, with what the libraries need beside them while they factor.
// Measured on a block of 729 hexas: CHOLMOD 9, MUMPS 16, KLU 24, UMFPACK 41 (two factors, larger by pivoting).
double bytes_per_nonzero(const System& system) {
  if (!system.symmetric) return 40;
  return system.has_multipliers() ? 16 : 9;
}

// Rows of a stage that have fields: the first, the last, and those that are due between.
double field_rows(const Analysis& stage, double rows) {
  double due = rows;
  std::visit(
      [&](const auto& a) {
        if constexpr (requires { a.fields_every; }) due = std::ceil(rows / a.fields_every) + 1;
        if constexpr (requires { a.fields_step; })
          if (a.fields_step > 0) due = std::floor(a.duration / a.fields_step) + 2;
      },
      stage);
  return std::min(rows, due);
}

double result_bytes(const System& system, bool in_memory) {
  const ResultInfo info = result_info(system, "", "");
  const auto row_bytes = [&](SeriesSet::Part part) {
    const SeriesSet set(&system, info, in_memory ? SeriesSet::Layout::memory : SeriesSet::Layout::file, part);
    return static_cast<double>(set.row_bytes());
  };
  const double channels = row_bytes(SeriesSet::Part::channels), all = row_bytes(SeriesSet::Part::all);
  double bytes = 0;
  for (const Analysis& stage : system.model.analysis) {
    const double rows = make_runner(stage)->rows();
    bytes += rows * channels + field_rows(stage, rows) * (all - channels);
  }
  return bytes;
}

bool is_dense(const Model& model) {
  return std::ranges::any_of(model.analysis, [](const Analysis& stage) {
    return std::visit(
        [](const auto& analysis) {
          if constexpr (requires { analysis.solver; }) return analysis.solver.starts_with("lapack");
          else return false;
        },
        stage);
  });
}

// Half steps factor what has unknowns of its own, K0 of every shape of co-rotated bodies, and small dense matrices.
double factor_bytes_of_half_steps(const System& system) {
  SparsePattern own;
  own.size = system.map.own_unknowns();
  own.symmetric = system.pattern.symmetric;
  own.column_start.push_back(0);
  for (int j = 0; j < own.size; ++j) {
    for (int p = system.pattern.column_start[j]; p < system.pattern.column_start[j + 1]; ++p)
      if (system.pattern.row[p] < own.size) own.row.push_back(system.pattern.row[p]);
    own.column_start.push_back(static_cast<std::int32_t>(own.row.size()));
  }
  double bytes = own.size > 0 ? bytes_per_nonzero(system) * count_factors(own).nonzeros : 0;
  std::set<const Shape*> known;
  for (const MappedBody& body : system.map.bodies) {
    const auto* map = dynamic_cast<const TurningMap*>(body.map.get());
    if (!map || !known.insert(&map->shape()).second) continue;
    const double modes = map->shape().base.count();
    if (modes > 0) bytes += 8 * modes * modes;
    else if (map->shape().pattern.size > 0) bytes += 8 * count_factors(map->shape().pattern).nonzeros;
  }
  return bytes;
}

double factor_bytes(const System& system) {
  if (!system.map.bodies.empty()) return factor_bytes_of_half_steps(system);
  const double n = system.pattern.size;
  if (is_dense(system.model)) return 8 * n * n;
  if (const auto choice = choose_components(system.pattern, matrix_kind(system), multipliers(system)))
    return bytes_per_nonzero(system) * choice->counts.nonzeros;
  return bytes_per_nonzero(system) * count_factors(system.pattern).nonzeros;
}

// All but the factors, whose count costs an ordering.
MemoryPlan plan_without_factors(const System& system, bool in_memory) {
  const double vectors = 24.0 * system.vectors(), nonzeros = static_cast<double>(system.pattern.nonzeros());
  MemoryPlan plan;
  plan.model = resident_memory();
  plan.work = libraries + 40 * vectors;  // State with its past, Newton's and the solver's vectors
  for (const Batch& batch : system.batches)
    if (batch.kernel)
      plan.work += 8.0 * (static_cast<double>(batch.kernel->packs()) * batch.kernel->saved_doubles() +
                          static_cast<double>(batch.kernel->scratch_doubles()) * std::max(1, threads(system.model)));
  plan.matrix = 32 * nonzeros;  // values twice, indices, where they come from
  (in_memory ? plan.results : plan.disk) = result_bytes(system, in_memory);
  return plan;
}

[[noreturn]] void refuse(const std::string& needs, const AvailableMemory& available, const std::string& remedy) {
  throw InputError(needs + ", but " + memory_text(static_cast<double>(available.bytes)) + " are left (" +
                   available.limit + "); use fewer elements or outputs, or a machine with more memory; " + remedy +
                   " runs it anyway");
}

double element_count(const MeshSource& mesh) {
  struct Count {
    double operator()(const LineMesh& m) const { return m.elements; }
    double operator()(const ArcMesh& m) const { return m.elements; }
    double operator()(const PlateMesh& m) const { return double(m.elements[0]) * m.elements[1]; }
    double operator()(const AnnularPlateMesh& m) const { return double(m.elements[0]) * m.elements[1]; }
    double operator()(const BlockMesh& m) const { return double(m.elements[0]) * m.elements[1] * m.elements[2]; }
    double operator()(const PipeMesh& m) const { return double(m.elements[0]) * m.elements[1] * m.elements[2]; }
    double operator()(const NodeMesh& m) const { return double(m.elements.size()); }
    double operator()(const FileMesh&) const { return 0; }  // known when it has been read
    double operator()(const NetMesh& m) const {
      return (double(m.cells[0]) * (m.cells[1] + 1) + double(m.cells[1]) * (m.cells[0] + 1)) * m.elements;
    }
  };
  return std::visit(Count{}, mesh);
}

}  // namespace

std::string MemoryPlan::text() const {
  std::string text = "model " + memory_text(model) + ", work " + memory_text(work) + ", matrix " + memory_text(matrix) +
                     ", factors " + memory_text(factors);
  if (results > 0) text += ", results " + memory_text(results);
  return text;
}

MemoryPlan plan_memory(const System& system, bool in_memory) {
  MemoryPlan plan = plan_without_factors(system, in_memory);
  plan.factors = factor_bytes(system);
  return plan;
}

namespace {

void check_disk(double bytes, const std::string& result, const std::string& remedy) {
  std::filesystem::path folder = std::filesystem::path(result).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (error || bytes <= static_cast<double>(space.available)) return;
  throw InputError("analysis.output_step: the results of this run will take about " + memory_text(bytes) +
                   " on the disk of '" + std::filesystem::absolute(folder).lexically_normal().string() + "', where " +
                   memory_text(static_cast<double>(space.available)) +
                   " are left; use a larger output_step, fewer outputs or another disk; " + remedy + " runs it anyway");
}

}  // namespace

void check_memory(const System& system, const std::string& result, const std::string& remedy) {
  MemoryPlan plan = plan_without_factors(system, result.empty());
  if (!result.empty()) check_disk(plan.disk, result, remedy);
  const AvailableMemory available = available_memory();
  const double left = static_cast<double>(available.bytes), n = system.pattern.size;
  // Most models fit even with full factors: no need to count.
  if (plan.to_come() + bytes_per_nonzero(system) * n * (n + 1) / 2 <= left) return;
  plan.factors = factor_bytes(system);
  if (plan.to_come() > left)
    refuse("this run will take about " + memory_text(plan.to_come()) + " of memory more (" + plan.text() + ")",
           available, remedy);
}

void check_memory(const Model& model, const std::string& remedy) {
  double bytes = 0, elements = 0;
  for (const auto& [name, body] : model.bodies.items)
    if (const auto* flexible = std::get_if<Body>(&body)) {
      // Measured on 3e5 cables, 1e5 beams and 8e3 hexas: 1.0, 3.7 and 24 KiB an element.
      const double N = vector_count(flexible->element), count = element_count(flexible->mesh);
      bytes += count * (20 * N * N + 150 * N);
      elements += count;
    }
  const AvailableMemory available = available_memory();
  if (bytes > static_cast<double>(available.bytes))
    refuse("the " + number_text(elements) + " elements of this model take about " + memory_text(bytes) + " of memory",
           available, remedy);
}

}  // namespace lithe
