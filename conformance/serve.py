#!/usr/bin/env python3
"""What `mapjudge serve` holds, tried from outside over HTTP with a built program.

    python3 conformance/serve.py bytes PROGRAM [--postgres] [--workers 1,4] [--profiles rules.toml,vr-2008,..]
    python3 conformance/serve.py uploads PROGRAM [--postgres] [--number 1000]
    python3 conformance/serve.py kills PROGRAM [--postgres] [--number 100]
    python3 conformance/serve.py load PROGRAM LOAD_EXAMPLE [--teams 100] [--each 1] [--free]
    python3 conformance/serve.py viewers PROGRAM [--number 200] [--seconds 60]
    python3 conformance/serve.py restart PROGRAM LOAD_EXAMPLE
    python3 conformance/serve.py disk PROGRAM
    python3 conformance/serve.py findings PROGRAM [--postgres] [--number 20]
    python3 conformance/serve.py interface PROGRAM

bytes:   the ranking that the server shows is, byte for byte, what `mapjudge contest` computes on its export: submissions of
         folders, uploads, a zip, a broken upload, a chosen earlier submission, an entered value, a transform by hand, and each
         publication afterwards.
uploads: uploads, a tenth of them broken in 12 kinds, 8 at a time: none lost, none stuck, broken ones say why; memory of the server.
kills:   server or worker killed at random times under upload: every confirmed upload is there, no result is doubled.
load:    the load generator (`cargo build --release -p mapjudge-server --example contest_load`) on SQLite with one worker, on
         PostgreSQL with one and with two. A worker stands for a machine of one core: each is kept on a core of its own
         (--free: they use all cores). Processor time of each, from which follows what more machines would do.
viewers: open pages that listen for news and ask what the page asks at each publication, one every 5 s: how long until all have
         seen it, processor time and memory of the server.
restart: 10,000 submissions and 100,000 events: until the first answer, and until the end while pages listen.
disk:    uploads until the disk is full (a small file system in memory; needs root): what was confirmed is there, work goes
         on when there is room again.
findings: uploads one after the other, good and broken ones: how long until their team can read what is wrong with them.
interface: the description is valid OpenAPI 3.1 (needs the Python package openapi-spec-validator).

Exit code 1 if something does not hold. PostgreSQL is Debian's, started in a temporary folder.
"""

import argparse
import asyncio
import atexit
import concurrent.futures
import functools
import http.client
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

# Profiles for which the demonstration has a truth; others are named in the output.
PROFILES = ["rules.toml", "arc-2025", "interleague-2009", "rcj-2025", "rrl-2007", "rrl-2010-fiducial", "rrl-2024", "rrl-2025",
            "rvrl-2019", "rvrl-2022", "subt-2021", "vr-2008"]
FAILED = []


def check(holds, words):
    if not holds:
        FAILED.append(words)
        print(f"MISSED: {words}", flush=True)


