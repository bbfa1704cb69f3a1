#!/usr/bin/env python3
"""More sites than permits: how near all of them together come to what permits allow, what the service burns while it waits,
and what a small crawl gets beside large ones.

usage: benches/permits.py [--binary target/release/wayfile]"""
import argparse
import threading
import time

from load import together
from service import Service, Site


def many_sites(binary, count, permits):
    sites = [Site(f"Harbour{n}", pages=5, delay=0.25) for n in range(count)]
    with Service(binary, crawl=f"max_fetches = {permits}\nmax_crawls = {count}") as service:
        key = service.key("business")
        started, burned = time.monotonic(), service.cpu()
        answers = together(count, lambda n: service.post("/api/v1/generate", key, {"url": sites[n].url}))
        took, burned = time.monotonic() - started, service.cpu() - burned
    whole = sum(status == 200 and answer["llmsTxt"].count("/docs/") == 5 for status, _, answer in answers)
    ideal = sum(len(site.asked) for site in sites) * 0.25 / permits
    print(
        f"{count} sites through {permits} permits: {whole} whole answers in {took:.1f} s, "
        f"{took / ideal:.2f} x the ideal {ideal:.1f} s; {100 * burned / took:.1f} % of a core"
    )


def waiting(binary):
    sites = [Site(f"Slow{n}", pages=5, delay=4.0) for n in range(40)]
    with Service(binary, crawl="max_fetches = 4\nmax_crawls = 40") as service:
        key = service.key("business")
        for site in sites:
            asking = lambda url: service.post("/api/v1/generate", key, {"url": url})
            threading.Thread(target=together, args=(1, lambda _, url=site.url: asking(url)), daemon=True).start()
        time.sleep(2)
        burned = service.cpu()
        time.sleep(10)
        burned = service.cpu() - burned
    print(f"40 slow sites wait for 4 permits: {100 * burned / 10:.1f} % of a core")


def looks(binary):
    hosts = [Site(f"Host{n}", pages=1, delay=0.2) for n in range(100)]
    with Service(binary) as service:
        key = service.key("business")

        def validate(n):
            linked = [hosts[(8 * n + k) % len(hosts)].url + f"?{n}" for k in range(24)]
            text = "# Tide\n\n> Levels.\n\n## Docs\n\n" + "".join(f"- [{url}]({url}): what\n" for url in linked)
            return service.post("/api/v1/validate", key, {"content": text, "checkLinks": True})

        started, burned = time.monotonic(), service.cpu()
        answers = together(64, validate)
        took, burned = time.monotonic() - started, service.cpu() - burned
    assert all(status == 200 for status, _, _ in answers), answers
    known = sum(answer["linkStats"]["ok"] for _, _, answer in answers)
    asked = sum(len(host.asked) for host in hosts)
    ideal = asked * 0.2 / 64
    print(
        f"64 validations of 24 links to 100 hosts: {known} of {64 * 24} links known after {took:.1f} s, "
        f"{took / ideal:.2f} x the ideal {ideal:.1f} s; {100 * burned / took:.1f} % of a core"
    )


def beside(binary):
    large = [Site(f"Large{n}", pages=300, size=500, delay=0.05) for n in range(8)]
    small = [Site(f"Small{n}", pages=10, size=500, delay=0.05) for n in range(2)]
    with Service(binary, crawl="max_fetches = 16") as service:
        key = service.key("business")

        def took(site):
            started = time.monotonic()
            status, _, answer = service.post("/api/v1/generate", key, {"url": site.url})
            assert (status, answer["llmsTxt"].count("/docs/")) == (200, 10), answer
            return time.monotonic() - started

        alone = took(small[0])
        ask = lambda n: service.post("/api/v1/generate", key, {"url": large[n].url})
        threading.Thread(target=together, args=(8, ask), daemon=True).start()
        time.sleep(2)
        crowded = took(small[1])
        left = sum(300 - len(site.asked) for site in large)
    print(f"10 pages alone {alone:.2f} s, beside 8 x 300 pages {crowded:.2f} s: {crowded / alone:.2f} x ({left} pages to go)")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--binary", default="target/release/wayfile")
    binary = arguments.parse_args().binary
    beside(binary)
    looks(binary)
    waiting(binary)
    many_sites(binary, 16, 8)
    many_sites(binary, 40, 4)


if __name__ == "__main__":
    main()
