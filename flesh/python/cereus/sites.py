"""Site files: what a cluster's jobs need beside the run. docs/clusters.md has a table of the keys."""
from __future__ import annotations

import dataclasses
import difflib
import os
import shlex
from pathlib import Path
from typing import Any

from . import slurm
from .needs import Mistake, package

_NUMBER, _WORD, _LIST, _MAP = "a whole number of at least 1", "a text of one line", "a list of texts of one line each", "names and their values"


def _key(kind: str, option: str = "") -> Any:
    return dataclasses.field(default_factory={_LIST: list, _MAP: dict}.get(kind, str), metadata={"kind": kind, "option": option})


@dataclasses.dataclass(frozen=True)
class Site:
    """What a cluster wants of a job: options of sbatch, modules, environment, and how processes are started."""
    partition: str = _key(_WORD, "partition")
    account: str = _key(_WORD, "account")
    qos: str = _key(_WORD, "qos")
    constraint: str = _key(_WORD, "constraint")
    memory: str = _key(_WORD, "mem")  # of a node
    processes_per_node: str = _key(_NUMBER, "ntasks-per-node")
    threads_per_process: str = _key(_NUMBER, "cpus-per-task")
    gpus_per_node: str = _key(_NUMBER, "gpus-per-node")
    sbatch: list[str] = _key(_LIST)  # further options, such as --exclusive
    modules: list[str] = _key(_LIST)
    environment: dict[str, str] = _key(_MAP)
    setup: list[str] = _key(_LIST)  # lines of the shell
    launcher: str = _key(_WORD)  # such as srun; without it `cereus run -n` starts mpirun
    margin: str = _key(_WORD)  # of a job's time, after which the run has stopped

    def options(self) -> list[str]:
        """Lines #SBATCH, without that word."""
        lines = [(f.metadata["option"], getattr(self, f.name)) for f in dataclasses.fields(self)]
        return [f"--{option}={shlex.quote(value)}" for option, value in lines if option and value] + self.sbatch

    def shell(self) -> list[str]:
        """Lines of the job's script before the run."""
        loads = [f"module load {shlex.join(self.modules)}"] if self.modules else []
        threads = [f"export OMP_NUM_THREADS={self.threads_per_process}"] if self.threads_per_process else []
        return loads + threads + [f"export {name}={shlex.quote(value)}" for name, value in self.environment.items()] + self.setup

    def seconds_before_limit(self, wall: int) -> int:
        """What is left of a job's time when the run has stopped: `margin`, or five minutes, or a tenth of the time if that is less."""
        margin = slurm.seconds_of(self.margin, "margin:") if self.margin else min(300, max(1, wall // 10))
        if margin >= wall:
            raise Mistake(f"--wall {slurm.text_of(wall)}: the site's margin, {slurm.text_of(margin)}, leaves no time to run")
        return margin


def folders() -> list[Path]:
    """Where a site's name is looked for, first to last."""
    user = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return [Path(user) / "cereus/sites", Path("/etc/cereus/sites"), Path(__file__).parent / "sites"]


def load(name: str) -> Site:
    """A site by its name or file; "" is CEREUS_SITE, else the site `default` if there is one, else `generic`."""
    asked = name or os.environ.get("CEREUS_SITE", "")
    for wanted in [asked] if asked else ["default", "generic"]:
        if "/" in wanted or wanted.endswith(".yaml"):
            places = [Path(wanted)]
        else:
            places = [folder / f"{wanted}.yaml" for folder in folders()]
        if file := next((place for place in places if place.is_file()), None):
            return read(file)
    known = sorted({file.stem for folder in folders() for file in folder.glob("*.yaml")})
    raise Mistake(f"there is no site '{asked}'; looked for {', '.join(map(str, places))}; there are: {', '.join(known)}")


def read(file: Path) -> Site:
    """Throws Mistake with file:line of what is wrong."""
    yaml = package("yaml", "a site file")
    try:
        loader = yaml.SafeLoader(file.read_text())
        node = loader.get_single_node()
        if node is not None and not isinstance(node, yaml.MappingNode):
            raise Mistake(f"{file}:{node.start_mark.line + 1}: must be keys and their values, such as partition: long")
        entries = [(loader.construct_object(key), loader.construct_object(value, deep=True), key.start_mark.line + 1) for key, value in node.value] if node else []
    except yaml.MarkedYAMLError as error:
        raise Mistake(f"{file}:{error.problem_mark.line + 1 if error.problem_mark else 1}: {error.problem}") from None
    except (yaml.YAMLError, OSError, UnicodeDecodeError) as error:
        raise Mistake(f"{file}: cannot be read: {error}") from None
    kinds = {f.name: f.metadata["kind"] for f in dataclasses.fields(Site)}
    values = {}
    for key, value, line in entries:
        if key not in kinds:
            near = difflib.get_close_matches(str(key), kinds, 1)
            raise Mistake(f"{file}:{line}: a site has no key '{key}'{f'; did you mean {near[0]}?' if near else ''}; there are: {', '.join(kinds)}")
        if not _fits(kinds[key], value):
            raise Mistake(f"{file}:{line}: {key}: must be {kinds[key]}")
        if key == "margin":
            slurm.seconds_of(str(value), f"{file}:{line}: margin:")
        values[key] = value if isinstance(value, list) else {n: str(v) for n, v in value.items()} if isinstance(value, dict) else str(value)
    site = Site(**values)
    check_options(site.sbatch, f"{file}: sbatch:")
    return site


def check_options(options: list[str], place: str) -> None:
    """Raises Mistake if one is no option of sbatch; `place` says whose they are."""
    for option in options:
        if not option.startswith("-") or "\n" in option:
            raise Mistake(f"{place} '{option}': must be an option of sbatch, such as --exclusive")


def _fits(kind: str, value: Any) -> bool:
    def line(text: Any) -> bool:
        return isinstance(text, (str, int, float)) and not isinstance(text, bool) and "\n" not in str(text)
    if kind == _NUMBER:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 1
    if kind == _LIST:
        return isinstance(value, list) and all(isinstance(entry, str) and line(entry) for entry in value)
    if kind == _MAP:
        return isinstance(value, dict) and all(isinstance(k, str) and k.isidentifier() and k.isascii() and line(v) for k, v in value.items())
    return line(value)
