"""Slurm, as far as a chain of jobs needs it: its times, its queue, and a job that is handed over."""
from __future__ import annotations

import os
import re
import shutil
import subprocess

from .needs import Error, Mistake

_SECONDS = {"d": 86400, "h": 3600, "m": 60, "min": 60, "s": 1}


def seconds_of(text: str, what: str) -> int:
    """A time as people write it (24h, 90m, 1d12h, 1.5h), or as Slurm does (MINUTES, M:SS, H:MM:SS, D-H, D-H:MM, D-H:MM:SS)."""
    seconds = 0.0
    if re.fullmatch(r"(\d+(\.\d+)?\s*(d|h|min|m|s)\s*)+", text.strip()):
        seconds = sum(float(n) * _SECONDS[unit] for n, unit in re.findall(r"([\d.]+)\s*(d|h|min|m|s)", text))
    elif found := re.fullmatch(r"(?:(\d+)-)?(\d+(?::\d+){0,2})", text.strip()):
        parts = [int(n) for n in found[2].split(":")]
        largest = 3600 if found[1] or len(parts) == 3 else 60
        seconds = int(found[1] or 0) * 86400 + sum(n * largest / 60**k for k, n in enumerate(parts))
    if seconds < 1:
        raise Mistake(f"{what} {text}: must be a time of at least 1 s, such as 24h, 90m, 1d12h, or as Slurm writes it: minutes, H:MM:SS, D-HH:MM:SS")
    return round(seconds)


def text_of(seconds: int) -> str:
    """As Slurm writes it: D-HH:MM:SS."""
    return f"{seconds // 86400}-{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def tool(name: str) -> str:
    """The path of one of Slurm's commands."""
    found = shutil.which(name)
    if not found:
        raise Error(f"there is no {name} in the folders of PATH ({os.environ.get('PATH', '')}): is this a machine from which Slurm's jobs are submitted, "
                    "and is Slurm's module loaded?")
    return found


def sbatch(script: str) -> str:
    """Hands a job over; returns its number."""
    outside = {k: v for k, v in os.environ.items() if not k.startswith("SLURM_") or k == "SLURM_CONF"}  # a job's own settings are not its successor's
    done = subprocess.run([tool("sbatch"), "--parsable"], input=script, capture_output=True, text=True, env=outside)
    number = done.stdout.strip().split(";")[0]
    if done.returncode or not number.isdigit():
        raise Error(f"sbatch did not take the job: {done.stderr.strip() or done.stdout.strip() or f'exit code {done.returncode}'}")
    return number


def states() -> dict[str, str]:
    """Of this user's jobs that are in the queue: number → RUNNING, PENDING, …"""
    done = subprocess.run([tool("squeue"), "--me", "--noheader", "--format=%i %T"], capture_output=True, text=True)
    if done.returncode:
        raise Error(f"Slurm does not answer; is this a machine of the cluster? squeue says: {(done.stderr.strip() or f'exit code {done.returncode}').splitlines()[-1]}")
    return dict(line.split()[:2] for line in done.stdout.splitlines() if line.strip())


def seconds_left(job: str, otherwise: int) -> int:
    """Until the job's limit, as Slurm says, or `otherwise`."""
    try:
        done = subprocess.run([tool("squeue"), "--noheader", "--format=%L", "--jobs", job], capture_output=True, text=True)
        return seconds_of(done.stdout.strip(), "")
    except Error:
        return otherwise
