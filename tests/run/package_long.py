#!/usr/bin/env python3
"""The package for Debian in a fresh root of Debian 12: installed by root with what it needs alone, it runs for a user who may write nowhere in it, and
the first picture is there in time; with what it recommends, Python's commands draw, and equations are compiled, into the user's own cache.

Needs root, mmdebstrap, dpkg-dev and a mirror (CEREUS_MIRROR, default deb.debian.org). Mutation that makes it fail: no dependence on
openmpi-bin.
"""
import glob
import os
import shutil
import subprocess
import tempfile
import time

from _physics import check, finish

TOOLS = ("mmdebstrap", "dpkg-shlibdeps", "cpack", "unshare", "chroot")
MIRROR = os.environ.get("CEREUS_MIRROR", "http://deb.debian.org/debian")
missing = [tool for tool in TOOLS if not shutil.which(tool)]
if missing or os.geteuid() != 0:
    finish(f"it needs root, mmdebstrap and dpkg-dev ({', '.join(missing) or 'which are there'})")
folder = tempfile.mkdtemp(prefix="cereus-")
root = os.path.join(folder, "root")
made = subprocess.run(["mmdebstrap", "--variant=apt", "bookworm", root, MIRROR], capture_output=True, text=True)
if made.returncode:
    finish(f"no root of Debian could be made: {made.stderr.strip().splitlines()[-1]}")
packed = subprocess.run(["cpack", "-G", "DEB", "-B", folder, "--config", os.path.join(os.environ["CEREUS_BUILD"], "CPackConfig.cmake")], capture_output=True, text=True)
debs = glob.glob(f"{folder}/*.deb")
if not check(packed.returncode == 0 and len(debs) == 1, f"cpack: {[f'{p}: {os.path.getsize(p) / 1e6:.1f} MB' for p in debs]} {packed.stderr[-800:]}"):
    print(packed.stdout[-3000:])
    finish()
shutil.copy(debs[0], os.path.join(root, "cereus.deb"))
shutil.copy("/etc/resolv.conf", os.path.join(root, "etc/resolv.conf"))


def inside(command, user=""):
    """In the root, with /proc and /dev of its own; as a user without any rights, if one is named."""
    words = f"setpriv --reuid={user} --regid={user} --clear-groups --reset-env bash -c" if user else "bash -c"
    mounts = f"mount -t proc proc {root}/proc && mount --bind /dev {root}/dev && mount -t tmpfs tmpfs {root}/dev/shm"
    done = subprocess.run(["unshare", "--mount", "bash", "-c", f'{mounts} && exec chroot {root} {words} "$0"', command], capture_output=True, text=True,
                          env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


bare = "apt-get install -qq -y --no-install-recommends /cereus.deb"
code, said = inside(f"useradd --create-home wanda && apt-get update -qq && {bare} --download-only")
check(code == 0, f"downloaded: {said[-500:] if code else ''}")
begun = time.monotonic()
code, said = inside(f"{bare} && cd /home/wanda && setpriv --reuid=wanda --regid=wanda --clear-groups --reset-env cereus run /opt/cereus/share/cereus/parfiles/wave.yaml")
took = time.monotonic() - begun
pictures = glob.glob(f"{root}/home/wanda/wave/*.png")
check(code == 0 and pictures and took <= 60, f"installed, run, {len(pictures)} pictures: {took:.1f} s (at most 60) {said[-800:] if code else ''}")
_, packages = inside("dpkg-query -W -f '${Package}\\n' | wc -l; du -sm /opt/cereus | cut -f1; ls /opt/cereus /opt/cereus/share/cereus")
print("      packages, MB, contents:", " ".join(packages.split()))
unwritable = subprocess.run(["find", f"{root}/opt/cereus", "-writable", "-not", "-user", "root"], capture_output=True, text=True).stdout
check(not unwritable, f"nothing of it belongs to anybody but root: {unwritable[:200]}")
for what, command in (("two processes", "cereus run -n 2 --fresh /opt/cereus/share/cereus/parfiles/wave.yaml"),
                      ("the list of thorns", "cereus list | grep WaveToy && ! cereus list | grep refused"),
                      ("equations without a compiler", "cereus run --set Cereus.final_time=2 /opt/cereus/share/cereus/parfiles/gray-scott.yaml"),
                      ("plot without Python", "! cereus plot wave 2> said; grep 'apt-get install python3' said")):
    code, said = inside(f"cd ~ && {command}", "wanda")
    check(code == 0, f"{what}: {said[-800:] if code else ''}")
code, said = inside("apt-get install -qq -y --no-install-recommends g++ python3-h5py python3-matplotlib python3-numpy python3-yaml")
check(code == 0, f"with what it recommends: {said[-300:] if code else ''}")
for what, command in (("a compiler", "cereus run --fresh --set Cereus.final_time=2 /opt/cereus/share/cereus/parfiles/gray-scott.yaml | grep 'compiled in' && ls -d ~/.cache/cereus/thorns/*"),
                      ("plot", "cereus plot wave && ls *.png"),
                      ("submit", "! cereus submit --wall 1h /opt/cereus/share/cereus/parfiles/wave.yaml 2> said; grep sbatch said")):
    code, said = inside(f"cd ~ && {command}", "wanda")
    check(code == 0, f"{what}: {said[-800:] if code else ''}")
code, said = inside("apt-get remove -qq -y cereus && ! ls /opt/cereus /usr/bin/cereus")
check(code == 0, f"removed: {said[-300:] if code else ''}")
finish()
