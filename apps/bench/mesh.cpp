#include "mesh.h"

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "lithe/base/error.h"
#include "lithe/elements/strategies/strategies.h"

namespace lithe::app {

namespace {

std::size_t rounded(std::size_t doubles) { return (doubles + 7) / 8 * 8; }

void gather(const std::int32_t* vectors, int count, int W, const double* q, double* e) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < W; ++lane) {
      const double* x = q + 3 * static_cast<std::size_t>(vectors[i * W + lane]);
      for (int m = 0; m < 3; ++m) e[(3 * i + m) * W + lane] = x[m];
    }
}

// Share of L's data that one evaluation reads.
double read_share(const std::string& strategy) { return strategy == "L" ? 0.5 : 1.0; }

}  // namespace

// The default formulation, beside the strategies of the published one; where it is asked for.
const char* const by_section = "section";

std::unique_ptr<BatchKernel> make_bench_kernel(const ContinuumBatch& batch, const std::string& strategy) {
  if (strategy == by_section) {
    require(batch.kind->section_form, std::string("--strategy: '") + by_section + "' is not for " + batch.kind->name);
    ContinuumBatch section = batch;
    section.formulation = Formulation::section;
    return make_continuum_kernel(section, "batched", TangentForm::symmetric);
  }
  const auto make = batch.kind->make_kernel;
  if (strategy == "batched_exact") return make(batch, "batched", TangentForm::exact);
  return make(batch, strategy, strategy == "batched" ? TangentForm::symmetric : TangentForm::exact);
}

bool bench_offers(ElementKind kind, const std::string& strategy) {
  if (kind->every_strategy) return true;
  return std::ranges::any_of(kind->strategies, [&](const char* name) { return strategy == name; });
}

std::vector<std::string> bench_strategies(const std::vector<std::string>& wanted) {
  std::vector<std::string> known;
  for (const Strategy& strategy : strategies()) {
    known.push_back(strategy.name);
    if (known.back() == "batched") known.push_back("batched_exact");
  }
  for (const std::string& name : wanted)
    if (name != by_section && std::ranges::find(known, name) == known.end())
      throw InputError("--strategy: '" + name + "' is not known" + suggestion(name, known));
  return wanted.empty() ? known : wanted;
}

std::vector<ElementKind> bench_elements(const std::vector<std::string>& wanted) {
  std::vector<ElementKind> kinds;
  std::vector<std::string> known;
  for (const ElementKind kind : element_registry()) {
    if (!kind->every_strategy && !bench_offers(kind, "C")) continue;  // nothing to compare
    known.emplace_back(kind->name);
    if (wanted.empty() || std::ranges::find(wanted, known.back()) != wanted.end()) kinds.push_back(kind);
  }
  for (const std::string& name : wanted)
    if (std::ranges::find(known, name) == known.end())
      throw InputError("--element: '" + name + "' is not known" + suggestion(name, known));
  return kinds;
}

int default_elements(ElementKind kind) { return kind == ElementKind::hexa3843 ? 512 : 1024; }

