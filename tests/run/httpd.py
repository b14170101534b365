#!/usr/bin/env python3
"""The page of a run shows what the run has written, to whoever has the token, on this machine; nothing else, and nothing can be changed there. What
is sent to it that is no request, and connections that never end, do the run no harm: its series has the same bits, and it ends when it is
told to. In headless Chromium, if there is one, the page is drawn.

Mutations that make it fail: the token is not compared; links are followed; other methods are let through; it listens everywhere; names with a
NUL are let through; the program is not killed but waited for; it keeps its port for a while; the list of files opens each of them, has
all of them, or the oldest; the program is started wherever it lies; a picture on the page without a link, or one without the token.
"""
import atexit
import ctypes
import glob
import html
import json
import os
import random
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from _physics import check, finish, job

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, IOImage, WaveToy, TimerReport{more}]
Cereus: {{iterations: {iterations}, output: out}}
UniGrid: {{cells: [16, 16, 16]}}
IOASCII: {{variables: ["WaveToy::u"], every: 50}}
IOImage: {{every: 500}}
TimerReport: {{every: 100}}
"""


def ask(url, method="GET", data=None, **headers):
    """Status, headers and body; of a refusal, too."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=data, method=method, headers=headers), timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as e:
        return e.code, e.headers, e.read()


def wait_for(what, seconds=40):
    limit = time.monotonic() + seconds
    while not what() and time.monotonic() < limit:
        time.sleep(0.05)
    return bool(what())


