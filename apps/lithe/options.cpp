#include "options.h"

#include <CLI/CLI.hpp>
#include <cmath>

#include "commands.h"
#include "lithe/base/schema.h"
#include "lithe/base/version.h"

namespace lithe::app {

namespace {

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "change a value: bodies.beam.mesh.elements=40 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

// An empty text is what an unset variable of a shell leaves.
std::string check_file_name(const std::string& name) {
  return name.empty() ? "this is an empty name; give the name of a file" : "";
}

void add_threads(CLI::App& command, std::optional<int>& threads) {
  command.add_option("--threads", threads, "threads; 0: all cores; default: the model's")
      ->check([](const std::string& text) {  // the limits of analysis.threads
        int n = 0;
        const bool ok = CLI::detail::lexical_cast(text, n) && thread_count.holds(n);
        return ok ? std::string() : "this is " + text + ", but it must be " + thread_count.text;
      })
      ->type_name("INT");
}

void add_run(CLI::App& app, RunOptions& options, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "run a model: result file, summary");
  command->add_option("FILE", options.file, "model (YAML)");
  command->add_option("-o,--out", options.out, "result (HDF5); default: the model's name with .h5, in this folder")
      ->check(check_file_name);
  add_overrides(*command, options.overrides);
  add_threads(*command, options.threads);
  command
      ->add_option("--checkpoint-every", options.checkpoint_every,
                   "dynamics: seconds of simulated time between checkpoints (analysis.checkpoint_step)")
      ->check([](const std::string& text) {  // CLI::PositiveNumber takes nan and inf
        double seconds = 0;
        const bool ok = CLI::detail::lexical_cast(text, seconds) && seconds > 0 && std::isfinite(seconds);
        return ok ? std::string() : "'" + text + "' is not a positive, finite number of seconds";
      })
      ->type_name("SECONDS");
  command
      ->add_option("--resume", options.resume,
                   "go on from the checkpoint of this result, to the same bits as a run that was never stopped; "
                   "--set analysis.duration=... to go further")
      ->check(check_file_name)
      ->type_name("OUT");
  command->add_option("--json", options.json, "write the summary as JSON to this file; -: to the standard output")
      ->check(check_file_name);
  command
      ->add_option("--trace", options.trace,
                   "dynamics: write what each step took as a line of this CSV file: Newton and Krylov iterations, "
                   "products, seconds, ...")
      ->check(check_file_name)
      ->type_name("FILE");
  command->add_flag("--force", options.force,
                    "replace files that lithe did not write, and run what does not fit in the memory");
  command->add_flag("-q,--quiet", options.quiet, "no progress and no summary; warnings and errors remain");
  command->footer(
      "Ctrl-C ends the run after the current step, or in the middle of one that takes longer than 0.7 s, and keeps its "
      "results (exit code 1); a second one ends it at once.");
  command->callback([&options, &exit_code] {
    if (options.file.empty() && options.resume.empty()) throw CLI::RequiredError("FILE");
    run(options, exit_code);
  });
}

void add_modes(CLI::App& app, ModesOptions& options, int& exit_code) {
  CLI::App* command = app.add_subcommand("modes", "natural frequencies and modes of a model, proved to be complete");
  command->add_option("FILE", options.run.file, "model (YAML); its analysis is replaced")->required();
  command->add_option("--count", options.count, "number of modes; default: 10")
      ->check([](const std::string& text) {
        int n = 0;
        const bool ok = CLI::detail::lexical_cast(text, n) && n > 0;
        return ok ? std::string() : "'" + text + "' is not a number of modes; give 1 or more";
      })
      ->type_name("N");
  command->add_option("--near", options.near, "the modes nearest to this frequency; default: the lowest")
      ->check([](const std::string& text) {
        double hertz = 0;
        const bool ok = CLI::detail::lexical_cast(text, hertz) && hertz > 0 && std::isfinite(hertz);
        return ok ? std::string() : "'" + text + "' is not a positive, finite frequency in Hz";
      })
      ->type_name("HZ");
  command
      ->add_option("--at", options.at,
                   "rest: the reference configuration without loads (default); equilibrium: after the static stages "
                   "that the model begins with, or under its loads if it has none")
      ->check(CLI::IsMember({"rest", "equilibrium"}));
  command->add_option("-o,--out", options.run.out, "write the modes to this result (HDF5, and XDMF for ParaView)")
      ->check(check_file_name);
  add_overrides(*command, options.run.overrides);
  add_threads(*command, options.run.threads);
  command->add_option("--json", options.run.json, "write the summary as JSON to this file; -: to the standard output")
      ->check(check_file_name);
  command->add_flag("--force", options.run.force,
                    "replace files that lithe did not write, and run what does not fit in the memory");
  command->add_flag("-q,--quiet", options.run.quiet, "no progress and no summary; warnings and errors remain");
  command->callback([&options, &exit_code] { modes(options, exit_code); });
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand("check", "check a model without running it");
  command->add_option("FILE", options.file, "model (YAML)")->required();
  add_overrides(*command, options.overrides);
  command->add_flag("-q,--quiet", options.quiet, "print nothing but warnings and errors");
  command->callback([&options] { check(options); });
}

void add_list(CLI::App& app, ListOptions& options) {
  CLI::App* command = app.add_subcommand("list", "list what a model may contain: elements, materials, strategies, ...");
  command->add_option("KIND", options.kind, "elements, materials, sections, meshes, ... (none: all kinds)");
  command->add_option("NAME", options.name, "show the keys of this one");
  command->add_flag("-v,--verbose", options.verbose, "show the keys of all");
  command->add_flag("--json", options.json, "print JSON");
  command->callback([&options] { list(options); });
}

void add_info(CLI::App& app, InfoOptions& options) {
  CLI::App* command = app.add_subcommand("info", "show what a result file holds");
  command->add_option("OUT", options.file, "result (HDF5)")->required();
  command->add_flag("--repair", options.repair,
                    "clear the mark of a killed run first, so that other programs open the file");
  command->callback([&options] { info(options); });
}

void add_expand(CLI::App& app, ExpandOptions& options) {
  CLI::App* command = app.add_subcommand(
      "expand", "write a result with reduced bodies again with all fields in full, for ParaView and other programs");
  command->add_option("OUT", options.file, "result (HDF5) of a run with reduced bodies")->required();
  command->add_option("-o,--out", options.out, "result with full fields (HDF5); its XDMF lies beside it")
      ->required()
      ->check(check_file_name);
  command->add_flag("--force", options.force, "replace files that lithe did not write");
  command->callback([&options] { expand(options); });
}

void add_reduce(CLI::App& app, ReduceOptions& options) {
  CLI::App* command = app.add_subcommand("reduce", "make the base of a reduced body (kinematics BC-RO, BC-MODAL)");
  command->require_subcommand(1);
  const auto common = [&](CLI::App* method) {
    method->add_option("--body", options.body, "name of the body")->required();
    method->add_option("-o,--out", options.out, "base (HDF5)")->required()->check(check_file_name);
  };
  CLI::App* pod = command->add_subcommand("pod", "leading shapes of a body's motion in a result, for BC-RO");
  pod->add_option("RESULT", options.file, "result (HDF5) of a run with the body as TL or BC")->required();
  pod->add_option("--count", options.count, "modes, the six rigid ones among them")->required();
  common(pod);
  pod->callback([&options] { reduce_pod(options); });
  CLI::App* modal = command->add_subcommand("modal", "modes of the free body, for BC-MODAL");
  modal->add_option("MODEL", options.file, "model (YAML)")->required();
  modal->add_option("--modes", options.modes, "numbers from 1 on: 1-6,14,19; 1 to 6 are the rigid motions")->required();
  common(modal);
  add_overrides(*modal, options.overrides);
  modal->callback([&options] { reduce_modal(options); });
  CLI::App* craig = command->add_subcommand(
      "craig_bampton", "unit displacements where joints act and modes of the body held there, for BC-RO");
  craig->add_option("MODEL", options.file, "model (YAML)")->required();
  craig->add_option("--interface", options.interfaces, "sets of nodes of the body, where joints act")->required();
  craig->add_option("--count", options.count, "modes beside the unit displacements")->required();
  common(craig);
  add_overrides(*craig, options.overrides);
  craig->callback([&options] { reduce_craig_bampton(options); });
}

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "measure speed and storage on this machine");
  command->set_help_flag();  // the other program's
  command->prefix_command();
  command->callback([command] { bench(command->remaining()); });
}

}  // namespace

int read_and_run(int argc, char** argv) {
  int exit_code = done;
  RunOptions run_options;
  ModesOptions modes_options;
  CheckOptions check_options;
  ListOptions list_options;
  InfoOptions info_options;
  ExpandOptions expand_options;
  ReduceOptions reduce_options;
  CLI::App app{"lithe: flexible multibody dynamics", "lithe"};
  app.set_version_flag("--version", std::string("lithe ") + version());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 the run failed or was stopped (results up to there are kept); 2 bad input.\n"
      "Start with: lithe run examples/cantilever.yaml");
  add_run(app, run_options, exit_code);
  add_modes(app, modes_options, exit_code);
  add_check(app, check_options);
  add_list(app, list_options);
  add_info(app, info_options);
  add_expand(app, expand_options);
  add_reduce(app, reduce_options);
  add_bench(app);
  return run_program(app, "lithe", argc, argv, exit_code);
}

}  // namespace lithe::app