System straight_mesh(ElementKind kind, int elements, int layers) {
  const double damping = 1e-3;  // s
  Model model;
  model.materials.add("steel", Isotropic{2.1e11, 0.3, 7810, damping});
  model.materials.add("ply", Orthotropic{1.3e11, 1e10, 1e10, 0.3, 0.3, 0.4, 5e9, 5e9, 3.6e9, 1600, damping});
  Body body;
  body.element = kind;
  body.material = "steel";
  const double length = 0.1 * elements;  // m
  if (kind == ElementKind::beam3243) {
    body.mesh = LineMesh{{0, 0, 0}, {length, 0, 0}, elements, {}};
    body.section = "section";
    model.sections.add("section", Rectangle{0.02, 0.02, {}});
  } else if (kind == ElementKind::shell3443) {
    body.mesh = PlateMesh{{0, 0, 0}, {length, 0, 0}, {0, 0.1, 0}, {elements, 1}};
    body.section = "section";
    if (layers == 1) {
      model.sections.add("section", Plate{0.01});
    } else {
      body.material = "ply";
      Layered layered;
      for (int l = 0; l < layers; ++l) layered.layers.push_back({0.01 / layers, 45.0 * (l % 4), "ply"});
      model.sections.add("section", layered);
    }
  } else {
    // A brick is several tetrahedra.
    Body one = body;
    one.mesh = BlockMesh{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    Model brick = model;
    brick.bodies.add("brick", one);
    const int each = static_cast<int>(make_mesh(brick, "brick").elements.size()) / kind->nodes;
    const int bricks = (elements + each - 1) / each;
    body.mesh = BlockMesh{{0, 0, 0}, {0.1 * bricks, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}, {bricks, 1, 1}};
  }
  const auto compiled = [&](Formulation formulation) {
    Model one = model;
    body.formulation = formulation;
    one.bodies.add("line", body);
    return compile(one);
  };
  System system = compiled(Formulation::continuum);
  if (kind->section_form)
    system.batches[0].continuum.section = compiled(Formulation::section).batches[0].continuum.section;
  system.batches[0].kernel.reset();  // the drivers make their own
  return system;
}

ContinuumBatch first_elements(const ContinuumBatch& batch, int elements) {
  ContinuumBatch part = batch;
  part.elements = elements;
  part.reference.resize(std::size_t(3) * vector_count(batch.kind) * elements);
  part.half_size.resize(std::size_t(3) * elements);
  return part;
}

Driver::Driver(const System& system, const std::string& strategy, int elements, int max_threads)
    : elements_(elements), buffers_(max_threads) {
  const ContinuumBatch batch = first_elements(system.batches[0].continuum, elements);
  const auto start = std::chrono::steady_clock::now();
  kernel_ = make_bench_kernel(batch, strategy);
  setup_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const BodyInfo& body = system.bodies[0];
  const int N = kernel_->vectors(), W = kernel_->width(), nodes = N / body.node_vectors;
  for (int pack = 0; pack < kernel_->packs(); ++pack)
    for (int i = 0; i < N; ++i)
      for (int lane = 0; lane < W; ++lane) {
        const int element = std::min(pack * W + lane, elements - 1);
        const int node = body.mesh.elements[std::size_t(element) * nodes + i / body.node_vectors];
        connectivity_.push_back(body.vector(node, i % body.node_vectors));
      }
  saved_stride_ = rounded(kernel_->saved_doubles());
  saved_.resize(saved_stride_ * kernel_->packs());
  for (Buffers& b : buffers_) {
    b.e.resize(rounded(3ul * N * W));
    b.v.resize(b.e.size());
    b.f.resize(b.e.size());
    b.K.resize(rounded(9ul * tangent_blocks(N, kernel_->form()) * W));
    b.scratch.resize(rounded(kernel_->scratch_doubles()));
  }
}

template <class Evaluate>
void Driver::for_packs(int threads, Evaluate evaluate) {
  const int packs = kernel_->packs();
  if (threads == 1) {
    for (int pack = 0; pack < packs; ++pack) evaluate(pack, buffers_[0]);
    return;
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int pack = 0; pack < packs; ++pack) evaluate(pack, buffers_[omp_get_thread_num()]);
}

void Driver::force(const std::vector<double>& q, const std::vector<double>& v, int threads) {
  const int N = kernel_->vectors(), W = kernel_->width();
  for_packs(threads, [&](int pack, Buffers& b) {
    const std::int32_t* vectors = &connectivity_[std::size_t(pack) * N * W];
    gather(vectors, N, W, q.data(), b.e.data());
    gather(vectors, N, W, v.data(), b.v.data());
    kernel_->force(pack, b.e.data(), b.v.data(), b.f.data(), saved_.data() + saved_stride_ * pack, b.scratch.data());
  });
}

void Driver::tangent(const std::vector<double>& q, const std::vector<double>& v, int threads) {
  const int N = kernel_->vectors(), W = kernel_->width();
  const double c_q = 1, c_v = 2000;  // as of a time step near 1e-3 s
  for_packs(threads, [&](int pack, Buffers& b) {
    const std::int32_t* vectors = &connectivity_[std::size_t(pack) * N * W];
    gather(vectors, N, W, q.data(), b.e.data());
    gather(vectors, N, W, v.data(), b.v.data());
    kernel_->tangent(pack, b.e.data(), b.v.data(), c_q, c_v, b.K.data(), saved_.data() + saved_stride_ * pack,
                     b.scratch.data());
  });
}

double Driver::bytes_per_element() const {
  return double(kernel_->stored_bytes()) / elements_ + 8.0 * kernel_->saved_doubles() / kernel_->width();
}

double touched_force_bytes(const std::string& strategy, const BatchKernel& kernel, double held) {
  return read_share(strategy) * held + 8.0 * 3 * (3 * kernel.vectors());
}

double touched_tangent_bytes(const std::string& strategy, const BatchKernel& kernel, double held) {
  const int tangent = 9 * tangent_blocks(kernel.vectors(), kernel.form());
  return read_share(strategy) * held + 8.0 * (2 * (3 * kernel.vectors()) + tangent);
}

}  // namespace lithe::app