class Postgres:
    """A server in a temporary folder, as the user postgres where this user is root."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="mapjudge-pg-")
        self.lead = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
            self.lead = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        places = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        self.bin = str(places[-1]) + "/" if places else ""
        self.data = self.folder + "/data"
        self.run("initdb", "-D", self.data, "-U", "judge", "-A", "trust", "-E", "UTF8")
        options = f"-c listen_addresses='' -k {self.folder}"
        self.run("pg_ctl", "-D", self.data, "-w", "-l", self.data + ".log", "-o", options, "start")
        self.number = 0

    def run(self, program, *words):
        subprocess.run([*self.lead, self.bin + program, *words], check=True, cwd="/", stdout=subprocess.DEVNULL)

    def new_url(self):
        """A database that nobody has written to."""
        self.number += 1
        name = f"contest{self.number}"
        self.run("createdb", "-h", self.folder, "-U", "judge", name)
        return f"postgres://judge@{self.folder.replace('/', '%2F')}/{name}"

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


class Served:
    """A contest of the demonstration that is served."""

    def __init__(self, program, folder, db=None, workers=1):
        self.program, self.folder, self.workers = program, folder, workers
        self.places = ["--db", db] if db else []
        self.server = None

    def user(self, *words):
        done = subprocess.run([self.program, "serve", "user", *words, "--contest", self.folder, *self.places],
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def start(self):
        words = [self.program, "serve", self.folder, "--listen", "127.0.0.1:0", "--workers", str(self.workers), *self.places]
        self.log = open(Path(self.folder) / "server.log", "a+")
        begin = self.log.seek(0, 2)
        self.server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        for _ in range(600):
            time.sleep(0.05)
            text = Path(self.log.name).read_text()[begin:]
            found = re.search(r"http://([0-9.]+:[0-9]+)", text)
            if found:
                self.address = found[1]
                return self
            if self.server.poll() is not None:
                raise SystemExit(f"the server did not start: {text}")
        raise SystemExit("the server did not start in 30 s")

    def stop(self, kill=False):
        self.server.kill() if kill else self.server.terminate()
        self.server.wait()

    def memory_mb(self):
        status = Path(f"/proc/{self.server.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def ask(self, verb, path, token, body=None, kind="application/json"):
        connection = http.client.HTTPConnection(self.address, timeout=120)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            headers["Content-Type"] = kind
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(verb, "/api/v1" + path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), content

    def json(self, verb, path, token, body=None):
        for attempt in range(5):
            try:
                status, _, content = self.ask(verb, path, token, body)
                break
            except OSError:
                # A busy machine may not send the head of a request in time.
                if verb != "GET" or attempt == 4:
                    raise
                time.sleep(1)
        if status >= 400:
            raise SystemExit(f"{verb} {path}: {status} {content[:300]}")
        return json.loads(content) if content else None

    def upload(self, token, team, files):
        parts = [("mission", None, b""), ("team", None, team.encode())]
        parts += [("file", name, content) for name, content in files]
        body = b""
        for name, file, content in parts:
            file = f'; filename="{file}"' if file else ""
            body += f'--x\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'.encode() + content + b"\r\n"
        return self.ask("POST", "/submissions", token, body + b"--x--\r\n", "multipart/form-data; boundary=x")

    def all(self, token):
        found, after = [], ""
        while True:
            items = self.json("GET", f"/submissions?limit=200&after={after}", token)["items"]
            if not items:
                return found
            found += items
            after = items[-1]["id"]

    def wait_until_done(self, token, seconds=3600):
        """Until nothing waits and the ranking has followed."""
        until, quiet = time.time() + seconds, 0
        while time.time() < until:
            busy = any(item["state"] in ("waiting", "leased") for item in self.json("GET", "/jobs", token)["items"])
            open_ones = [item for item in self.all(token) if item["state"] in ("received", "checked")]
            quiet = 0 if busy or open_ones else quiet + 1
            if quiet >= 8:
                return True
            time.sleep(0.25)
        return False

    def ranking(self, token, of="jury"):
        status, headers, content = self.ask("GET", f"/ranking?of={of}", token)
        return status, content, headers


@functools.cache
def made_once(program):
    """The folder of the demonstration's contest; made once, thrown away at the end."""
    folder = tempfile.TemporaryDirectory(prefix="mapjudge-demo-")
    atexit.register(folder.cleanup)
    subprocess.run([program, "demo", "--quiet", "--out", folder.name + "/made"], check=True, stdout=subprocess.DEVNULL)
    return Path(folder.name, "made", "contest")


def demonstration(program, folder, profile="rules.toml", more=""):
    shutil.copytree(made_once(program), folder, dirs_exist_ok=True)
    with_more_truth(Path(folder))
    file = Path(folder) / "contest.toml"
    text = file.read_text().replace("rules.toml", profile)
    text = text.replace("[truth]", "[serve]\nsubmissions = 100000\nverify = false\n"
                        "limits = { uploads_per_minute = 100000 }\n\n[truth]", 1)
    text = text.replace("[files]", 'artifacts = "truth/points.csv"\npoints = "truth/points.csv"\nmatrix = "truth/matrix.csv"\n'
                        'relations = "truth/run.relations"\n\n[files]\nartifacts = "points.csv"\npoints = "points.csv"\n'
                        'matrix = "matrix.csv"\ntrajectory = "run.tum"\nvictims = "victims.geojson"', 1)
    file.write_text(text + more)


