#!/usr/bin/env python3
"""What requests cost beside `/healthz` of the same server: CPU per request, and requests per second.

usage: benches/overhead.py [--binary target/release/wayfile] [--seconds 5] [--database postgres://...]
Needs wrk (Debian's package). CPU is that of the service alone, user and system, as /proc tells it; the requests per second
share the machine's cores with wrk. A run of `/healthz` stands before and behind every other one, so that what the machine
does meanwhile falls on both."""
import argparse
import json
import re
import subprocess
import tempfile

from service import Service, Site


def wrk(service, seconds, path, connections, key=None, body=None):
    """Requests per second, CPU microseconds per request, share of answers that are errors."""
    script = tempfile.NamedTemporaryFile("w", suffix=".lua")
    if key:
        script.write(f'wrk.headers["x-api-key"] = "{key}"\n')
    if body:
        script.write('wrk.method = "POST"\nwrk.headers["content-type"] = "application/json"\n')
        script.write(f"wrk.body = [==[{json.dumps(body)}]==]\n")
    script.flush()
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script.name, service.url + path]
    before = service.cpu()
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    used = service.cpu() - before
    requests, took = re.search(r"(\d+) requests in ([\d.]+)s", said).groups()
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    count = int(requests)
    return count / float(took), 1e6 * used / count, int(errors[1]) / count if errors else 0.0


def index(kilobytes):
    """An llms.txt of about this size."""
    text, n = "# Tide\n\n> Tide keeps levels of harbours.\n\n## Docs\n\n", 0
    while len(text) < kilobytes << 10:
        text += f"- [Gauge {n}](https://tide.example.dev/docs/{n}.md): How to read gauge {n}, and when a gate closes\n"
        n += 1
    return text


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--binary", default="target/release/wayfile")
    arguments.add_argument("--seconds", type=int, default=5)
    arguments.add_argument("--database", help="the URL of an empty PostgreSQL; without it, SQLite")
    arguments = arguments.parse_args()
    site = Site("Harbour", pages=20)
    with Service(arguments.binary, database=arguments.database) as service:
        good, slow, unknown = (service.key(plan) for plan in ("business", "free", "starter"))
        service.revoke("starter")
        text = {"content": index(10), "checkLinks": False}
        status, _, answer = service.post("/api/v1/generate", good, {"url": site.url})
        assert status == 200, answer
        # Equal crawls would be joined: what is wholly cached is asked for by one client.
        cases = [
            ("junk key, 401", dict(path="/api/v1/usage", key="junk"), 1.0),
            ("unknown key, 401", dict(path="/api/v1/usage", key=unknown), 1.0),
            ("rate used up, 429", dict(path="/api/v1/usage", key=slow), 1.0),
            ("GET /usage, good key", dict(path="/api/v1/usage", key=good), 0.0),
            ("validate 10 KB, no links", dict(path="/api/v1/validate", key=good, body=text), 0.0),
            ("generate, 21 cached pages", dict(path="/api/v1/generate", key=good, body={"url": site.url}), 0.0),
        ]
        print(f"{'':28} {'req/s':>8} {'of /healthz':>11} {'CPU us':>8} {'x /healthz':>10}")
        for name, case, wrong in cases:
            connections = 1 if "generate" in name else 32
            base = lambda: wrk(service, arguments.seconds, "/healthz", connections)
            first, (rate, cpu, errors), second = base(), wrk(service, arguments.seconds, connections=connections, **case), base()
            # One request of the minute is let through.
            assert abs(errors - wrong) < 0.01, f"{name}: {errors:.1%} of the answers are errors"
            base_rate, base_cpu = ((a + b) / 2 for a, b in zip(first[:2], second[:2]))
            print(f"{name:28} {rate:8.0f} {rate / base_rate:10.0%} {cpu:8.1f} {cpu / base_cpu:9.2f}x")
            print(f"{'  /healthz beside it':28} {base_rate:8.0f} {'':>11} {base_cpu:8.1f}")


if __name__ == "__main__":
    main()
