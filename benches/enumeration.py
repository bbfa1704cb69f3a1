#!/usr/bin/env python3
"""Whether the time of a log-in tells if an address has an account.

Starts the service on loopback with an account of its own, tries wrong passwords for a known and for unknown addresses in
turn, and reports both. It judges nothing: look at the difference beside the spread.

    cargo build --release
    python3 benches/enumeration.py [target/release/wayfile] [PAIRS]
"""

import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

BINARY = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/wayfile")
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
KNOWN = "ada@example.org"
PASSWORD = "tide tables, harbour 7"
SETTINGS = """
[server]
listen = "127.0.0.1:0"
[accounts]
free_tries = 1000000
forms_per_minute = 1000000
"""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def post(url, fields):
    """Status of a form that is sent, and the seconds until its answer was read."""
    body = urllib.parse.urlencode(fields).encode()
    request = urllib.request.Request(url, body, {"sec-fetch-site": "same-origin"})
    begun = time.perf_counter()
    try:
        with OPENER.open(request, timeout=60) as answer:
            answer.read()
            return answer.status, time.perf_counter() - begun
    except urllib.error.HTTPError as error:
        error.read()
        return error.code, time.perf_counter() - begun


def events(service):
    for line in service.stderr:
        try:
            yield json.loads(line)
        except ValueError:
            continue


def milliseconds(times):
    low, middle, high = statistics.quantiles(times, n=4)
    return f"median {middle * 1e3:7.2f} ms   quartiles {low * 1e3:7.2f} to {high * 1e3:7.2f} ms"


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "wayfile.toml"), "w", encoding="utf-8") as settings:
            settings.write(SETTINGS)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WAYFILE")}
        service = subprocess.Popen(
            [BINARY, "serve", "--config", "wayfile.toml"],
            cwd=folder, env=environment, stderr=subprocess.PIPE, text=True,
        )
        try:
            log = events(service)
            address = next(event["address"] for event in log if event.get("message") == "listening")
            base = f"http://{address}"
            # Without a mail server the link is in the log.
            status, _ = post(f"{base}/signup", {"email": KNOWN, "password": PASSWORD})
            assert status == 200, status
            texts = (re.search(r"token=([0-9a-f]{64})", str(event.get("message"))) for event in log)
            token = next(found.group(1) for found in texts if found)
            status, _ = post(f"{base}/verify", {"token": token})
            assert status == 200, status

            # A pipe that nobody reads would stop the service one day.
            threading.Thread(target=lambda: [None for _ in log], daemon=True).start()
            times = {True: [], False: []}
            for n in range(PAIRS):
                pair = [True, False]
                random.shuffle(pair)
                for known in pair:
                    email = KNOWN if known else f"nobody{n}@example.org"
                    status, took = post(f"{base}/login", {"email": email, "password": "a wrong password"})
                    assert status == 422, status
                    times[known].append(took)
            print(f"{PAIRS} log-ins each, in turn, with a wrong password")
            print(f"known address    {milliseconds(times[True])}")
            print(f"unknown address  {milliseconds(times[False])}")
            difference = statistics.median(times[True]) - statistics.median(times[False])
            print(f"difference of the medians {difference * 1e3:+.2f} ms")
        finally:
            service.kill()
            service.wait()


if __name__ == "__main__":
    main()
