#!/usr/bin/env python3
"""Holds the dashboards against a running service: no panel may be empty.

Starts, all on loopback and for a minute: a small site, a stand-in for a model, the service, and a real Prometheus with
the rules of prometheus/. Clients with good and with bad keys use the service; then every query of every panel is asked.
Two kinds of panel may show zeros: what must not happen (panics, private peers) and what did not (restarts).

    live.py path/to/wayfile [path/to/prometheus]
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGES = 12
LOAD_SECONDS, START_SECONDS = 45, 60
# Rates need two scrapes; the window that Grafana would take is four of them.
SCRAPE, WINDOW = "1s", "15s"


class Site(BaseHTTPRequestHandler):
    """A few pages that link to each other, one that only a script fills, and at /v1/chat/completions what answers like a model."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/robots.txt":
            return self.answer("User-agent: *\nDisallow: /private\n", "text/plain")
        if self.path == "/app.js":
            return self.answer("document.body.textContent = 'How a kite flies, told by a script: it leans on the wind.'",
                               "text/javascript")
        if self.path == f"/guide/{PAGES + 1}":
            return self.answer("<title>Flying</title><div id=root></div><script src=/app.js></script>", "text/html")
        found = re.fullmatch(r"/(?:guide/(\d*))?", self.path)
        if not found or int(found[1] or 0) >= PAGES:
            return self.answer("<h1>Not found</h1>", "text/html", 404)
        number = int(found[1] or 0)
        # Slow enough that requests meet, and never the same twice, or the model would be asked once for all.
        time.sleep(0.03)
        links = "".join(f'<li><a href="/guide/{n}">Chapter {n} of the guide</a></li>' for n in range(PAGES + 2))
        text = f"<p>Chapter {number} tells how a kite is built from paper, string and two sticks of spruce.</p>" * 5
        text += f"<p>{time.monotonic_ns()} kites were built.</p>"
        self.answer(f"<title>Kites, chapter {number}</title><h1>Chapter {number}</h1><main>{text}</main><ul>{links}</ul>",
                    "text/html")

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        time.sleep(0.03)
        message = {"role": "assistant", "content": "How a kite is built from paper, string and two sticks."}
        self.answer(json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                                "usage": {"prompt_tokens": 200, "completion_tokens": 12, "total_tokens": 212}}),
                    "application/json")

    def answer(self, text, kind, status=200):
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(url, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **headers})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def wait_for(url):
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            if ask(url)[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.2)
    sys.exit(f"{url} did not answer within {START_SECONDS} s")


def use(api, key, revoked, site, until, counts):
    """One client: crawls, and asks as clients do who have no key or the wrong one."""
    round_ = 0
    while time.monotonic() < until:
        round_ += 1
        fresh = {"cache-control": "no-cache"} if round_ % 3 == 0 else {}
        tries = [
            (f"{api}/api/v1/generate", {"url": site}, {"x-api-key": key, **fresh}),
            (f"{api}/api/v1/validate", {"content": "# Kites\n\n> How to build them.\n"}, {"x-api-key": key}),
            (f"{api}/api/v1/usage", None, {"x-api-key": key}),
            (f"{api}/api/v1/usage", None, {}),
            (f"{api}/nowhere", None, {}),
            (f"{api}/api/v1/usage", None, {"x-api-key": revoked}),
        ]
        for url, body, headers in tries:
            status, _ = ask(url, body, **headers)
            counts[status] = counts.get(status, 0) + 1
        time.sleep(0.2)


def settings(folder, port, site):
    # Limits so low that the domain's turn, the permits and the refusals are seen at work.
    path = folder / "wayfile.toml"
    path.write_text(f"""
[server]
listen = "127.0.0.1:{port}"
[browser]
path = "{shutil.which('chromium')}"
[crawl]
allow_networks = ["127.0.0.0/8"]
per_domain_delay = "20ms"
max_crawls = 2
max_fetches = 2
cache_ttl = "5s"
[llm]
base_url = "{site}/v1"
model = "stand-in"
max_concurrency = 1
[plans.business]
requests_per_minute = 120
""")
    return path


