"""A run as a chain of Slurm's jobs. Beside the output folder, NAME.jobs holds it: job.json is what was asked for, job.sh the script, N.json what
became of job N, N.out what that said. Each file has one writer: N.json is the job's own as soon as that begins."""
from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import sites, slurm
from .folder import Run
from .jobs import executable
from .needs import Error, Failure, Mistake


@dataclasses.dataclass(frozen=True)
class Chain:
    """A run that was submitted to Slurm: the folder NAME.jobs, which holds what was asked for and a file a job."""
    folder: Path  # NAME.jobs

    @property
    def output(self) -> Path:
        """The output folder of the run."""
        return self.folder.with_name(self.folder.name.removesuffix(".jobs"))

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked for: the file, processes, time limit, site and options."""
        return json.loads((self.folder / "job.json").read_text())

    @property
    def links(self) -> list[dict[str, Any]]:
        """job, link (its number from 1), state (pending, running, chained, done, failed, stuck, cancelled) and message of each, first to last."""
        found = [json.loads(path.read_text()) for path in self.folder.glob("*.json") if path.stem.isdigit()]
        return sorted(found, key=lambda link: (link["link"], int(link["job"])))

    def checkpoint(self) -> int:
        """Iteration of the newest; −1: none."""
        return max(Run(self.output).checkpoints, default=-1)

    def inode(self) -> int:
        """Of the output folder, which keeps it when it is moved aside; 0: there is none."""
        return self.output.stat().st_ino if self.output.is_dir() else 0

    def add(self, job: str) -> None:
        """A job that was handed over, unless it has begun, and said so, already."""
        link = {"job": job, "link": self.number_of(job), "state": "pending", "message": "waits for its turn"}
        new = self.folder / f".{job}.new"
        new.write_text(json.dumps(link) + "\n")
        try:
            os.link(new, self.folder / f"{job}.json")
        except FileExistsError:
            pass
        new.unlink()

    def say(self, job: str, state: str, message: str) -> None:
        """Keeps in what state a job is and why, and prints it to the log."""
        link = {"job": job, "link": self.number_of(job), "state": state, "message": message}
        _write(self.folder / f"{job}.json", json.dumps(link) + "\n")
        print(f"cereus: job {job}, link {link['link']} of {self.output}: {message}", flush=True)

    def number_of(self, job: str) -> int:
        """Which link a job is, from 1; a job that is not known is the next."""
        links = self.links
        return next((link["link"] for link in links if link["job"] == job), 1 + max((link["link"] for link in links), default=0))


def submit(file: str | os.PathLike[str], processes: int = 1, wall: str = "1h", site: str = "", set: Mapping[str, Any] | None = None,
           options: Sequence[str] = (), sbatch: Sequence[str] = (), fresh: bool = False) -> Chain:
    """Submits a run as a chain of jobs of at most `wall` each; `options` are those of `cereus run`, `sbatch` those of Slurm, and win
    over the site's. `fresh`: the first job moves an earlier run aside."""
    seconds, where = slurm.seconds_of(wall, "--wall"), sites.load(site)
    if processes < 1:
        raise Mistake(f"--processes {processes}: must be at least 1")
    sites.check_options(list(sbatch), "--sbatch")
    margin = where.seconds_before_limit(seconds)
    slurm.tool("sbatch")
    words = [executable(), "run", os.path.abspath(file), *options]
    for key, value in (set or {}).items():
        words += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    chain = Chain(Path(f"{_output_of(words, processes)}.jobs"))
    if any(c < " " for c in f"{os.getcwd()}{chain.folder}"):
        raise Mistake("the name of a folder has control characters, which a job script cannot hold")
    _refuse_second(chain)
    command = [*shlex.split(where.launcher), *words] if where.launcher else [*words, "-n", str(processes)]
    asked = {"command": command, "folder": os.getcwd(), "processes": processes, "wall": seconds, "margin": margin, "site": site, "old": chain.inode() if fresh else 0}
    _hand_over(chain, asked, script(chain, asked, where, sbatch))
    return chain