def with_more_truth(folder):
    """Points, a matrix and a run, so that every profile has something to judge."""
    head = "pois\n1.2\nTeam\nNowhere\n2025-07-19\n14:00:00\nFinal\n\nid,time,text,x,y,z,robot,mode,type\n"
    teams = ["aurora", "borealis", "cascade", "dynamo"]
    for number, place in enumerate(["truth", *teams]):
        off = 0.05 * number
        rows = [(1, "7", 0, 0, "ar_tag"), (2, "8", 6 + off, 1, "ar_tag"), (3, "fire", 4, 4 - off, "hazmat"),
                (4, "helmet", 1 + off, 8, "real_object")]
        lines = [f"{i},14:3{i}:00,{text},{x},{y},0,r1,A,{kind}" for i, text, x, y, kind in rows]
        (folder / place / "points.csv").write_text(head + "\n".join(lines) + "\n")
        (folder / place / "matrix.csv").write_text("5,1,1\n0,0,1\n1,0,1\n" if number % 2 else "5,1,1\n0,0,1\n1,1,1\n")
        rows = [f"{i}.0 {i * (1 + off / 10)} 0 0 0 0 0 1" for i in range(12)]
        (folder / place / "run.tum").write_text("\n".join(rows) + "\n")
    relations = [f"{i}.0 {i + 1}.0 1 0 0 0 0 0" for i in range(11)]
    (folder / "truth" / "run.relations").write_text("\n".join(relations) + "\n")
    (folder / "truth" / "run.tum").unlink()


def files_of(folder, team):
    return [(path.name, path.read_bytes()) for path in sorted((Path(folder) / team).iterdir())]


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def recomputed(served, at=None):
    """The bytes that `mapjudge contest` computes on the export."""
    with tempfile.TemporaryDirectory() as place:
        to = place + "/export"
        words = [served.program, "serve", "export", to, "--contest", served.folder, *served.places]
        subprocess.run(words + (["--at", str(at)] if at else []), check=True, capture_output=True)
        out = served.folder + "/recomputed"
        done = subprocess.run([served.program, "contest", to, "--no-figures", "--overwrite", "--out", out], capture_output=True)
        if done.returncode:
            return done.stderr
        return Path(out, "contest.json").read_bytes()


def judge_everything(served):
    """A contest day in small; the rankings that were shown, by the event of their publication."""
    judge, folder = served.user("token", "jo"), served.folder
    shown = {}

    def publish(words):
        check(served.wait_until_done(judge), f"{words}: nothing waits in the end")
        status, content, headers = served.ranking(judge)
        if status != 200:
            check(False, f"{words}: there is a ranking ({status})")
            return
        headers = {name.lower(): value for name, value in headers.items()}
        made = served.json("POST", "/publications", judge, {"ranking": int(headers["x-ranking-seq"]), "note": words})
        public = served.ranking(judge, "public")[1]
        check(public == content, f"{words}: the public sees the bytes that judges saw")
        check(recomputed(served) == content, f"{words}: the same bytes")
        shown[made["seq"]] = (words, content)

    publish("submissions of folders")
    served.upload(judge, "Dynamo", files_of(folder, "aurora"))
    served.upload(judge, "Borealis", [("all.zip", zipped(files_of(folder, "borealis")))])
    cut = [(name, content[:90] if name == "nav.tif" else content) for name, content in files_of(folder, "cascade")]
    served.upload(judge, "Cascade", cut)
    publish("later submissions")
    by_number = {(item["team"], item["number"]): item["id"] for item in served.all(judge)}
    served.json("PUT", f"/submissions/{by_number['Dynamo', 1]}/counts", judge, {"reason": "the net was down then"})
    criteria = served.json("GET", "/contest", judge)["criteria"]
    for criterion in criteria[:2]:
        path = f"/submissions/{by_number['Aurora', 1]}/values/{criterion['name']}"
        served.json("PUT", path, judge, {"value": 2, "reason": "seen on the day"})
    frame = {"truth_from_map": {"x_m": 0.3, "y_m": 0.1, "theta_rad": 0.01, "scale": 1.0}, "by": "", "pairs": [],
             "reason": "the doors say so"}
    status, _, content = served.ask("PUT", f"/submissions/{by_number['Cascade', 1]}/frame", judge, frame)
    if status >= 400:
        print(f"  no transform by hand: {content[:120]}")
    publish("decisions")
    for seq, (words, content) in shown.items():
        check(recomputed(served, seq) == content, f"{words}: --at {seq}")
    return len(shown)


