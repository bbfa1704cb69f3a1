#!/usr/bin/env python3
"""Many at once: the memory of 100 generate requests over 20 sites, and how soon a full service says so.

usage: benches/load.py [--binary target/release/wayfile]"""
import argparse
import concurrent.futures
import time

from service import Service, Site


def together(count, work):
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def crowd(binary):
    sites = [Site(f"Harbour{n}", pages=40, size=20_000, delay=0.01) for n in range(20)]
    with Service(binary) as service:
        key = service.key("business")
        idle = service.memory("VmRSS")

        def ask(n):
            site = sites[n % len(sites)]
            return site, service.post("/api/v1/generate", key, {"url": site.url})

        started = time.monotonic()
        for site, (status, _, answer) in together(100, ask):
            assert status == 200, answer
            index, full = answer["llmsTxt"], answer["llmsFullTxt"]
            assert index.startswith(f"# {site.name}\n"), index[:80]
            assert index.count(f"({site.url}docs/") == 40 and full.count(f"Source: {site.url}") >= 40, answer["note"]
        took = time.monotonic() - started
        peak = service.memory("VmHWM")
        print(f"100 generate requests over 20 sites: all answered, none mixed up, in {took:.1f} s")
        print(f"memory: {idle:.0f} MiB idle, {peak:.0f} MiB at the peak")


def full_house(binary):
    slow = [Site(f"Slow{n}", pages=3, delay=2.0) for n in range(2)]
    late = Site("Late", pages=3)
    for wait in (0.0, 1.0):
        with Service(binary, crawl=f'max_crawls = 2\nqueue_wait = "{wait}s"') as service:
            key = service.key("business")
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                held = [pool.submit(service.post, "/api/v1/generate", key, {"url": site.url}) for site in slow]
                time.sleep(1)

                def ask(n):
                    started = time.monotonic()
                    status, headers, answer = service.post("/api/v1/generate", key, {"url": f"{late.url}docs/{n}/"})
                    assert (status, answer["code"]) == (503, "busy") and headers["retry-after"], answer
                    return time.monotonic() - started - wait

                alone = ask(0)
                crowd = together(20, ask)
                for answer in held:
                    assert answer.result()[0] == 200
            print(
                f"a full service, queue_wait {wait:.0f} s: 503 after the wait and {1000 * alone:.1f} ms; "
                f"20 at once: the slowest {1000 * max(crowd):.1f} ms"
            )


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--binary", default="target/release/wayfile")
    binary = arguments.parse_args().binary
    crowd(binary)
    full_house(binary)


if __name__ == "__main__":
    main()
