#!/usr/bin/env python3
"""Several nodes on one PostgreSQL, held against sites that log when each request came.

    benches/nodes.py BINARY SCENARIO...

Scenarios: same (the same site through every node), many (12 sites), waiting (12 sites that take 0.4 s, through nodes that fetch
eight pages at once: what bounds a node is not the machine's core), cost (CPU of a node beside one on SQLite: one site, four,
and twelve, of tiny pages and of ordinary ones), slow (sites that take 180 ms), rate, crawls, freed (crawls at once of a node that dies), kill, pause,
away (the database stops for 10 s), late (it answers 0.2 s late), skewed, refusal (a 429 that one node meets). All of it on
loopback, each bounded in time.
Prints one JSON line a scenario; exits with 1 where a promise was broken."""

import contextlib
import glob
import http.client
import json
import os
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

PAGES = 100
SO_TIMESTAMPNS = 35
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
# The sites' clock must not be late for want of a core: where that is allowed, they go before the nodes.
try:
    os.nice(-15)
    CALM = ["nice", "-n", "15"]
except OSError:
    CALM = []
HOST = "127.0.0.1"


def free_port():
    """A node is known by its listener, so no two may be told to take any that is free."""
    with socket.create_server((HOST, 0)) as taken:
        return taken.getsockname()[1]


class Site:
    """A site of some pages that notes when each request came."""

    def __init__(self, latency=0.0, robots=b"", refuse_at=None, pages=PAGES):
        self.latency, self.robots, self.refuse_at, self.pages = latency, robots, refuse_at, pages
        self.times, self.running, self.most, self.refused, self.stamped = [], 0, 0, None, 0

    def start(self):
        self.lock = threading.Lock()
        self.listener = socket.create_server((HOST, 0), backlog=512)
        # The kernel says when a request came: this process may be late to look.
        self.listener.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection):
        connection.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        head = b""
        while True:
            try:
                data, said, _, _ = connection.recvmsg(65536, 256)
            except ConnectionError:
                return
            if not data:
                return connection.close()
            head += data
            if b"\r\n\r\n" not in head:
                continue
            stamps = [struct.unpack("qq", d[:16]) for _, kind, d in said if kind == SO_TIMESTAMPNS]
            at = stamps[0][0] + stamps[0][1] / 1e9 if stamps else time.time()
            path, head = head.split(b" ", 2)[1].decode(), b""
            with self.lock:
                self.stamped += bool(stamps)
                self.times.append((at, path))
                self.running += 1
                self.most = max(self.most, self.running)
            if self.latency and path != "/robots.txt":
                time.sleep(self.latency)
            with self.lock:
                self.running -= 1
                status, body = self.answer(path)
            kind = "text/plain" if path.endswith(".txt") else "text/html"
            answer = f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body
            try:
                connection.sendall(answer)
            except ConnectionError:
                return

    def answer(self, path):
        if path == "/robots.txt":
            return (200, self.robots) if self.robots else (404, b"")
        if self.refuse_at and len(self.times) >= self.refuse_at and self.refused is None:
            self.refused = time.time()
            return 429, b""
        if path != "/" and not re.fullmatch(r"/p\d+", path):
            return 404, b""
        links = "".join(f'<li><a href="/p{n}">Page number {n}</a></li>' for n in range(self.pages)) if path == "/" else ""
        text = f"What page {path} says is said nowhere else: {hash(path)} and {path * 3}. " * 4
        return 200, f"<html><head><title>Page {path}</title></head><body><main><h1>{path}</h1><p>{text}</p><ul>{links}</ul></main></body></html>".encode()

    def gaps(self):
        """Between requests but the first look at robots.txt, which says how far apart they have to be."""
        times = sorted(at for at, path in self.times if path != "/robots.txt")
        return [b - a for a, b in zip(times, times[1:])]


