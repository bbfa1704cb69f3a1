#!/usr/bin/env python3
"""Several nodes on one PostgreSQL, held against sites that log when each request came.

    benches/nodes.py BINARY SCENARIO...

Scenarios: same (the same site through every node), many (12 sites), slow (sites that take 180 ms), rate, crawls, kill,
pause, away (the database stops for 10 s), refusal (a 429 that one node meets). All of it on loopback, each bounded in time.
Prints one JSON line a scenario; exits with 1 where a promise was broken."""

import glob
import http.client
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

PAGES = 100
SO_TIMESTAMPNS = 35
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
                 f"-k {self.folder} -c listen_addresses= -c max_connections=200 -c shared_preload_libraries=")

    def stop(self):
        self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self.data)

    def sql(self, text):
        out = subprocess.run(self.command("psql", "-h", self.folder, "-At", "-c", text, "wayfile"), check=True, capture_output=True, cwd="/")
        return out.stdout.decode().strip()



class Node:
    def __init__(self, binary, folder, number, url, delay):
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
[database]
url = "{url}"
[plans.business]
requests_per_minute = 60
crawls_at_once = 40
[plans.starter]
crawls_at_once = 2
""")
        self.log = open(os.path.join(self.folder, "log"), "w+")
        self.process = subprocess.Popen([*CALM, binary, "serve", "--config", self.config], stderr=self.log, cwd=self.folder)
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
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

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

    def start(self, count, delay="50ms", url=None):
        self.end()
        self.nodes = [Node(self.binary, self.folder, n, url or self.postgres.url, delay) for n in range(count)]
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
    before = (sum(node.shares() for node in nodes), sum(node.cpu() for node in nodes), time.monotonic())
    answers = together([lambda n=n, s=s: n.ask(key, s) for n in nodes for s in sites])
    took = time.monotonic() - before[2]
    requests = sum(len(site.times) for site in sites)
    asks = sum(node.shares() for node in nodes) - before[0]
    first, last = min(t for s in sites for t, _ in s.times), max(t for s in sites for t, _ in s.times)
    return {"statuses": sorted({a[0] for a in answers}), "seconds": round(took, 1), "requests": requests,
            "per_second": round(requests / (last - first), 2), "most_at_once": max(site.most for site in sites),
            "asks_per_page": round(asks / requests, 3), "asks_per_node_site_second": round(asks / len(nodes) / len(sites) / took, 2),
            "cpu_ms_per_page": round((sum(node.cpu() for node in nodes) - before[1]) * 1e3 / requests, 2)}


def same(world, delays=((0.05, None), (0.1, None), (0.05, 0.5)), latency=0.0):
    broken = []
    for delay, crawl_delay in delays:
        rates = {}
        for count in (1, 3):
            nodes = world.start(count, f"{int(delay * 1000)}ms")
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


def many(world):
    broken = []
    for count in (1, 3):
        nodes = world.start(count)
        key = nodes[0].key("business")
        sites = [world.site(pages=40) for _ in range(12)]
        # Each node has its own four sites first, and then all have all.
        line = crawl_together(world, nodes, sites, key)
        gaps = [gap for site in sites for gap in site.gaps()]
        line |= {"scenario": "many", "nodes": count, **short(gaps, 0.05)}
        broken += [line] if line["far_short"] or line["most_at_once"] > 4 else []
        print(json.dumps(line), flush=True)
    return broken


def sqlite(world):
    """One node on SQLite, for what sharing costs."""
    node = world.start(1, url=f"sqlite://{world.folder}/alone{time.monotonic_ns()}.db")[0]
    site, key = world.site(), node.key("business")
    line = crawl_together(world, [node], [site], key) | {"scenario": "sqlite", **short(site.gaps(), 0.05)}
    print(json.dumps(line), flush=True)
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


def lost(world, how, scenario):
    """A node goes in the middle of a request; its retry is answered by another."""
    broken = []
    for after in (0.3, 2.0):
        nodes = world.start(3)
        # A node judges others when it has been there for as long as they have to be silent.
        time.sleep(13)
        key, site = nodes[0].key("business"), world.site(pages=60)
        first = threading.Thread(target=nodes[0].ask, args=(key, site), kwargs={"Idempotency-Key": "k", "timeout": 40})
        first.start()
        time.sleep(after)
        nodes[0].process.send_signal(how)
        gone, left = time.time(), len(site.times)
        answer = nodes[1].ask(key, site, **{"Idempotency-Key": "k"})
        while answer[0] == 409 and time.time() - gone < 60:
            answer = nodes[1].ask(key, site, **{"Idempotency-Key": "k"})
        took = time.time() - gone
        after_gone = [at for at, _ in site.times if at > gone + 0.05]
        waited = (min(after_gone) - gone) if after_gone else None
        woken = 0
        if how == signal.SIGSTOP:
            sent = len(site.times)
            nodes[0].process.send_signal(signal.SIGCONT)
            time.sleep(3)
            woken = len(site.times) - sent
        first.join()
        time.sleep(4)
        used = nodes[1].ask(key, None, path="/api/v1/usage")[1]["generate"]["used"]
        line = {"scenario": scenario, "after": after, "status": answer[0], "answered_after": round(took, 1),
                "next_request_after": waited and round(waited, 1), "used": used, "sent_when_woken": woken,
                "requests_before": left, **short(site.gaps(), 0.05)}
        print(json.dumps(line), flush=True)
        broken += [line] if answer[0] != 200 or used != 1 or line["far_short"] or waited is None or waited > 20 else []
    return broken


def kill(world):
    return lost(world, signal.SIGKILL, "kill")


def pause(world):
    return lost(world, signal.SIGSTOP, "pause")


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
