#!/usr/bin/env python3
"""Mixed load: generates, validations and streams over 50 local sites, from clients of which some are slow and some vanish.

Fails if anything is answered by a 5xx other than 503, if a gauge is not back at zero afterwards, or if memory still
grows after the first minute. Ends by itself; talks to loopback only.

usage: benches/mixed.py [--binary target/release/wayfile] [--seconds 300] [--clients 24]"""
import argparse
import asyncio
import collections
import http.client
import json
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

from service import Service

SITES = 50
# Pages of a site, and the text of each: five sites are large, so that an answer is some megabytes.
SHAPES = [(120, 40_000)] * 5 + [(40, 6_000)] * 40 + [(8, 3_000)] * 5
# What a request of these sites waits for, in seconds, by the site's number modulo ten.
LATENCY = [0.002, 0.005, 0.01, 0.02, 0.05, 0.002, 0.005, 0.01, 0.02, 0.2]


def page(site, number, pages, size):
    """Every third page links on, so that pages are found while the crawl goes on."""
    links = "".join(f'<li><a href="/part/{n}.html">Part {n} of site {site}</a></li>' for n in range(pages))
    seed = random.Random(f"{site}/{number}")
    words = "crawl index page reader harbour signal north river stone engine letter window garden market".split()
    text = " ".join(seed.choice(words) + seed.choice(["", "s", "ing", "ed"]) for _ in range(size // 7))
    title = f"Site {site}" if number is None else f"Part {number} of site {site}"
    menu = f"<nav><ul>{links}</ul></nav>" if number is None or number % 3 == 0 else ""
    return (
        f"<!doctype html><html lang=en><title>{title}</title><body>{menu}<main><h1>{title}</h1>"
        f"<p>This page is about {title} and what follows from it.</p><p>{text}.</p></main>"
    ).encode()


async def serve_sites():
    """The sites, in a process of their own: prints their ports as one line of JSON."""
    ports = []
    for site in range(SITES):
        pages, size = SHAPES[site]
        latency = LATENCY[site % len(LATENCY)]

        async def answer(reader, writer, site=site, pages=pages, size=size, latency=latency):
            try:
                while head := await reader.readuntil(b"\r\n\r\n"):
                    path = head.split(b" ", 2)[1].decode()
                    number = path.removeprefix("/part/").removesuffix(".html")
                    await asyncio.sleep(latency)
                    status, kind, body = 404, "text/plain", b"not here"
                    if path == "/":
                        status, kind, body = 200, "text/html", page(site, None, pages, 500)
                    elif path == "/llms.txt":
                        base = f"http://127.0.0.1:{ports[site]}"
                        links = "".join(f"- [Part {n}]({base}/part/{n}.html): About part {n}\n" for n in range(pages + 3))
                        status, body = 200, f"# Site {site}\n\n> A site.\n\n## Parts\n\n{links}".encode()
                    elif number.isdigit() and int(number) < pages:
                        status, kind, body = 200, "text/html", page(site, int(number), pages, size)
                    writer.write(
                        f"HTTP/1.1 {status} X\r\ncontent-type: {kind}; charset=utf-8\r\n"
                        f"content-length: {len(body)}\r\n\r\n".encode() + (b"" if head.startswith(b"HEAD") else body)
                    )
                    await writer.drain()
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
    print(json.dumps(ports), flush=True)
    await asyncio.Event().wait()


class Load:
    """What the clients do, and what came of it."""

    def __init__(self, service, key, ports, until):
        self.host, self.port = urllib.parse.urlsplit(service.url).netloc.split(":")
        self.key, self.ports, self.until = key, ports, until
        self.outcomes = collections.Counter()
        self.lock = threading.Lock()

    def count(self, what, outcome):
        with self.lock:
            self.outcomes[f"{what} {outcome}"] += 1

    def client(self, number):
        """One client after another, until the time is over."""
        chance = random.Random(number)
        deeds = [self.generate] * 4 + [self.validate] * 2 + [self.lint, self.stream, self.vanish, self.dawdle]
        while time.monotonic() < self.until:
            deed = chance.choice(deeds)
            site = f"http://127.0.0.1:{chance.choice(self.ports)}/"
            try:
                deed(site, chance)
            except (OSError, http.client.HTTPException) as error:
                self.count(deed.__name__, type(error).__name__)

    def send(self, path, body, **headers):
        connection = http.client.HTTPConnection(self.host, int(self.port), timeout=150)
        headers |= {"x-api-key": self.key, "content-type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
        return connection

    def ask(self, what, path, body, **headers):
        connection = self.send(path, body, **headers)
        answer = connection.getresponse()
        answer.read()
        self.count(what, answer.status)
        connection.close()

    def generate(self, site, chance):
        # Half of them have the pages fetched anew.
        fresh = {"cache-control": "no-cache"} if chance.random() < 0.5 else {}
        self.ask("generate", "/api/v1/generate", {"url": site}, **fresh)

    def validate(self, site, chance):
        self.ask("validate", "/api/v1/validate", {"url": site})

    def lint(self, site, chance):
        text = "# A site\n\n> Of pages\n\n## Pages\n\n" + f"- [A page]({site}): A page\n" * 400
        self.ask("lint", "/api/v1/validate", {"content": text, "checkLinks": False})

    def stream(self, site, chance):
        connection = self.send("/api/v1/generate", {"url": site}, accept="text/event-stream")
        answer = connection.getresponse()
        last = [line for line in answer.read().decode().splitlines() if line.startswith("event: ")][-1:]
        self.count("stream", f"{answer.status} {last}")
        connection.close()

    def vanish(self, site, chance):
        connection = self.send("/api/v1/generate", {"url": site}, accept="text/event-stream")
        connection.sock.settimeout(chance.choice([0.01, 0.1, 0.5]))
        try:
            connection.sock.recv(1)
            connection.sock.recv(4096)
        except TimeoutError:
            pass
        connection.sock.close()
        self.count("vanish", "left")

    def dawdle(self, site, chance):
        """Reads a large answer by a few bytes a second, or not at all, for a while."""
        site = f"http://127.0.0.1:{self.ports[chance.randrange(5)]}/"
        connection = self.send("/api/v1/generate", {"url": site}, accept="text/event-stream")
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        end = time.monotonic() + chance.choice([5, 15])
        while time.monotonic() < min(end, self.until):
            time.sleep(1)
            if chance.random() < 0.5 and not connection.sock.recv(16):
                break
        connection.sock.close()
        self.count("dawdle", "left")


def gauges(service):
    """The gauges that count what is going on, with those that are not zero."""
    connection = http.client.HTTPConnection(*service.url.removeprefix("http://").split(":"), timeout=10)
    connection.request("GET", "/metrics")
    busy = {}
    for line in connection.getresponse().read().decode().splitlines():
        name, _, value = line.rpartition(" ")
        counts_work = name.startswith(("wayfile_permits_in_use", "wayfile_permit_waiters", 'wayfile_actors{kind="supervisor"'))
        if counts_work and float(value) != 0:
            busy[name] = float(value)
    connection.close()
    return busy


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--binary", default="target/release/wayfile")
    arguments.add_argument("--seconds", type=int, default=300)
    arguments.add_argument("--clients", type=int, default=24)
    arguments.add_argument("--serve-sites", action="store_true", help=argparse.SUPPRESS)
    arguments = arguments.parse_args()
    if arguments.serve_sites:
        return asyncio.run(serve_sites())

    sites = subprocess.Popen([sys.executable, __file__, "--serve-sites"], stdout=subprocess.PIPE, text=True)
    faults = []
    try:
        ports = json.loads(sites.stdout.readline())
        with Service(arguments.binary) as service:
            key = service.key("business")
            start = time.monotonic()
            load = Load(service, key, ports, start + arguments.seconds)
            clients = [threading.Thread(target=load.client, args=(n,)) for n in range(arguments.clients)]
            for client in clients:
                client.start()
            memory = []
            while any(client.is_alive() for client in clients):
                time.sleep(2)
                memory.append((time.monotonic() - start, service.memory("VmRSS")))
            for outcome, times in sorted(load.outcomes.items()):
                print(f"{times:6} {outcome}")
                if " 5" in outcome and " 503" not in outcome:
                    faults.append(f"answered {outcome}")
            first = max(rss for at, rss in memory if at <= 60)
            later = max((rss for at, rss in memory if at > 60), default=first)
            print("memory, MiB: " + " ".join(f"{rss:.0f}" for _, rss in memory[:: max(1, len(memory) // 20)]))
            print(f"memory: at most {first:.0f} MiB in the first minute, {later:.0f} MiB after it")
            if later > 1.15 * first:
                faults.append(f"memory grew by {later / first:.2f} after the first minute")
            # A crawl whose caller left ends within moments; what waits for a site's answer may take that long.
            end = time.monotonic() + 20
            while (busy := gauges(service)) and time.monotonic() < end:
                time.sleep(0.5)
            if busy:
                faults.append(f"gauges are not back at zero: {busy}")
            before = service.cpu()
            time.sleep(10)
            idle = 10 * (service.cpu() - before)
            print(f"idle afterwards: {idle:.1f} % of a core, {service.memory('VmRSS'):.0f} MiB")
    finally:
        sites.kill()
    for fault in faults:
        print(f"FAULT: {fault}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