def prometheus_settings(folder, port):
    path = folder / "prometheus.yml"
    path.write_text(f"""
global: {{scrape_interval: {SCRAPE}, evaluation_interval: {SCRAPE}}}
rule_files: [{HERE}/prometheus/rules.yml, {HERE}/prometheus/alerts.yml]
scrape_configs:
  - job_name: wayfile
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
""")
    return path


def queries():
    for path in sorted((HERE / "dashboards").glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel["targets"]:
                yield f"{path.stem}: {panel['title']}", target["expr"]


def values(prometheus, expression):
    """Over the last minute, since a histogram that rests at the moment of the question has no quantile."""
    expression = expression.replace("$__rate_interval", WINDOW).replace("$instance", ".*")
    now = time.time()
    query = urllib.parse.urlencode({"query": expression, "start": now - 60, "end": now, "step": 5})
    status, body = ask(f"{prometheus}/api/v1/query_range?{query}")
    if status != 200:
        sys.exit(f"{expression}: {body.decode()}")
    series = json.loads(body)["data"]["result"]
    return [float(value) for one in series for _, value in one["values"] if value != "NaN"]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    wayfile = Path(sys.argv[1]).resolve()
    prometheus_binary = sys.argv[2] if len(sys.argv) > 2 else shutil.which("prometheus") or sys.exit("no prometheus")
    running = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_port}"
        port, prometheus_port = free_port(), free_port()
        api, prometheus = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{prometheus_port}"
        environment = {**os.environ, "WAYFILE_CONFIG": str(settings(folder, port, site))}

        def start(*command):
            with open(folder / "log", "ab") as log:
                running.append(subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log))

        def command(*arguments):
            done = subprocess.run([wayfile, *arguments], cwd=folder, env=environment, check=True, capture_output=True)
            return done.stdout.decode().split()[-1:]

        try:
            command("account", "create", "--email", "live@example.org", "--plan", "business")
            (key,) = command("key", "create", "--email", "live@example.org", "--name", "live")
            (revoked,) = command("key", "create", "--email", "live@example.org", "--name", "gone")
            command("key", "revoke", "--email", "live@example.org", "--name", "gone")
            start(wayfile, "serve")
            start(prometheus_binary, f"--config.file={prometheus_settings(folder, port)}",
                  f"--storage.tsdb.path={folder}/tsdb", f"--web.listen-address=127.0.0.1:{prometheus_port}")
            wait_for(f"{api}/readyz")
            wait_for(f"{prometheus}/-/ready")
            counts, until = {}, time.monotonic() + LOAD_SECONDS
            clients = [
                # Other first pages are other crawls, and one more than may run at once.
                threading.Thread(target=use, args=(api, key, revoked, f"{site}{path}", until, counts))
                for path in ("/", "/guide/", "/guide/1", "/")
            ]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            time.sleep(3)
            asked = [(panel, query, values(prometheus, query)) for panel, query in queries()]
            alerts = json.loads(ask(f"{prometheus}/api/v1/alerts")[1])["data"]["alerts"]
        except BaseException:
            print((folder / "log").read_text()[-4000:], file=sys.stderr)
            raise
        finally:
            for process in running:
                process.send_signal(signal.SIGTERM)
            for process in running:
                process.wait(timeout=30)
    empty = [f"{panel}\n    {query}" for panel, query, found in asked if not found]
    zeros = sorted({panel for panel, _, found in asked if found} - {panel for panel, _, found in asked if any(found)})
    print(f"answers by status: {dict(sorted(counts.items()))}")
    print(f"{len(asked)} queries, {len(empty)} empty; at 0 all the time: {', '.join(zeros) or 'none'}")
    print(f"alerts: {', '.join(sorted(a['labels']['alertname'] + ' ' + a['state'] for a in alerts)) or 'none'}")
    if empty:
        sys.exit("no answer:\n  " + "\n  ".join(empty))


if __name__ == "__main__":
    main()
