#!/usr/bin/env python3
"""What a service holds when its work is done: a mixed load (generate, validate, streams whose readers vanish, answers that
nobody reads) for some time, then nothing.

usage: benches/memory.py [--binary target/release/wayfile] [--seconds 60] [--idle 30] [--sites 50]"""
import argparse
import json
import random
import socket
import threading
import time

from service import Service, Site

WORKERS = 12


def raw(service, key, body, headers=""):
    """A request whose answer is left to the caller to read."""
    host, port = service.url.removeprefix("http://").split(":")
    text = json.dumps(body)
    client = socket.create_connection((host, int(port)), timeout=120)
    client.sendall(
        (
            f"POST /api/v1/generate HTTP/1.1\r\nhost: a\r\nx-api-key: {key}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(text)}\r\n{headers}\r\n{text}"
        ).encode()
    )
    return client


def work(service, key, sites, until, seed, counts):
    dice = random.Random(seed)
    held = []
    while time.monotonic() < until:
        site = dice.choice(sites)
        kind = dice.choices(["generate", "validate", "vanish", "hold"], [6, 3, 1, 1])[0]
        try:
            if kind == "generate":
                body = {"url": site.url, "instructions": f"Number {dice.randrange(1000)}."}
                status = service.post("/api/v1/generate", key, body)[0]
            elif kind == "validate":
                status = service.post("/api/v1/validate", key, {"url": site.url})[0]
            else:
                client = raw(service, key, {"url": site.url}, "accept: text/event-stream\r\n" if kind == "vanish" else "")
                status = int(client.recv(15).split()[1])
                if kind == "hold":
                    held = [*held[-1:], client]
        except OSError as error:
            status = type(error).__name__
        counts[(kind, status)] = counts.get((kind, status), 0) + 1


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--binary", default="target/release/wayfile")
    arguments.add_argument("--seconds", type=int, default=60)
    arguments.add_argument("--idle", type=int, default=30)
    arguments.add_argument("--sites", type=int, default=50)
    told = arguments.parse_args()
    sites = [Site(f"Harbour{n}", pages=60, size=40_000) for n in range(told.sites)]
    with Service(told.binary) as service:
        key = service.key("business")
        idle = service.memory("VmRSS")
        until, counts = time.monotonic() + told.seconds, {}
        workers = [
            threading.Thread(target=work, args=(service, key, sites, until, n, counts)) for n in range(WORKERS)
        ]
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers):
            time.sleep(5)
            print(f"  {service.memory('VmRSS'):.0f}", end="", flush=True)
        after = service.memory("VmRSS")
        time.sleep(told.idle)
        print(f"\nmemory: {idle:.0f} MiB before, {service.memory('VmHWM'):.0f} at the peak, {after:.0f} at the end, "
              f"{service.memory('VmRSS'):.0f} MiB after {told.idle} s with nothing to do")
        print("answers: " + ", ".join(f"{kind} {status}: {n}" for (kind, status), n in sorted(counts.items(), key=str)))


if __name__ == "__main__":
    main()
