"""The commands of `cereus` that are written in Python. The executable runs this folder: python3 PREFIX/lib/python3 COMMAND …"""
from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path


def arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="cereus")
    commands = parser.add_subparsers(dest="command", required=True)

    plot = commands.add_parser("plot", help="Draw a field, a slice or a series of a run")
    plot.add_argument("folder", help="Output folder of a run; or of a sweep, for a curve a run")
    plot.add_argument("variable", nargs="*", help="Name of a field (WaveToy::u, or u) or text file (wavetoy-state.norm2); several: side by side; default: the first")
    plot.add_argument("--time", type=float, help="Of the output nearest to it; default: the last")
    plot.add_argument("--iteration", type=int, help="In place of a time")
    plot.add_argument("--slice", choices=["x", "y", "z", "xy", "xz", "yz"], help="Default: xy; along one axis: a curve")
    plot.add_argument("--through", type=float, nargs=3, default=(0, 0, 0), metavar=("X", "Y", "Z"), help="Slices pass the grid point nearest to this one; default: the origin")
    plot.add_argument("--log", action="store_true", help="Logarithm of the values")
    plot.add_argument("--range", type=float, nargs=2, metavar=("LOW", "HIGH"), help="Values at the ends of the palette or axis")
    plot.add_argument("--palette", help="One of matplotlib's: viridis, magma, RdBu_r, …")
    plot.add_argument("--smooth", action=argparse.BooleanOptionalAction, help="Interpolate between points; default: of fewer than 128 along an axis")
    plot.add_argument("--fluid", metavar="FIELD", help="Its cells of 0 are grey; default: `open` of the same thorn, if the run wrote it")
    plot.add_argument("--change", action="store_true", help="Of a text file: what its columns have gained since the first time")
    plot.add_argument("--film", action="store_true", help="All outputs, as a film (.gif; .mp4 needs ffmpeg)")
    plot.add_argument("--out", help="File; default: FOLDER-VARIABLE.png in the current folder")

    several = argparse.ArgumentParser(add_help=False)
    several.add_argument("file", help="Parameter file (YAML)")
    several.add_argument("-n", type=int, default=0, dest="processes", help="Number of MPI processes of each run")
    several.add_argument("--set", action="append", default=[], metavar="Thorn.key=value", help="Wins over the file; may be repeated")
    several.add_argument("--fresh", action="store_true", help="Move earlier runs aside")
    several.add_argument("--output", help="Folder in which the runs have theirs")
    several.add_argument("--thorns", action="append", default=[], help="Further folder in which thorns are looked for")
    sweep = commands.add_parser("sweep", parents=[several], help="Run a file for several values of parameters")
    sweep.add_argument("--over", action="append", required=True, metavar="Thorn.key=a,b,c", help="All combinations, if repeated")
    convergence = commands.add_parser("convergence", parents=[several], help="Run a file at three resolutions, and show the order")
    convergence.add_argument("--variable", action="append", help="May be repeated; default: all evolved ones")

    restart = commands.add_parser("restart-test", help="Cut a run, go on from its checkpoint, and compare with one that was not cut")
    restart.add_argument("file", help="Parameter file (YAML)")
    restart.add_argument("-n", type=int, default=2, dest="processes", help="Number of MPI processes of the part before the cut; all else is done on one")
    restart.add_argument("--steps", type=int, default=20, help="How many steps in all")
    restart.add_argument("--cut", type=int, default=0, help="After which step; default: a random one")
    restart.add_argument("--set", action="append", default=[], metavar="Thorn.key=value", help="Wins over the file; may be repeated")
    restart.add_argument("--output", help="Folder in which the runs have theirs")
    restart.add_argument("--thorns", action="append", default=[], help="Further folder in which thorns are looked for")

    submit = commands.add_parser("submit", help="Submit a run to Slurm, as a chain of jobs until it is done")
    submit.add_argument("file", help="Parameter file (YAML); with thorn Checkpoint")
    submit.add_argument("-n", "--processes", type=int, default=1, help="Number of MPI processes")
    submit.add_argument("--wall", required=True, help="Time limit of each job: 24h, 90m, 1d12h, or as Slurm writes it")
    submit.add_argument("--site", default="", help="Name or file of a site; default: CEREUS_SITE, or the site default, or generic")
    submit.add_argument("--set", action="append", default=[], metavar="Thorn.key=value", help="Wins over the file; may be repeated")
    submit.add_argument("--fresh", action="store_true", help="The first job moves an earlier run aside")
    submit.add_argument("--thorns", action="append", default=[], help="Further folder in which thorns are looked for")
    submit.add_argument("--sbatch", action="append", default=[], metavar="=--OPTION", help="Option of sbatch, wins over the site's; may be repeated")
    commands.add_parser("jobs", help="List the runs that were submitted, and how far they are")
    commands.add_parser("job", help="A link of a chain; the script of `submit` runs it").add_argument("folder")
    return parser.parse_args(words)


def settings(words: list[str], form: str = "Thorn.key=value") -> dict[str, str]:
    from cereus.needs import Mistake
    for word in words:
        if not re.match(r"\w+\.\w+=", word):
            raise Mistake(f"'{word}' must be {form}")
    return dict(word.split("=", 1) for word in words)


