#!/usr/bin/env python3
"""Time and memory for pages that only scripts fill: `wayfile generate --browser`, beside Playwright that opens the same pages by
hand, in one run. The site is an application of ours on loopback; both have two pages open at once.

usage: benches/render.py [--binary target/release/wayfile] [--browser /usr/bin/chromium] [--pages 50] [--rounds 3]
Needs the Python package playwright (no browser of its own)."""
import argparse
import asyncio
import http.server
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

AT_ONCE = 2
SHELL = "<!doctype html><html lang=en><head><title>Tide</title></head><body><div id=root></div><script src=/app.js></script>"
APP = """
const links = (count) => [...Array(count).keys()].map((n) => `<li><a href="/part/${n}">Part ${n}</a></li>`).join('');
fetch('/api' + location.pathname).then((r) => r.json()).then((page) => {
  document.title = page.title;
  document.getElementById('root').innerHTML = `<nav><ul>${links(page.count)}</ul></nav><main><h1>${page.title}</h1>`
    + page.paragraphs.map((text) => `<p>${text}</p>`).join('') + '</main>';
});
"""
WORDS = "tide gauge harbour water level moon station chart record signal float sensor storm vessel channel basin river".split()


def site(count):
    class Site(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            status, kind, body = self.answer()
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def answer(self):
            if self.path == "/app.js":
                return 200, "text/javascript", APP.encode()
            if self.path.startswith("/api/"):
                name = self.path.removeprefix("/api")
                seed = sum(map(ord, name))
                text = [" ".join(WORDS[(seed * 7 + p * 31 + n * n) % len(WORDS)] for n in range(60)) + f" {name} {p}."
                        for p in range(4)]
                return 200, "application/json", json.dumps({"title": f"Of {name}", "count": count - 1, "paragraphs": text}).encode()
            if self.path == "/" or self.path.startswith("/part/"):
                return 200, "text/html", SHELL.encode()
            return 404, "text/plain", b"no"

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def memory(root):
    """KiB of a process and of those below it, without what they share."""
    parents, sizes = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = dict(line.split(":\t", 1) for line in (entry / "status").read_text().splitlines() if ":\t" in line)
            except OSError:
                continue
            pid = int(entry.name)
            parents[pid] = int(fields["PPid"])
            sizes[pid] = sum(int(fields.get(name, "0 kB").split()[0]) for name in ("RssAnon", "RssShmem"))
    total = 0
    for pid in sizes:
        above = pid
        while above > 1 and above != root:
            above = parents.get(above, 0)
        total += sizes[pid] if above == root else 0
    return total


def measured(command):
    """Seconds and peak MiB of a command, and what it printed."""
    began, peak = time.monotonic(), 0
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen(command, stdout=printed, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            peak = max(peak, memory(process.pid))
            time.sleep(0.1)
        took = time.monotonic() - began
        if process.returncode:
            sys.exit(f"{command[0]} failed")
        printed.seek(0)
        return took, peak / 1024, printed.read()


async def by_hand(url, browser, count):
    """What one would write: open, wait until the network is quiet, take the document."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        todo = [url] + [f"{url}part/{n}" for n in range(count - 1)]
        size = 0

        async def work():
            nonlocal size
            while todo:
                address = todo.pop(0)
                context = await chromium.new_context()
                page = await context.new_page()
                await page.goto(address, wait_until="networkidle")
                size += len(await page.content())
                await context.close()

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        await chromium.close()
    print(size)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--binary", default="target/release/wayfile")
    options.add_argument("--browser", default="/usr/bin/chromium")
    options.add_argument("--pages", type=int, default=50)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--by-hand", help=argparse.SUPPRESS)
    options = options.parse_args()
    if options.by_hand:
        return asyncio.run(by_hand(options.by_hand, options.browser, options.pages))
    url = site(options.pages)
    report = tempfile.NamedTemporaryFile()
    ours = [options.binary, "generate", url, "--browser", options.browser, "--allow-network", "127.0.0.0/8", "--report", report.name]
    hand = [sys.executable, os.path.abspath(__file__), "--by-hand", url, "--browser", options.browser, "--pages", str(options.pages)]
    figures = {"wayfile": [], "by hand": []}
    for _ in range(options.rounds):
        for name, command in (("wayfile", ours), ("by hand", hand)):
            figures[name].append(measured(command)[:2])
        pages = json.load(open(report.name))["pages"]
        opened = sum("milliseconds" in page.get("browser", {}) for page in pages)
        if opened != options.pages:
            sys.exit(f"{opened} pages were opened, not {options.pages}")
    for name, rounds in figures.items():
        seconds, mib = (statistics.median(column) for column in zip(*rounds))
        print(f"{name:8} {options.pages} pages: {seconds:.1f} s, {mib:.0f} MiB at most (median of {len(rounds)})")


main()