def script(chain: Chain, asked: Mapping[str, Any], site: sites.Site, sbatch: Sequence[str] = ()) -> str:
    """The job's script, the same for all links."""
    log = f"{chain.folder}/".replace("%", "%%") + "%j.out"
    name = re.sub(r"\W+", "-", chain.output.name)
    lines = [f"--job-name={name}", f"--time={slurm.text_of(asked['wall'])}", f"--ntasks={asked['processes']}", f"--chdir={shlex.quote(asked['folder'])}",
             f"--output={shlex.quote(log)}", "--open-mode=append", "--requeue", *site.options(), *sbatch]
    python = f"export CEREUS_PYTHON={shlex.quote(sys.executable)}"
    run = f"exec {shlex.quote(executable())} job {shlex.quote(str(chain.folder))}"  # exec: Slurm's signals reach it
    return "\n".join(["#!/bin/bash", *(f"#SBATCH {line}" for line in lines), *site.shell(), python, run]) + "\n"


def _output_of(words: Sequence[str], processes: int) -> Path:
    """Where a run will write, once `cereus check` found no mistake, and that it ends by itself and can be gone on with."""
    done = subprocess.run([words[0], "check", *words[2:], "-n", str(processes), "--set", "Cereus.wall_clock=0"], capture_output=True, text=True)
    if done.returncode:
        raise (Failure if done.returncode > 1 else Mistake)(done.stderr.strip())
    if "checkpoints: none" in done.stdout:
        raise Mistake(f"{words[2]}: nothing to go on from when a job's time is over: add Checkpoint to thorns:")
    found = re.search(r"^output: at most .* are due, to (.*)$", done.stdout, re.M)
    if not found:
        raise Error(f"cereus check did not say where the output goes: {done.stdout.strip()}")
    return Path(os.path.abspath(found[1]))


def _refuse_second(chain: Chain) -> None:
    queue = slurm.states()
    if waiting := [link["job"] for link in chain.links if link["job"] in queue]:
        softly = "--batch --signal=TERM " if queue[waiting[-1]] == "RUNNING" else ""  # so that the run is told, and not mpirun, too
        raise Mistake(f"job {waiting[-1]} of {chain.output} is {queue[waiting[-1]].lower()}; to end that chain: scancel {softly}{waiting[-1]}")


def _hand_over(chain: Chain, asked: Mapping[str, Any], text: str) -> None:
    """All or nothing: what was there before is there again if Slurm does not take the job."""
    made = not chain.folder.exists()
    files = {chain.folder / "job.json": json.dumps(asked, indent=1) + "\n", chain.folder / "job.sh": text}
    before = {path: path.read_text() for path in files if path.exists()}
    try:
        chain.folder.mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            _write(path, content)
        job = slurm.sbatch(text)
    except (Error, OSError) as error:
        if made:
            shutil.rmtree(chain.folder, ignore_errors=True)
        for path, content in before.items():
            _write(path, content)
        raise error if isinstance(error, Error) else Error(f"{chain.folder}: {error.strerror}") from None
    chain.add(job)
    _remember(chain)


def link(folder: str | os.PathLike[str]) -> int:
    """What a job's script runs: the run, until it is done or the job's time is nearly over; then the next job if that has a use. Returns the exit code."""
    chain, job = Chain(Path(folder)), os.environ.get("SLURM_JOB_ID", "")
    if not job:
        raise Mistake("`cereus job` is run by the script that `cereus submit` writes, in a job of Slurm: there is no SLURM_JOB_ID")
    asked, before = chain.asked, chain.checkpoint()
    again = any(one["job"] == job and one["state"] == "running" for one in chain.links)  # Slurm killed it, and has requeued it
    fresh = bool(asked.get("old")) and asked["old"] == chain.inode() or again and before < 0  # perhaps another node's: only Slurm knows that it is dead
    if fresh:
        before = -1
    chain.say(job, "running", f"runs, from iteration {before}" if before >= 0 else "runs")
    minutes = max(1, slurm.seconds_left(job, asked["wall"]) - asked["margin"]) / 60
    code, told = _run([*asked["command"], *["--fresh"] * fresh, "--set", f"Cereus.wall_clock={minutes:.6g}"])
    reached = chain.checkpoint()
    if code == 0:
        chain.say(job, "done", "done")
    elif told:
        came = f"there is a checkpoint of iteration {reached}" if reached >= 0 else "there is no checkpoint"
        chain.say(job, "cancelled", f"was told to end, by scancel or at its limit; {came}; no job follows")
    elif code != 2:
        chain.say(job, "failed", f"failed (exit code {code}; why: {chain.folder}/{job}.out); no job follows")
    elif reached <= before:
        chain.say(job, "stuck", f"stopped without a checkpoint later than {f'iteration {before}' if before >= 0 else 'its start'}, so that another job "
                  f"would come no further: its {slurm.text_of(asked['wall'])} do not last, or the disk is full; no job follows")
        code = 3
    else:
        code = _go_on(chain, job, reached)
    return code


