// The newest job of a run that `cereus submit` handed to Slurm, as NAME.jobs beside the output folder says; see
// flesh/python/cereus/chains.py.
#pragma once
#include <filesystem>
#include <string>
namespace cereus {
struct SlurmJob {
  std::string id, state, message;  // id is empty if there is none
  int link = 0;                    // from 1
  bool may_follow() const { return state == "pending" || state == "running" || state == "chained"; }
};
SlurmJob newest_job(const std::filesystem::path& output);
}  // namespace cereus