class Postgres:
    def __init__(self, folder):
        self.bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder = os.path.join(folder, "pg")
        os.mkdir(self.folder)
        self.user = "postgres" if os.getuid() == 0 else os.environ["USER"]
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            os.chmod(folder, 0o755)
        self.run("initdb", "--auth=trust", "--no-sync", "-D", self.data)
        self.start()
        self.run("createdb", "-h", self.folder, "wayfile")
        self.sql("CREATE EXTENSION pg_stat_statements")
        self.url = f"postgres://{self.user}@localhost/wayfile?host={self.folder}"

    @property
    def data(self):
        return os.path.join(self.folder, "data")

    def command(self, name, *args):
        as_user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"] if os.getuid() == 0 else []
        return [*as_user, os.path.join(self.bin, name), *args]

    def run(self, name, *args):
        subprocess.run(self.command(name, *args), check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self.run("pg_ctl", "start", "-w", "-D", self.data, "-l", os.path.join(self.folder, "log"), "-o",
                 f"-k {self.folder} -c listen_addresses= -c max_connections=200 -c shared_preload_libraries=pg_stat_statements")

    def stop(self):
        self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self.data)

    def sql(self, text):
        out = subprocess.run(self.command("psql", "-h", self.folder, "-At", "-c", text, "wayfile"), check=True, capture_output=True, cwd="/")
        return out.stdout.decode().strip()

    def statements(self, like="%"):
        """How many were executed that name this."""
        return int(self.sql(f"SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query LIKE '{like}'"))


