"""A service under measurement: the real binary on a free port, a store of its own, sites on loopback."""
import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")

# Nothing is to run into a limit that is not measured: the free plan alone has its rate.
SETTINGS = """
[server]
listen = "127.0.0.1:0"
[database]
url = "{database}"
[crawl]
allow_networks = ["127.0.0.0/8"]
per_domain_delay = "0s"
cache_ttl = "1h"
{crawl}
[plans.free]
requests_per_minute = 1
[plans.business]
generate_per_month = 1000000000
validate_per_month = 1000000000
requests_per_minute = 4000000000
crawls_at_once = 1000
"""


class Service:
    """`crawl`: further lines of the section of that name; `database`: an empty PostgreSQL in the place of an SQLite file."""

    def __init__(self, binary, crawl="", database=None):
        self.folder = tempfile.TemporaryDirectory(prefix="wayfile-bench-")
        folder = pathlib.Path(self.folder.name)
        self.settings = folder / "wayfile.toml"
        self.settings.write_text(SETTINGS.format(database=database or f"sqlite://{folder}/wayfile.db", crawl=crawl))
        self.binary = str(pathlib.Path(binary).resolve())
        self.log = folder / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(self._command("serve"), cwd=folder, stderr=log)
        self.url = "http://" + self._listening()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def _command(self, *arguments):
        return [self.binary, *arguments, "--config", str(self.settings)]

    def _listening(self):
        for _ in range(200):
            for line in self.log.read_text().splitlines():
                said = json.loads(line)
                if said["message"] == "listening":
                    return said["address"]
            time.sleep(0.05)
        raise SystemExit(f"the service did not start:\n{self.log.read_text()}")

    def key(self, plan):
        email = f"{plan}@example.org"
        for command in (["account", "create", "--plan", plan], ["key", "create", "--name", "bench"]):
            said = subprocess.run(
                self._command(*command, "--email", email), capture_output=True, text=True, check=True
            )
        return said.stdout.splitlines()[-1]

    def revoke(self, plan):
        """Revokes the key of this plan's account: from then on it is one that nobody has."""
        command = self._command("key", "revoke", "--email", f"{plan}@example.org", "--name", "bench")
        subprocess.run(command, capture_output=True, check=True)

    def cpu(self):
        """Seconds of CPU that the process has used."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self, name):
        """`VmHWM`, the peak, or `VmRSS`, what is held now: MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1024

    def post(self, path, key, body):
        """Status, headers and JSON of an answer."""
        request = urllib.request.Request(
            self.url + path,
            data=json.dumps(body).encode(),
            headers={"x-api-key": key, "content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.headers, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.headers, json.load(error)


class Site:
    """A documentation site of `pages` pages of about `size` bytes, each answered after `delay` seconds.

    `asked`: the paths that were asked for."""

    def __init__(self, name, pages, size=4096, delay=0.0):
        self.name = name
        links = "".join(f'<li><a href="/docs/{n}.html">About part {n}</a></li>' for n in range(pages))
        filler = "<p>" + f"What {name} says of it, and what follows from that. " * (size // 50) + "</p>"

        def page(title, rest):
            return (
                f"<!doctype html><html lang=en><title>{title}</title><body><main><h1>{title}</h1>"
                f"<p>This page of {name} is about {title} and nothing else.</p>{rest}</main>"
            ).encode()

        self.asked = asked = []
        answers = {"/": page(name, f"<ul>{links}</ul>")}
        for n in range(pages):
            answers[f"/docs/{n}.html"] = page(f"Part {n} of {name}", filler.replace("it", f"part {n}"))

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                asked.append(self.path)
                time.sleep(delay)
                body = answers.get(self.path.partition("?")[0])
                self.send_response(200 if body else 404)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.send_header("content-length", str(len(body or b"")))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body or b"")

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # Whoever left needs no answer.
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