def same_bytes(program, postgres, workers, profiles):
    for profile in profiles:
        for db in [None, "postgres"] if postgres else [None]:
            for number in workers:
                before = len(FAILED)
                with tempfile.TemporaryDirectory(prefix="mapjudge-serve-") as folder:
                    demonstration(program, folder, profile)
                    served = Served(program, folder, postgres.new_url() if db else None, number)
                    served.user("add", "jo", "--role", "judge")
                    served.start()
                    shown = judge_everything(served)
                    served.stop()
                held = "held" if len(FAILED) == before else "MISSED"
                print(f"bytes {profile} {db or 'sqlite'} workers {number}: {shown} publications, {held}", flush=True)


def broken_kinds(good):
    """Twelve kinds of broken uploads, from the files of a good one."""
    files = dict(good)
    nav = files.pop("nav.tif")
    rest = list(files.items())
    bomb = zipped([("nav.tif", bytes(60 << 20))])
    return [
        ("no map", rest),
        ("another name", [*rest, ("map.bin", nav)]),
        ("empty", [*rest, ("nav.tif", b"")]),
        ("cut", [*rest, ("nav.tif", nav[: len(nav) // 2])]),
        ("text", [*rest, ("nav.tif", b"hello\n")]),
        ("noise", [*rest, ("nav.tif", random.Random(1).randbytes(4000))]),
        ("head alone", [*rest, ("nav.tif", nav[:8])]),
        ("no zip", [*rest, ("all.zip", b"PK\x03\x04 no")]),
        ("a bomb", [*rest, ("all.zip", bomb)]),
        ("leads out", [*rest, ("all.zip", zipped([("../nav.tif", nav)]))]),
        ("300 files", [*rest, ("all.zip", zipped([(f"{n}.txt", b"x") for n in range(300)] + [("nav.tif", nav)]))]),
        ("a page", [*rest, ("nav.tif", b"<html><script>alert(1)</script>" * 50)]),
    ]


def uploads(program, postgres, number):
    with tempfile.TemporaryDirectory(prefix="mapjudge-serve-") as folder:
        demonstration(program, folder)
        good = files_of(folder, "aurora")
        kinds = broken_kinds(good)
        served = Served(program, folder, postgres.new_url() if postgres else None, 2)
        served.user("add", "jo", "--role", "judge")
        judge = served.user("token", "jo")
        served.start()

        def one(index):
            mark = f"\n{' ' * (index % 97)}".encode() + b"\n" * (index // 97)
            kind, files = kinds[index // 10 % len(kinds)] if index % 10 == 0 else ("good", good)
            files = [(name, content + mark) if name.endswith(".geojson") else (name, content) for name, content in files]
            begun = time.time()
            status, _, content = served.upload(judge, ["Aurora", "Borealis", "Cascade", "Dynamo"][index % 4], files)
            return kind, status, json.loads(content).get("id"), time.time() - begun

        begun = time.time()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            sent = list(pool.map(one, range(number)))
        sent_s = time.time() - begun
        check(all(status == 201 for _, status, _, _ in sent), "every upload is taken")
        check(served.wait_until_done(judge, 36_000), "nothing is stuck")
        judged_s = time.time() - begun
        states = {item["id"]: item for item in served.all(judge)}
        lost = [name for _, _, name, _ in sent if name not in states]
        check(not lost, f"none is lost: {lost[:3]}")
        silent = [kind for kind, _, name, _ in sent
                  if kind != "good" and not (states[name]["state"] == "broken" and states[name].get("error"))]
        check(not silent, f"broken ones say why: {sorted(set(silent))}")
        wrong = [name for kind, _, name, _ in sent if kind == "good" and states[name]["state"] == "broken"]
        check(not wrong, f"good ones are measured: {len(wrong)} are not")
        memory_mb = served.memory_mb()
        check(memory_mb < 300, f"the server needs {memory_mb:.0f} MB")
        times = sorted(seconds for *_, seconds in sent)
        print(f"uploads {number}: sent in {sent_s:.1f} s (p95 of one {times[int(0.95 * len(times))]:.2f} s), judged in "
              f"{judged_s:.1f} s, server {memory_mb:.0f} MB", flush=True)
        check(recomputed(served) == served.ranking(judge)[1], "the same bytes afterwards")
        served.stop()


def kills(program, postgres, number):
    dice = random.Random(7)
    with tempfile.TemporaryDirectory(prefix="mapjudge-serve-") as folder:
        demonstration(program, folder)
        db = postgres.new_url() if postgres else f"sqlite:{folder}/.mapjudge/judge.db"
        served = Served(program, folder, postgres and db, 0)
        served.user("add", "jo", "--role", "judge")
        judge = served.user("token", "jo")
        good, taken = files_of(folder, "aurora"), {}
        work = [program, "worker", "--db", db, "--objects", f"{folder}/.mapjudge/objects"]
        worker, killed, cut = None, {"server": 0, "worker": 0}, 0
        served.start()

        def send(index):
            try:
                mark = b" " * index + b"\n"
                files = [(name, content + mark if name.endswith(".geojson") else content) for name, content in good]
                status, _, content = served.upload(judge, ["Aurora", "Dynamo"][index % 2], files)
                if status == 201:
                    taken[json.loads(content)["id"]] = json.loads(content)
            except OSError:
                pass

        for index in range(number):
            worker = worker or subprocess.Popen(work, stderr=subprocess.DEVNULL)
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                sent = [pool.submit(send, 2 * index), pool.submit(send, 2 * index + 1)]
                time.sleep(dice.uniform(0, 0.4))
                if dice.random() < 0.5:
                    served.stop(kill=True)
                    [one.result() for one in sent]
                    served.start()
                    killed["server"] += 1
                else:
                    worker.kill()
                    worker.wait()
                    worker = None
                    killed["worker"] += 1
                    cut += any(job["state"] == "leased" for job in served.json("GET", "/jobs", judge)["items"])
        if worker:
            worker.kill()
            worker.wait()
        served.stop(kill=True)
        # Leases of those that were killed run out within a minute.
        served.workers = 2
        served.start()
        check(served.wait_until_done(judge), "no job is lost")
        states = {item["id"]: item for item in served.all(judge)}
        check(all(name in states for name in taken), "every confirmed upload is there")
        after, events = 0, []
        while items := served.json("GET", f"/audit?after={after}", judge)["items"]:
            events += items
            after = items[-1]["seq"]
        by_seq = {event["seq"]: event["hash"] for event in events}
        receipts = [receipt["receipt"] for receipt in taken.values()]
        check(all(by_seq.get(receipt["seq"]) == receipt["hash"] for receipt in receipts), "every receipt is in the chain")
        measured = [event["subject"] for event in events if event["kind"] == "measured"]
        check(len(measured) == len(set(measured)), "no result is doubled")
        check(recomputed(served) == served.ranking(judge)[1], "the same bytes afterwards")
        served.stop()
        done = subprocess.run([program, "serve", "check", "--contest", folder, *served.places], capture_output=True, text=True)
        check(done.returncode == 0, f"serve check: {done.stdout} {done.stderr}")
        broken = sum(item["state"] == "broken" for item in states.values())
        print(f"kills {number} ({killed['server']} of the server, {killed['worker']} of a worker, {cut} of these with jobs in "
              f"hand): {len(taken)} confirmed uploads, {len(states)} there, {broken} broken, {len(measured)} measured", flush=True)


def load(program, example, teams, each, cores):
    postgres = Postgres()
    told = {}
    try:
        for db, workers in [("sqlite", 1), ("postgres", 1), ("postgres", 2)]:
            url = "sqlite" if db == "sqlite" else postgres.new_url()
            before = children_cpu_s(postgres)
            words = [example, program, url, str(teams), str(each), str(workers), cores]
            done = subprocess.run(words, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(done.stderr)
            told[db, workers] = row = json.loads(done.stdout)
            row["database_cpu_s"] = round(children_cpu_s(postgres) - before, 2)
            row["load_average"] = os.getloadavg()[0]
            print(json.dumps(row), flush=True)
    finally:
        postgres.stop()
    one, two = told["postgres", 1], told["postgres", 2]
    gain = two["judged_per_s"] / one["judged_per_s"]
    # Where other programs keep the cores busy, processor time tells what two machines would do: what work costs beside
    # another worker, against alone.
    each_one, each_two = (row["workers_cpu_s"] / row["submissions"] for row in (one, two))
    print(f"two workers give {gain:.2f} times the rate of one; processor time of a submission {1000 * each_one:.1f} ms with one "
          f"worker, {1000 * each_two:.1f} ms with two: by it {2 * each_one / each_two:.2f} times the rate")
    check(gain >= 1.8, "two workers give at least 1.8 times the rate of one")


def children_cpu_s(postgres):
    """Processor time of all processes of a database server, ended ones too."""
    head = int(Path(postgres.data, "postmaster.pid").read_text().split()[0])
    def of(process):
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{head}/task/{head}/children").read_text().split()
    total = of(head)
    for child in children:
        try:
            total += of(child)
        except OSError:
            pass
    return total


def cpu_s(process):
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def viewer(address, index, seen):
    """A page of the public: one stream of news, one connection for what it asks."""
    host, port = address.split(":")
    stream, out = await asyncio.open_connection(host, int(port))
    out.write(f"GET /api/v1/events HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
    asked, ask = await asyncio.open_connection(host, int(port))

    async def get(path):
        ask.write(f"GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
        head = (await asked.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(re.search(r"content-length: (\d+)", head)[1])
        return await asked.readexactly(length)

    try:
        while line := await stream.readline():
            if line.startswith(b"event: ranking"):
                contest = json.loads(await get("/api/v1/contest"))
                await get("/api/v1/me")
                await get("/api/v1/ranking?of=public")
                seen.setdefault(contest["published_seq"], {})[index] = time.time()
    except (asyncio.CancelledError, asyncio.IncompleteReadError):
        pass
    finally:
        out.close()
        ask.close()


def viewers(program, number, seconds):
    with tempfile.TemporaryDirectory(prefix="mapjudge-serve-") as folder:
        demonstration(program, folder)
        served = Served(program, folder, None, 1)
        served.user("add", "jo", "--role", "judge")
        judge = served.user("token", "jo")
        served.start()
        served.wait_until_done(judge)
        ranking = int({name.lower(): value for name, value in served.ranking(judge)[2].items()}["x-ranking-seq"])
        seen, published = {}, {}

        async def watch():
            tasks = [asyncio.create_task(viewer(served.address, index, seen)) for index in range(number)]
            await asyncio.sleep(2)
            begun, cpu = time.time(), cpu_s(served.server.pid)
            until = begun + seconds
            while time.time() < until:
                at = time.time()
                made = await asyncio.to_thread(served.json, "POST", "/publications", judge, {"ranking": ranking, "note": "again"})
                published[made["seq"]] = at
                await asyncio.sleep(max(0, 5 - (time.time() - at)))
            used = (cpu_s(served.server.pid) - cpu) / (time.time() - begun)
            for task in tasks:
                task.cancel()
            return used

        used = asyncio.run(watch())
        lacking = [seq for seq in published if len(seen.get(seq, {})) < number]
        check(not lacking, f"all see each publication: {len(lacking)} of {len(published)} were not seen by all")
        last = sorted(max(seen[seq].values()) - at for seq, at in published.items() if seq in seen)
        memory_mb = served.memory_mb()
        check(last[len(last) // 2] < 1, f"all have seen a publication after {last[len(last) // 2]:.2f} s")
        check(used < 0.5, f"the server needs {100 * used:.0f} % of a core")
        check(memory_mb < 150, f"the server needs {memory_mb:.0f} MB")
        print(f"viewers {number}: {len(published)} publications, seen and read by all after {last[len(last) // 2]:.2f} s in the "
              f"median, {last[-1]:.2f} s at most; server {100 * used:.1f} % of a core, {memory_mb:.0f} MB; "
              f"load average {os.getloadavg()[0]:.1f}", flush=True)
        served.stop()


def restart(program, example):
    with tempfile.TemporaryDirectory(prefix="mapjudge-serve-") as folder:
        subprocess.run([example, "fill", folder, "10000", "100000"], check=True)
        firsts, ends = [], []
        for _ in range(5):
            served = Served(program, folder, None, 0)
            begun = time.time()
            served.start()
            status, *_ = served.ask("GET", "/contest", "")
            firsts.append((time.time() - begun, cpu_s(served.server.pid)))
            check(status == 200, f"the first answer is {status}")
            streams = []
            for _ in range(20):
                stream = http.client.HTTPConnection(served.address, timeout=10)
                stream.request("GET", "/api/v1/events")
                stream.getresponse().readline()
                streams.append(stream)
            begun = time.time()
            served.stop()
            ends.append(time.time() - begun)
        first, cpu = sorted(firsts)[2]
        check(first < 1, f"the first answer comes after {first:.2f} s")
        check(sorted(ends)[2] < 2, f"the server ends after {sorted(ends)[2]:.2f} s")
        print(f"restart with 10,000 submissions and 100,000 events: first answer after {first:.2f} s ({cpu:.2f} s of processor "
              f"time), end after {sorted(ends)[2]:.2f} s beside 20 open streams (medians of 5)", flush=True)


def disk(program):
    with tempfile.TemporaryDirectory(prefix="mapjudge-serve-") as folder:
        if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", folder], capture_output=True).returncode:
            print("skipped: a small file system in memory can be mounted by root alone")
            return
        try:
            full_disk(program, folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=False)


def full_disk(program, folder):
    demonstration(program, folder)
    file = Path(folder) / "contest.toml"
    file.write_text(file.read_text().replace("limits = {", "limits = { free_mib = 0,"))
    served = Served(program, folder, None, 1)
    served.user("add", "jo", "--role", "judge")
    judge = served.user("token", "jo")
    served.start()
    good, taken, refused = files_of(folder, "aurora"), {}, []
    for index in range(400):
        files = [*good, ("notes.bin", random.Random(index).randbytes(1 << 20))]
        status, _, content = served.upload(judge, "Aurora", files)
        if status == 201:
            taken[json.loads(content)["id"]] = json.loads(content)
        else:
            refused.append((status, json.loads(content).get("code")))
            if len(refused) >= 5:
                break
    check(refused and all(status in (500, 503, 507) for status, _ in refused), f"a full disk is told: {refused}")
    # Somebody makes room: the file system grows.
    subprocess.run(["mount", "-o", "remount,size=400m", folder], check=True)
    check(served.wait_until_done(judge, 600), "work goes on when there is room again")
    status, *_ = served.upload(judge, "Dynamo", good)
    check(status == 201, f"uploads are taken again: {status}")
    check(served.wait_until_done(judge, 600), "nothing is stuck")
    states = {item["id"]: item for item in served.all(judge)}
    check(all(states.get(name, {}).get("state") == "measured" for name in taken), "what was confirmed is there and measured")
    check(recomputed(served) == served.ranking(judge)[1], "the same bytes afterwards")
    served.stop()
    done = subprocess.run([program, "serve", "check", "--contest", folder], capture_output=True, text=True)
    check(done.returncode == 0, f"serve check: {done.stdout} {done.stderr}")
    print(f"disk: {len(taken)} uploads confirmed before it was full, {len(refused)} refused ({refused[0]}); all are measured", flush=True)


def findings(program, postgres, number):
    with tempfile.TemporaryDirectory(prefix="mapjudge-serve-") as folder:
        demonstration(program, folder)
        served = Served(program, folder, postgres.new_url() if postgres else None, 1)
        served.user("add", "jo", "--role", "judge")
        served.user("add", "al", "--role", "team", "--team", "Aurora")
        judge, team = served.user("token", "jo"), served.user("token", "al")
        served.start()
        served.wait_until_done(judge)
        good = files_of(folder, "aurora")
        cut = [(name, content[:90] if name == "nav.tif" else content) for name, content in good]
        times = []
        for index in range(number):
            begun = time.time()
            status, _, content = served.upload(team, "Aurora", cut if index % 2 else good)
            check(status == 201, f"an upload is taken: {status}")
            path = f"/submissions/{json.loads(content)['id']}"
            while not served.json("GET", path, team)["times"]["checked"]:
                time.sleep(0.02)
            found = served.json("GET", path + "/findings", team)["items"]
            times.append(time.time() - begun)
            named = any(entry["level"] == "error" and entry.get("file") == "nav.tif" for entry in found)
            check(named == bool(index % 2), f"upload {index}: findings {found}")
            served.wait_until_done(judge)
        times.sort()
        check(times[-1] < 2, f"findings after {times[-1]:.2f} s")
        print(f"findings of {number} uploads, half of them broken, one worker: {times[len(times) // 2]:.2f} s after sending in the "
              f"median, {times[-1]:.2f} s at most; load average {os.getloadavg()[0]:.1f}", flush=True)
        served.stop()


def interface(program):
    try:
        from openapi_spec_validator import OpenAPIV31SpecValidator
    except ImportError:
        print("skipped: the Python package openapi-spec-validator is not here")
        return
    with tempfile.TemporaryDirectory(prefix="mapjudge-serve-") as folder:
        contest = "title = 'Cup'\nprofile = 'vr-2008'\n[[teams]]\nname = 'A'\nfolder = 'a'\n"
        Path(folder, "contest.toml").write_text(contest)
        served = Served(program, folder, None, 0)
        served.start()
        document = json.loads(served.ask("GET", "/openapi.json", "")[2])
        served.stop()
        faults = list(OpenAPIV31SpecValidator(document).iter_errors())
        check(not faults, f"the description is valid: {faults[:3]}")
        operations = sum(len(verbs) for verbs in document["paths"].values())
        print(f"interface: {operations} operations in valid OpenAPI {document['openapi']}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["bytes", "uploads", "kills", "load", "viewers", "restart", "disk", "findings",
                                         "interface"])
    parser.add_argument("program")
    parser.add_argument("example", nargs="?")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--workers", default="1,4")
    parser.add_argument("--profiles", default=",".join(PROFILES))
    parser.add_argument("--number", type=int)
    parser.add_argument("--teams", type=int, default=100)
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--free", action="store_true")
    given = parser.parse_args()
    program = os.path.abspath(given.program)
    postgres = Postgres() if given.postgres and given.what != "load" else None
    try:
        if given.what == "bytes":
            workers = [int(number) for number in given.workers.split(",")]
            same_bytes(program, postgres, workers, given.profiles.split(","))
        elif given.what == "uploads":
            uploads(program, postgres, given.number or 1000)
        elif given.what == "kills":
            kills(program, postgres, given.number or 100)
        elif given.what == "viewers":
            viewers(program, given.number or 200, given.seconds)
        elif given.what == "restart":
            restart(program, os.path.abspath(given.example))
        elif given.what == "disk":
            disk(program)
        elif given.what == "findings":
            findings(program, postgres, given.number or 20)
        elif given.what == "interface":
            interface(program)
        else:
            load(program, os.path.abspath(given.example), given.teams, given.each, "free" if given.free else "own")
    finally:
        if postgres:
            postgres.stop()
    sys.exit(1 if FAILED else 0)


if __name__ == "__main__":
    main()