class Node:
    def __init__(self, binary, folder, number, url, delay, more, skew, fetches):
        self.folder = os.path.join(folder, f"node{number}-{time.monotonic_ns()}")
        os.mkdir(self.folder)
        self.binary, self.config = binary, os.path.join(self.folder, "wayfile.toml")
        with open(self.config, "w") as file:
            file.write(f"""
[server]
listen = "{HOST}:{free_port()}"
[crawl]
allow_networks = ["127.0.0.0/8"]
per_domain_delay = "{delay}"
max_fetches = {fetches}
[database]
url = "{url}"
[plans.business]
requests_per_minute = 60
crawls_at_once = 40
[plans.starter]
crawls_at_once = 2
{more}""")
        self.log = open(os.path.join(self.folder, "log"), "w+")
        clock = {"LD_PRELOAD": FAKETIME, "FAKETIME": skew, "FAKETIME_DONT_FAKE_MONOTONIC": "1"} if skew else {}
        command = [*CALM, binary, "serve", "--config", self.config]
        self.process = subprocess.Popen(command, stderr=self.log, cwd=self.folder, env=os.environ | clock)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            found = re.search(r'"message":"listening","address":"([^"]+)"', open(self.log.name).read())
            if found:
                self.address = found.group(1)
                return
            time.sleep(0.05)
        raise SystemExit("a node did not start: " + open(self.log.name).read()[-2000:])

    def key(self, plan):
        email = f"{plan}{time.monotonic_ns()}@example.org"
        self.cli("account", "create", "--email", email, "--plan", plan)
        return self.cli("key", "create", "--email", email, "--name", "bench").splitlines()[-1]

    def cli(self, *args):
        done = subprocess.run([self.binary, *args, "--config", self.config], check=True, capture_output=True, cwd=self.folder)
        return done.stdout.decode()

    def ask(self, key, site, timeout=120, path="/api/v1/generate", pages=PAGES, **headers):
        """Status, body, seconds; 0 where the node did not answer."""
        began = time.monotonic()
        try:
            connection = http.client.HTTPConnection(self.address, timeout=timeout)
            body = json.dumps({"url": f"http://{HOST}:{site.port}/", "maxPages": pages, "fileType": "llms"}) if site else None
            connection.request("POST" if site else "GET", path, body,
                               {"x-api-key": key, "content-type": "application/json", **headers})
            answer = connection.getresponse()
            body = json.loads(answer.read() or b"{}")
            return answer.status, body, time.monotonic() - began
        except (OSError, http.client.HTTPException) as error:
            return 0, {"error": str(error)}, time.monotonic() - began

    def shares(self):
        """How often it asked the others for a share of a site."""
        connection = http.client.HTTPConnection(self.address, timeout=10)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        return sum(int(n) for n in re.findall(r"^wayfile_site_shares_total\{[^}]*\} (\d+)", text, re.M))

    def cpu(self):
        """Seconds, by the process' own clock."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def end(self):
        for send in (signal.SIGCONT, signal.SIGKILL):
            if self.process.poll() is None:
                self.process.send_signal(send)
        self.process.wait()


class World:
    def __init__(self, binary):
        self.binary, self.folder = binary, tempfile.mkdtemp(prefix="wayfile-nodes-")
        self.postgres = Postgres(self.folder)
        self.nodes = []

    def start(self, count, delay="50ms", url=None, more="", skews=(None, None, None), fetches=64):
        self.end()
        url = url or self.postgres.url
        self.nodes = [Node(self.binary, self.folder, n, url, delay, more, skews[n], fetches) for n in range(count)]
        return self.nodes

    def end(self):
        for node in self.nodes:
            node.end()
        self.nodes = []

    def site(self, **options):
        return Site(**options).start()

    def close(self):
        self.end()
        self.postgres.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def together(calls):
    results = [None] * len(calls)

    def call(at, work):
        results[at] = work()

    threads = [threading.Thread(target=call, args=item) for item in enumerate(calls)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return results


def short(gaps, delay):
    return {"n": len(gaps), "short": sum(gap < delay for gap in gaps), "far_short": sum(gap < 0.95 * delay for gap in gaps),
            "least_ms": round(min(gaps, default=0) * 1e3, 2)}


def crawl_together(world, nodes, sites, key):
    """Every node crawls every site at once; different addresses, so that no two of a node join."""
    shared = lambda: world.postgres.statements("% shared %")
    before = (sum(node.shares() for node in nodes), sum(node.cpu() for node in nodes), time.monotonic(), shared())
    answers = together([lambda n=n, s=s: n.ask(key, s) for n in nodes for s in sites])
    took = time.monotonic() - before[2]
    requests = sum(len(site.times) for site in sites)
    asks, statements = sum(node.shares() for node in nodes) - before[0], shared() - before[3]
    first, last = min(t for s in sites for t, _ in s.times), max(t for s in sites for t, _ in s.times)
    return {"statuses": sorted({a[0] for a in answers}), "seconds": round(took, 1), "requests": requests,
            "per_second": round(requests / (last - first), 2), "most_at_once": max(site.most for site in sites),
            "asks_per_page": round(asks / requests, 3), "statements_per_page": round(statements / requests, 3),
            "statements_per_node_site_second": round(statements / len(nodes) / len(sites) / took, 2),
            "cpu_ms_per_page": round((sum(node.cpu() for node in nodes) - before[1]) * 1e3 / requests, 3)}


def same(world, delays=((0.05, None), (0.1, None), (0.05, 0.5)), latency=0.0, **nodes_are):
    broken = []
    for delay, crawl_delay in delays:
        rates = {}
        for count in (1, 3):
            nodes = world.start(count, f"{int(delay * 1000)}ms", **nodes_are)
            key = nodes[0].key("business")
            robots = f"User-agent: *\nCrawl-delay: {crawl_delay}\n".encode() if crawl_delay else b""
            site = world.site(robots=robots, latency=latency, pages=60 if crawl_delay else PAGES)
            line = crawl_together(world, nodes, [site], key)
            gap = crawl_delay or delay
            line |= {"scenario": "same", "nodes": count, "gap": gap, "latency": latency, **short(site.gaps(), gap)}
            rates[count] = line["per_second"]
            broken += [line] if line["far_short"] or line["most_at_once"] > 4 or line["statuses"] != [200] else []
            print(json.dumps(line), flush=True)
        print(json.dumps({"scenario": "same", "gap": gap, "latency": latency, "of_one": round(rates[3] / rates[1], 3)}), flush=True)
    return broken


def slow(world):
    return same(world, ((0.05, None),), 0.18)


def many(world, scenario="many", delays=((0.05, None), (0.1, None), (0.05, 0.5)), latency=0.0, **nodes_are):
    broken = []
    for delay, crawl_delay in delays:
        rates, gap = {}, crawl_delay or delay
        for count in (1, 3):
            nodes = world.start(count, f"{int(delay * 1000)}ms", **nodes_are)
            key = nodes[0].key("business")
            robots = f"User-agent: *\nCrawl-delay: {crawl_delay}\n".encode() if crawl_delay else b""
            sites = [world.site(robots=robots, latency=latency, pages=40) for _ in range(12)]
            line = crawl_together(world, nodes, sites, key)
            gaps = [gap for site in sites for gap in site.gaps()]
            line |= {"scenario": scenario, "nodes": count, "gap": gap, "latency": latency, **short(gaps, gap)}
            rates[count] = line["per_second"]
            broken += [line] if line["far_short"] or line["most_at_once"] > 4 else []
            print(json.dumps(line), flush=True)
        print(json.dumps({"scenario": scenario, "gap": gap, "of_one": round(rates[3] / rates[1], 3)}), flush=True)
    return broken


def waiting(world):
    return many(world, "waiting", ((0.05, None),), 0.4, fetches=8)


class Ordinary(Site):
    """A site whose pages are as long as the web's: 20 KB."""

    def answer(self, path):
        status, body = super().answer(path)
        parts = "".join(f"<h2>Part {n} of {path}</h2><p>{f'What part {n} of {path} says. ' * 20}</p>" for n in range(30))
        return status, body.replace(b"<ul>", parts.encode() + b"<ul>")


