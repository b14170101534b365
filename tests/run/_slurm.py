"""A Slurm of a few lines of shell, put in front of PATH: sbatch keeps a script, squeue lists what is kept, and Queue.run() runs the next."""
import json
import os
import re
import subprocess
import sys

from _physics import scratch

SBATCH = """#!/bin/bash
cat > "$FAKE_SLURM/script"
[[ ! -e $FAKE_SLURM/refuses ]] || { echo 'sbatch: error: invalid partition specified: shrot' >&2; exit 1; }
n=$(($(cat "$FAKE_SLURM/last" 2>/dev/null || echo 100) + 1))
echo $n > "$FAKE_SLURM/last"; mv "$FAKE_SLURM/script" "$FAKE_SLURM/$n.sh"; echo "$n;cluster"
"""
SQUEUE = """#!/bin/bash
if [[ "$*" == *%L* ]]; then echo "${FAKE_LEFT:-INVALID}"; exit; fi
for f in "$FAKE_SLURM"/*.sh; do [[ -e $f ]] || continue; n=$(basename "$f" .sh); [[ -e $FAKE_SLURM/$n.runs ]] && echo "$n RUNNING" || echo "$n PENDING"; done
"""


class Queue:
    def __init__(self):
        self.folder = os.path.join(scratch.name, "slurm")
        for name, text in (("sbatch", SBATCH), ("squeue", SQUEUE)):
            path = os.path.join(self.folder, "bin", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text)
            os.chmod(path, 0o755)
        home = os.path.join(scratch.name, "home")
        self.environment = {k: v for k, v in os.environ.items() if k not in ("CEREUS_ACTIVATE", "CEREUS_SITE") and not k.startswith(("SLURM_", "XDG_"))} | {
            "CEREUS_PYTHON": sys.executable, "HOME": home, "FAKE_SLURM": self.folder, "PATH": os.path.join(self.folder, "bin") + ":" + os.environ["PATH"]}

    def waiting(self):
        return sorted((int(name[:-3]) for name in os.listdir(self.folder) if name.endswith(".sh")))

    def cereus(self, *words, cwd=None, **environment):
        return subprocess.run([os.environ["CEREUS"], *words], cwd=cwd, capture_output=True, text=True, env=self.environment | environment)

    def start(self, left):
        """Starts the next job with so many seconds left (or what Slurm would write), as Slurm would: in its folder, with its output in its file."""
        n = self.waiting()[0]
        path = os.path.join(self.folder, f"{n}.sh")
        asked = dict(re.findall(r"^#SBATCH --([\w-]+)=(.*)$", open(path).read(), re.M))
        environment = self.environment | {"SLURM_JOB_ID": str(n), "FAKE_LEFT": left if isinstance(left, str) else f"{int(left) // 60}:{int(left) % 60:02}"}
        open(path[:-3] + ".runs", "w").close()
        log = open(asked["output"].replace("%j", str(n)).replace("%%", "%"), "a")
        return n, subprocess.Popen(["bash", path], cwd=asked["chdir"], env=environment, stdout=log, stderr=subprocess.STDOUT)

    def end(self, n, job):
        code = job.wait(timeout=120)
        os.remove(os.path.join(self.folder, f"{n}.sh"))
        return code

    def run(self, left):
        n, job = self.start(left)
        return n, self.end(n, job)


def link(folder, n):
    with open(os.path.join(f"{folder}.jobs", f"{n}.json")) as f:
        return json.load(f)