def _go_on(chain: Chain, job: str, reached: int) -> int:
    try:
        follower = slurm.sbatch((chain.folder / "job.sh").read_text())
    except Error as error:
        chain.say(job, "failed", f"stopped at iteration {reached}, and the next job could not be submitted: {error}; to go on: cereus submit again")
        return 3
    chain.say(job, "chained", f"stopped at iteration {reached}; job {follower} goes on")
    chain.add(follower)
    return 0


def _run(words: list[str]) -> tuple[int, bool]:
    """Exit code, and whether somebody asked this process to stop."""
    told = False
    with subprocess.Popen(words, start_new_session=True) as child:
        def stop(*_: Any) -> None:
            nonlocal told
            told = True
            child.send_signal(signal.SIGTERM)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        return child.wait(), told


def known() -> list[Chain]:
    """All chains that this user has submitted, and whose folders are there still."""
    found = {Path(os.readlink(entry)) for entry in _registry().glob("*") if entry.is_symlink()}
    return [Chain(folder) for folder in sorted(found) if (folder / "job.json").is_file()]


def table() -> str:
    """A line a chain: folder, newest job, its state, how far the run is, and the jobs of the chain."""
    chains = known()
    if not chains:
        return "no jobs; cereus submit FILE makes some"
    queue = slurm.states()
    rows = [("folder", "job", "state", "iteration", "links")]
    for chain in chains:
        links = chain.links
        last = links[-1] if links else {"job": "", "state": "unknown", "message": ""}
        state = last["state"]
        if state in ("pending", "running"):  # the queue knows better
            state = queue[last["job"]].lower() if last["job"] in queue else "gone"
        said = Run(chain.output).progress
        far = f"{said['iteration']} ({100 * said.get('done', 0):.0f} %)" if "iteration" in said else "-"
        rows.append((str(chain.output), last["job"], state, far, f"{len(links)}: {' → '.join(link['job'] for link in links[-4:])}"))
        if state in ("failed", "stuck", "cancelled"):
            rows[-1] = (*rows[-1][:-1], f"{rows[-1][-1]}; {last['message']}")
        elif state == "gone":
            rows[-1] = (*rows[-1][:-1], f"{rows[-1][-1]}; it was cancelled or killed; to go on: cereus submit again")
    widths = [max(len(row[n]) for row in rows) for n in range(4)]
    return "\n".join("  ".join([cell.ljust(width) for cell, width in zip(row, widths)] + [row[4]]) for row in rows)


def _registry() -> Path:
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "cereus/jobs"


def _remember(chain: Chain) -> None:
    entry = _registry() / hashlib.sha256(str(chain.folder).encode()).hexdigest()[:16]
    try:
        entry.parent.mkdir(parents=True, exist_ok=True)
        if not entry.is_symlink():
            entry.symlink_to(chain.folder)
    except OSError as error:  # the job is in the queue all the same
        print(f"warning: `cereus jobs` will not show this run: {entry}: {error.strerror}", flush=True)


def _write(path: Path, text: str) -> None:
    """In full or not at all, for those who read it meanwhile."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text)
    new.replace(path)