def cost(world):
    """A node alone on PostgreSQL and one on SQLite at the same time, for what sharing costs: the machine's noise is both's."""
    url = f"sqlite://{world.folder}/alone{time.monotonic_ns()}.db"
    nodes = {"sqlite": world.start(1, url=url)[0]}
    world.nodes = []
    nodes["postgres"] = world.start(1)[0]
    world.nodes = list(nodes.values())

    def crawl(name, kind, count, pages):
        key, sites = nodes[name].key("business"), [kind(pages=pages).start() for _ in range(count)]
        before = nodes[name].cpu()
        answers = together([lambda s=s: nodes[name].ask(key, s) for s in sites])
        # What follows a crawl is a part of it.
        time.sleep(0.5)
        assert {a[0] for a in answers} == {200}
        return (nodes[name].cpu() - before) * 1e3 / sum(len(s.times) for s in sites)

    for kind in (Site, Ordinary):
        for count, pages in ((1, PAGES), (4, PAGES), (12, 60)):
            rounds = []
            # The first round is for what is made once.
            for turn in range(11):
                names = sorted(nodes, reverse=turn % 2)
                rounds.append(dict(zip(names, together([lambda n=n: crawl(n, kind, count, pages) for n in names]))))
            usual = {name: statistics.mean(r[name] for r in rounds[1:]) for name in nodes}
            ratios = [round(r["postgres"] / r["sqlite"], 3) for r in rounds[1:]]
            print(json.dumps({"scenario": "cost", "pages": kind.__name__, "sites": count, "of_sqlite":
                              round(usual["postgres"] / usual["sqlite"], 3), "median": statistics.median(ratios),
                              "rounds": ratios}), flush=True)
    return []


def rate(world):
    nodes = world.start(3)
    key = nodes[0].key("business")
    began = time.monotonic()
    answers = together([lambda n=nodes[i % 3]: n.ask(key, None, path="/api/v1/usage") for i in range(150)])
    passed = sum(a[0] == 200 for a in answers)
    most = 60 + (time.monotonic() - began) + 1
    line = {"scenario": "rate", "passed": passed, "most": round(most), "statuses": sorted({a[0] for a in answers})}
    print(json.dumps(line), flush=True)
    return [line] if not 60 <= passed <= most else []


def crawls(world):
    nodes = world.start(3, "0s")
    key = nodes[0].key("starter")
    sites = [world.site(latency=2.0, pages=20) for _ in range(6)]
    answers = together([lambda i=i: nodes[i % 3].ask(key, sites[i]) for i in range(6)])
    statuses = sorted(a[0] for a in answers)
    line = {"scenario": "crawls", "statuses": statuses, "seconds": [round(a[2], 1) for a in answers],
            "said": sorted({a[1].get("message", "")[:80] for a in answers})}
    print(json.dumps(line), flush=True)
    return [line] if statuses.count(200) != 2 or statuses.count(429) != 4 else []