folder = tempfile.mkdtemp(prefix="cereus-")
out = os.path.join(folder, "out")
running = subprocess.Popen(**job(folder, PARFILE.format(iterations=10000000, more=", HTTPD"), 2), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
atexit.register(running.kill)
address = os.path.join(out, "httpd.url")
check(wait_for(lambda: os.path.exists(address) and open(address).read().endswith("\n")), "the address is in the folder")
url = open(address).read().strip()
check(stat.S_IMODE(os.stat(address).st_mode) == 0o600, "for its owner alone")
parts = urllib.parse.urlsplit(url)
base, token, port = f"http://{parts.netloc}/", parts.query.removeprefix("token="), parts.port

check(wait_for(lambda: glob.glob(os.path.join(out, "*u.xy.it*.png")) and os.path.exists(os.path.join(out, "timers.json")) and os.path.exists(os.path.join(out, "progress.json"))),
      "the run writes what is to be shown")
status, headers, body = ask(url)
check(status == 200 and b"<title>Cereus" in body and "default-src 'none'" in headers["Content-Security-Policy"], f"the page: {status}")
state = json.loads(ask(f"{base}state?token={token}")[2])
names = {f["name"] for f in state["files"]}
check(state["progress"]["state"] == "running" and state["progress"]["processes"] == 2 and {"wavetoy-state.norm2.asc", "timers.json"} <= names, f"its state: {state['progress']}")
check("httpd.url" not in names, "the token is in no list")
check(b"WaveToy::rhs: " in ask(f"{base}file/schedule.txt?token={token}")[2], "the schedule")
status, headers, body = ask(f"{base}file/wavetoy-state.norm2.asc?token={token}", Range="bytes=2-8")
check((status, body) == (206, b"Scalar "), f"a part of a file: {status} {body!r}")

for what, expected, got in (
        ("no token", 403, ask(base)), ("another token", 403, ask(f"{base}state?token={'0' * 32}")), ("half a token", 403, ask(f"{base}state?token={token[:16]}")),
        ("an empty token", 403, ask(f"{base}state?token=")), ("a file without a token", 403, ask(f"{base}file/parameters.yaml")),
        ("another host", 403, ask(url, Host="example.org")), ("POST", 405, ask(url, "POST", b"x")), ("PUT", 405, ask(f"{base}file/steer.yaml?token={token}", "PUT", b"x")),
        ("DELETE", 405, ask(f"{base}file/parameters.yaml?token={token}", "DELETE")), ("HEAD", 405, ask(url, "HEAD")), ("OPTIONS", 405, ask(url, "OPTIONS")),
        ("a file elsewhere", 404, ask(f"{base}file/..%2Frun.yaml?token={token}")), ("a file further up", 404, ask(f"{base}file/..%2F..%2F..%2Fetc%2Fhosts.txt?token={token}")),
        ("a file of another kind that looks like a text", 404, ask(f"{base}file/httpd.url%00.txt?token={token}")), ("a file of another kind", 404, ask(f"{base}file/httpd.url?token={token}")), ("no such file", 404, ask(f"{base}file/none.txt?token={token}")),
        ("a folder", 404, ask(f"{base}file/?token={token}"))):
    check(got[0] == expected and token.encode() not in got[2], f"{what}: {got[0]}")
os.symlink("/etc/hostname", os.path.join(out, "link.txt"))
check(ask(f"{base}file/link.txt?token={token}")[0] == 404, "a link is not followed")

# A folder with very many files: they are listed without opening them, of each kind the newest.
for n in range(3000):
    path = os.path.join(out, f"many.it{n:08d}.png")
    open(path, "w").close()
    os.utime(path, (10**9 + n, 10**9 + n))
libc = ctypes.CDLL(None, use_errno=True)
watch = libc.inotify_init1(os.O_NONBLOCK)
check(libc.inotify_add_watch(watch, os.path.join(out, "many.it00002999.png").encode(), 0x20) > 0, "who opens a file is seen")
listed = [f["name"] for f in json.loads(ask(f"{base}state?token={token}")[2])["files"]]
many = sorted(name for name in listed if name.startswith("many"))
check(sum(name.endswith(".png") for name in listed) == 1000 and 500 < len(many) < 1000 and many[-1] == "many.it00002999.png" and many[0] == f"many.it{3000 - len(many):08d}.png",
      f"of 3000 and more pictures the newest: {many[:1]} to {many[-1:]}")
check("wavetoy-state.norm2.asc" in listed, "and the series")
try:
    opened = os.read(watch, 4096)
except BlockingIOError:
    opened = b""
check(not opened, "no file was opened for that")
open(os.path.join(out, "many.it00002999.png")).close()
check(os.read(watch, 4096), "which would have been seen")
for n in range(3000):
    os.remove(os.path.join(out, f"many.it{n:08d}.png"))

listening = [line.split()[1] for line in open("/proc/net/tcp").read().splitlines()[1:] if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")]
check(listening == [f"0100007F:{port:04X}"], f"it listens on this machine alone: {listening}")
second = subprocess.run(**job(tempfile.mkdtemp(prefix="cereus-"), PARFILE.format(iterations=1, more=", HTTPD") + f"HTTPD: {{port: {port}}}\n"), capture_output=True, timeout=60)
check(second.returncode == 0 and f"nothing can listen at port {port}" in second.stderr, f"a port that is taken, without which a run goes on: {second.returncode} {second.stderr.strip()}")

random.seed(7)
for n in range(200):  # what is no request, and requests that never end
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        noise = random.randbytes(random.randrange(2000))
        try:
            line.sendall(random.choice([noise, b"GET /" + noise, b"GET /state?token=" + noise + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: " + b"a" * 20000, f"GET /?token={token} HTTP/1.1\r\nRange: bytes=".encode() + noise[:8] + b"\r\n\r\n"]))
        except OSError:  # it hung up
            pass
check(ask(url)[0] == 200 and running.poll() is None, "it lives after 200 pieces of noise")

browser = shutil.which("chromium")
if browser:
    page = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000", "--dump-dom", url], capture_output=True, text=True, timeout=120).stdout
    (link,) = re.findall(r'<a href="(file/wavetoy-u\.xy\.it[^"]*)"[^>]*><img ', page) or [""]
    check(link and ask(base + html.unescape(link))[2][:4] == b"\x89PNG", f"a picture is a link to itself: {link[:40]}")
    check("wavetoy-state.norm2 u</span>" in page and '<path d="M0.00' in page and 'alt="wavetoy-u.xy.it' in page and "<td>WaveToy::rhs</td>" in page and "WaveToy::rhs: " in page and ">iteration " in page,
          "drawn in a browser: norms, pictures, timers, schedule, progress")
else:
    print("SKIPPED: no chromium here, so nobody has drawn the page")

def slowly(line, stop):
    """A request that never ends, a byte now and then."""
    try:
        line.sendall(b"GET / HTTP/1.1\r\nX: ")
        while not stop.wait(0.3):
            line.sendall(b"a")
    except OSError:
        pass


stop = threading.Event()
slow = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(6)]
for line in slow:
    threading.Thread(target=slowly, args=(line, stop), daemon=True).start()
time.sleep(1)
began = time.monotonic()
running.send_signal(signal.SIGTERM)
said, _ = running.communicate(timeout=60)
took = time.monotonic() - began
check(running.returncode == 2 and took < 10, f"requests that never end do not hold the end of the run: {running.returncode} after {took:.1f} s")
stop.set()
check("httpd.url" in said and token not in said and not os.path.exists(address), "the page closes; what the run says does not have the token")
check(json.load(open(os.path.join(out, "progress.json")))["state"] == "stopped", "and its progress says how it ended")
written = open(os.path.join(out, "wavetoy-state.norm2.asc")).read()
rows = [line for line in written.splitlines() if not line.startswith("#")]
alone = tempfile.mkdtemp(prefix="cereus-")
subprocess.run(**job(alone, PARFILE.format(iterations=rows[-1].split()[0], more="")), check=True, capture_output=True)
check(open(os.path.join(alone, "out", "wavetoy-state.norm2.asc")).read() == written, f"the series has the bits of a run without a page: {len(rows)} rows")

# The program is run only from where the thorn may be loaded.
place = tempfile.mkdtemp(prefix="cereus-")
for name in ("HTTPD.so", "cereus-httpd"):
    shutil.copy(os.path.join(os.environ["CEREUS_BUILD"], "lib", "cereus", "thorns", name), place)
program = os.path.join(place, "cereus-httpd")
for mode, page in ((0o755, True), (0o775, False), (0o757, False)):
    os.chmod(program, mode)
    how = job(tempfile.mkdtemp(prefix="cereus-"), PARFILE.format(iterations=1, more=", HTTPD"), options=["--thorns", place])
    done = subprocess.run(**how, capture_output=True, timeout=60)
    said = done.stdout + done.stderr
    check(done.returncode == 0 and ("this run has a page" in said) == page and (f"run chmod go-w {program}" in said) != page,
          f"its mode is {mode:o}: {'a page' if page else [line for line in said.splitlines() if 'HTTPD' in line]}")

# What kills the page does not touch the run; and the next run may have the same port at once.
folder = tempfile.mkdtemp(prefix="cereus-")
address = os.path.join(folder, "out", "httpd.url")
how = job(folder, PARFILE.format(iterations=10000000, more=", HTTPD") + f"HTTPD: {{port: {port}}}\n")
how["args"] = ["bash", "-c", 'ulimit -Sn 256; ulimit -Ss unlimited; exec "$@"', "-", *how["args"]]
running = subprocess.Popen(**how, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
atexit.register(running.kill)
check(wait_for(lambda: os.path.exists(address)) and f":{port}/" in open(address).read(), "the next run has the same port at once")
many = []
try:
    for _ in range(600):
        many.append(socket.create_connection(("127.0.0.1", port), timeout=2))
except OSError:  # it takes no more
    pass
for text in (b"GET / HTTP/1.1\r\nRange: bytes=" + b"1" * 6000 + b"-\r\n\r\n", b"GET /" + b"A" * 50_000_000):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as line:
            line.sendall(text)
    except OSError:
        pass
before = open(os.path.join(folder, "out", "progress.json")).read()
check(wait_for(lambda: open(os.path.join(folder, "out", "progress.json")).read() != before, 10) and running.poll() is None, f"the run goes on beside {len(many)} connections, a long number and a long line")
running.send_signal(signal.SIGTERM)
check(running.wait(60) == 2, f"and ends well: {running.returncode}")
finish()