def command_plot(asked: argparse.Namespace) -> int:
    from cereus import folder, plots, sweeps
    from cereus.needs import Mistake
    if sweeps.is_sweep(asked.folder):
        return plot_sweep(asked)
    run = folder.open(asked.folder)
    how = {key: getattr(asked, key) for key in ("slice", "log", "range", "palette", "smooth", "fluid")} | {"through": tuple(asked.through)}
    name = re.sub(r"\W+", "-", "-".join(asked.variable) or "plot").strip("-")
    file = asked.out or f"{run.folder.resolve().name}-{name}.{'gif' if asked.film else 'png'}"
    if asked.film:
        if len(asked.variable) > 1 or asked.change:
            raise Mistake("a film shows one field: name one, without --change")
        plots.film(run, file, *asked.variable, **how)
    else:
        plots.save(plots.plot(run, asked.variable or None, time=asked.time, iteration=asked.iteration, change=asked.change, **how), file)
    print(f"wrote {file}")
    return 0


def plot_sweep(asked: argparse.Namespace) -> int:
    """A curve a run."""
    from cereus import plots, sweeps
    from cereus.needs import Mistake
    if len(asked.variable) != 1:
        raise Mistake(f"{asked.folder} is a sweep: name one text file of its runs, such as wavetoy-state.norm2")
    name = re.sub(r"\W+", "-", asked.variable[0]).strip("-")
    file = asked.out or f"{Path(asked.folder).resolve().name}-{name}.png"
    plots.save(sweeps.open_sweep(asked.folder).plot(asked.variable[0], log=asked.log), file)
    print(f"wrote {file}")
    return 0


def command_sweep(asked: argparse.Namespace) -> int:
    from cereus import sweeps
    from cereus.needs import Mistake
    over = {key: re.split(r",(?![^\[]*\])", values) for key, values in settings(asked.over, "Thorn.key=a,b,c").items()}
    if len(over) < len(asked.over):
        raise Mistake(f"--over {' --over '.join(asked.over)}: a parameter is named twice; give its values in one: Thorn.key=a,b")

    def tell(point: sweeps.Point) -> None:
        print(f"{point.label}: {point.run.state}, in {point.run.folder}" if point.run else f"{point.label}: {point.error}", flush=True)

    points = sweeps.sweep(asked.file, over, asked.processes, asked.output, settings(asked.set), asked.fresh, options(asked), tell)
    wrong = [point for point in points if point.error]
    if wrong:
        print(f"{len(wrong)} of {len(points)} runs failed: {'; '.join(point.label for point in wrong)}", file=sys.stderr)
    return max((code_of(point.error) for point in wrong if point.error), default=0)


def command_convergence(asked: argparse.Namespace) -> int:
    from cereus import orders, plots
    found = orders.convergence(asked.file, asked.variable or ["@evolved"], asked.processes, asked.output, settings(asked.set), asked.fresh, options(asked))
    print(found)
    picture = Path(asked.output or f"{Path(asked.file).stem}-convergence") / "convergence.png"
    plots.save(found.plot(), picture)
    print(f"wrote {picture}")
    return 0


def command_restart_test(asked: argparse.Namespace) -> int:
    from cereus import restarts
    found = restarts.restart_test(asked.file, asked.processes, asked.steps, asked.cut, asked.output, settings(asked.set), options(asked))
    print(f"{asked.file}: {found}", file=sys.stderr if found.different else sys.stdout)
    return 3 if found.different else 0


def command_submit(asked: argparse.Namespace) -> int:
    from cereus import chains
    chain = chains.submit(asked.file, asked.processes, asked.wall, asked.site, settings(asked.set), options(asked), asked.sbatch, asked.fresh)
    print(f"job {chain.links[-1]['job']}: {chain.output}; its script and logs are in {chain.folder}")
    return 0


def command_jobs(_: argparse.Namespace) -> int:
    from cereus import chains
    print(chains.table())
    return 0


def command_job(asked: argparse.Namespace) -> int:
    from cereus import chains
    return chains.link(asked.folder)


def options(asked: argparse.Namespace) -> list[str]:
    return [word for folder in asked.thorns for word in ("--thorns", folder)]


def code_of(error: Exception) -> int:
    from cereus.needs import Failure
    return 3 if isinstance(error, Failure) else 1


def main(words: list[str]) -> int:
    try:
        from cereus.needs import Error
    except ModuleNotFoundError as error:
        print(f"cereus {words[0] if words else ''} needs {error.name}: apt-get install python3-{error.name} ({sys.executable} has none; "
              "CEREUS_PYTHON names another Python)", file=sys.stderr)
        return 1
    try:
        asked = arguments(words)
        return {"plot": command_plot, "sweep": command_sweep, "convergence": command_convergence, "restart-test": command_restart_test,
                "submit": command_submit, "jobs": command_jobs, "job": command_job}[asked.command](asked)
    except Error as error:
        print(error, file=sys.stderr)
        return code_of(error)
    except SystemExit as error:
        return 1 if error.code else 0  # argparse ends with 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print(f"cereus {' '.join(sys.argv[1:2])} was stopped", file=sys.stderr)
        sys.exit(2)