def freed(world):
    """How long a dead node's crawls at once are lost to their key."""
    nodes = world.start(3)
    time.sleep(13)
    key, quick = nodes[0].key("starter"), world.site(pages=1)
    for site in [world.site(latency=2.0, pages=20) for _ in range(2)]:
        threading.Thread(target=nodes[0].ask, args=(key, site), daemon=True).start()
    time.sleep(4)
    nodes[0].process.kill()
    gone, status = time.monotonic(), 429
    while status == 429 and time.monotonic() - gone < 30:
        # Its key has so many requests a minute.
        time.sleep(0.5)
        asked = time.monotonic() - gone
        status = nodes[1].ask(key, quick)[0]
    line = {"scenario": "freed", "status": status, "after": round(asked, 1)}
    print(json.dumps(line), flush=True)
    return [line] if status != 200 or asked > 12 else []


class Model(Site):
    """A model's endpoint that takes a second for an answer."""

    def answer(self, path):
        said = {"choices": [{"message": {"role": "assistant", "content": "Says what it is for."}}]}
        return 200, json.dumps(said).encode()


def lost(world, how, scenario):
    """A node goes in the middle of a request; its retry is answered by another. In every phase of the request."""
    broken = []
    for phase in ("begins", "fetches", "refused", "writes", "twin"):
        model = Model(latency=1.0).start() if phase == "writes" else None
        llm = f'[llm]\nbase_url = "http://{HOST}:{model.port}/v1"\nmodel = "m"\n' if model else ""
        nodes = world.start(3, more=llm)
        # A node judges others when it has been there for as long as they have to be silent.
        time.sleep(13)
        key, other = nodes[0].key("business"), nodes[0].key("business")
        site = world.site(pages=10 if model else 60, refuse_at=20 if phase == "refused" else None)
        reached = {
            "begins": lambda: True,
            "fetches": lambda: len(site.times) > 30,
            "refused": lambda: site.refused,
            "writes": lambda: model.times,
            "twin": lambda: len(site.times) > 30,
        }[phase]
        idempotent = {"Idempotency-Key": "k"}
        first = threading.Thread(target=nodes[0].ask, args=(key, site), kwargs=idempotent | {"timeout": 40})
        first.start()
        twins = []
        if phase == "twin":
            time.sleep(0.5)
            twins.append(threading.Thread(target=lambda: twins.append(nodes[2].ask(key, site, **idempotent))))
            twins[0].start()
        if phase == "fetches":
            # Somebody else crawls the same site, and must not wait for what the lost node had of it.
            twins.append(threading.Thread(target=lambda: twins.append(nodes[2].ask(other, site))))
            twins[0].start()
        until = time.time() + 30
        time.sleep(0.02)
        while not reached() and time.time() < until:
            time.sleep(0.01)
        nodes[0].process.send_signal(how)
        gone, left = time.time(), len(site.times)
        answer = nodes[1].ask(key, site, **idempotent)
        while answer[0] in (409, 503) and time.time() - gone < 60:
            answer = nodes[1].ask(key, site, **idempotent)
        took = time.time() - gone
        times = sorted(at for at, _ in site.times)
        # As long as there was something to ask for: somebody else's crawl ends before the retry begins.
        pause = [b - a for a, b in zip(times, times[1:]) if b > gone]
        silent = sorted(pause, reverse=True)[phase == "fetches"] if len(pause) > 1 else 0
        woken = 0
        if how == signal.SIGSTOP:
            # A crawl is under way when it wakes.
            waking = threading.Thread(target=nodes[1].ask, args=(other, site), kwargs={"cache-control": "no-cache"})
            waking.start()
            time.sleep(1.5)
            sent = time.time()
            nodes[0].process.send_signal(signal.SIGCONT)
            waking.join()
            stamps = [at for at, path in site.times if path != "/robots.txt" and at > sent - 1]
            woken = sum(b - a < 0.05 for a, b in zip(sorted(stamps), sorted(stamps)[1:]))
        first.join()
        if twins:
            twins[0].join()
        time.sleep(4)
        used = nodes[1].ask(key, None, path="/api/v1/usage")[1]["generate"]["used"]
        line = {"scenario": scenario, "phase": phase, "status": answer[0], "answered_after": round(took, 1),
                "longest_silence": round(silent, 1), "used": used, "too_early_when_woken": woken,
                "twin": [(t[0], round(t[2], 1)) for t in twins[1:]], "requests_before": left, **short(site.gaps(), 0.05)}
        print(json.dumps(line), flush=True)
        crawl = 60 * 0.06 + 4
        bad = answer[0] != 200 or used != 1 or line["far_short"] or woken or took > 20 + crawl or silent > 16
        broken += [line] if bad or any(t[0] != 200 for t in twins[1:]) else []
    return broken


def kill(world):
    return lost(world, signal.SIGKILL, "kill")


def pause(world):
    return lost(world, signal.SIGSTOP, "pause")


class SlowDatabase:
    """Passes on what a database says, some time later."""

    def __init__(self, postgres, later):
        self.postgres, self.later = postgres, later
        self.listener = socket.create_server((HOST, 0), backlog=64)
        self.url = f"postgres://{postgres.user}@{HOST}:{self.listener.getsockname()[1]}/wayfile"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.socket(socket.AF_UNIX)
            server.connect(os.path.join(self.postgres.folder, ".s.PGSQL.5432"))
            threading.Thread(target=self.carry, args=(client, server, 0), daemon=True).start()
            threading.Thread(target=self.carry, args=(server, client, self.later), daemon=True).start()

    def carry(self, source, target, later):
        # Either end may have gone.
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                time.sleep(later)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


def late(world):
    """The database answers 0.2 s late."""
    url = SlowDatabase(world.postgres, 0.2).url
    return same(world, ((0.05, None), (0.1, None)), url=url)


def skewed(world):
    """Clocks of two nodes are off by seconds (needs faketime)."""
    return same(world, ((0.05, None), (0.1, None)), skews=("+0s", "+7s", "-5s"))


def away(world):
    nodes = world.start(3)
    key, sites = nodes[0].key("business"), [world.site(pages=PAGES), world.site(pages=PAGES)]
    refused = []

    def stop():
        time.sleep(3)
        world.postgres.stop()
        time.sleep(5)
        refused.append(nodes[2].ask(key, None, path="/api/v1/usage", timeout=30)[0])
        time.sleep(max(0, 10 - 5))
        world.postgres.start()

    stopping = threading.Thread(target=stop)
    stopping.start()
    answers = together([lambda n=n, s=s: n.ask(key, s) for n in nodes for s in sites])
    stopping.join()
    gaps = [gap for site in sites for gap in site.gaps()]
    line = {"scenario": "away", "statuses": sorted(a[0] for a in answers), "meanwhile": refused,
            "seconds": round(max(a[2] for a in answers), 1), "most_at_once": max(s.most for s in sites), **short(gaps, 0.05)}
    print(json.dumps(line), flush=True)
    return [line] if line["far_short"] or refused != [503] else []


def refusal(world):
    nodes = world.start(3)
    key, site = nodes[0].key("business"), world.site(refuse_at=40)
    together([lambda n=n: n.ask(key, site) for n in nodes])
    times = sorted(at for at, _ in site.times if at > site.refused)
    late = [at - site.refused for at in times if at - site.refused < 0.2]
    after = [b - a for a, b in zip(times, times[1:]) if a > site.refused + 1]
    line = {"scenario": "refusal", "within_the_wait": len(late), "last_of_them_ms": round(max(late, default=0) * 1e3),
            **short(after, 0.1)}
    print(json.dumps(line), flush=True)
    return [line] if line["far_short"] else []


if __name__ == "__main__":
    world, found = World(os.path.abspath(sys.argv[1])), []
    try:
        for name in sys.argv[2:]:
            found += globals()[name](world)
    finally:
        world.close()
    sys.exit(1 if found else 0)
