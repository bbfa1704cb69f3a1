#!/usr/bin/env python3
"""Writes the three dashboards into dashboards/: here a panel is one line or two, in Grafana's JSON it is forty.

With --check it writes nothing and fails when a file is not what it would write.
"""

import json
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "dashboards"
WIDTH, STAT_HEIGHT, GRAPH_HEIGHT = 24, 4, 8
SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def rate(metric, by=""):
    summed = f"sum by ({by}) " if by else "sum"
    return f'{summed}(rate({metric}{{instance=~"$instance"}}[$__rate_interval]))'


def gauge(metric, by="instance"):
    return f'sum by ({by}) ({metric}{{instance=~"$instance"}})'


def recorded(rule):
    return one(f'{rule}{{instance=~"$instance"}}')


def grown(metric, window):
    return f'sum(increase({metric}{{instance=~"$instance"}}[{window}]))'


def quantiles(metric, *shares):
    """The queries of a histogram: one a share, over all instances."""
    return [(f"histogram_quantile({s}, {rate(metric + '_bucket', 'le')})", f"p{s * 100:g}") for s in shares]


def quantile_by(metric, share, label):
    bucket = rate(metric + "_bucket", f"le, {label}")
    return [(f"histogram_quantile({share}, {bucket})", f"{{{{{label}}}}}")]


def one(expression, legend="{{instance}}"):
    return [(expression, legend)]


def by(metric, label):
    return one(rate(metric, label), f"{{{{{label}}}}}")


def stat(title, unit, queries, why, alarm_from=None):
    steps = [{"color": "green", "value": None}]
    if alarm_from is not None:
        steps.append({"color": "red", "value": alarm_from})
    panel = panel_of("stat", title, unit, queries, why, WIDTH // 4, STAT_HEIGHT)
    panel["fieldConfig"]["defaults"]["thresholds"] = {"mode": "absolute", "steps": steps}
    panel["options"] = {
        "colorMode": "value",
        "graphMode": "area",
        "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
    }
    return panel


def graph(title, unit, queries, why, stacked=False):
    panel = panel_of("timeseries", title, unit, queries, why, WIDTH // 2, GRAPH_HEIGHT)
    panel["fieldConfig"]["defaults"]["min"] = 0
    panel["fieldConfig"]["defaults"]["custom"] = {
        "fillOpacity": 20 if stacked else 0,
        "lineWidth": 1,
        "showPoints": "never",
        "stacking": {"mode": "normal" if stacked else "none", "group": "A"},
    }
    panel["options"] = {
        "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
        "tooltip": {"mode": "multi", "sort": "desc"},
    }
    return panel


def panel_of(kind, title, unit, queries, why, width, height):
    return {
        "type": kind,
        "title": title,
        "description": why,
        "datasource": SOURCE,
        "gridPos": {"w": width, "h": height},
        "fieldConfig": {"defaults": {"unit": unit}, "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": expression, "legendFormat": legend}
            for i, (expression, legend) in enumerate(queries)
        ],
    }


def laid_out(panels):
    """Numbers the panels and puts them in rows, from left to right."""
    x = y = row = 0
    for number, panel in enumerate(panels, 1):
        place = panel["gridPos"]
        if x + place["w"] > WIDTH or (row and place["h"] != row):
            x, y = 0, y + row
        place.update(x=x, y=y)
        panel["id"] = number
        x, row = x + place["w"], place["h"]
    return panels


def dashboard(name, title, about, panels):
    others = [other for other in ("service", "crawl", "actors") if other != name]
    return {
        "uid": f"wayfile-{name}",
        "title": title,
        "description": about,
        "tags": ["wayfile"],
        "schemaVersion": 39,
        "version": 1,
        "editable": False,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "timezone": "utc",
        "links": [
            {"type": "link", "title": other.capitalize(), "url": f"/d/wayfile-{other}", "keepTime": True,
             "includeVars": True}
            for other in others
        ],
        "templating": {
            "list": [
                {"name": "datasource", "label": "Source", "type": "datasource", "query": "prometheus"},
                {
                    "name": "instance",
                    "label": "Server",
                    "type": "query",
                    "datasource": SOURCE,
                    "query": "label_values(wayfile_process_start_time_seconds, instance)",
                    "refresh": 2,
                    "sort": 1,
                    "multi": True,
                    "includeAll": True,
                    "allValue": ".*",
                    "current": {"text": ["All"], "value": ["$__all"]},
                },
            ]
        },
        "annotations": {"list": []},
        "panels": laid_out(panels),
    }


SERVICE = [
    stat("Up since", "dateTimeFromNow", one('min(wayfile_process_start_time_seconds{instance=~"$instance"}) * 1000'),
         "The server that was started first."),
    stat("Requests", "reqps", one(rate("wayfile_http_requests_total"), "requests"), "All routes together."),
    stat("Runs in 24 hours", "short", one(grown("wayfile_crawls_total", "24h"), "runs"),
         "Crawls that ended, however they ended."),
    stat("Answers from private addresses", "short",
         one('sum(wayfile_private_peers_total{instance=~"$instance"})', "answers"),
         "Must be 0: a site led a request into a private network.", alarm_from=1),
    graph("Requests by route", "reqps", by("wayfile_http_requests_total", "route"),
          "`other` is every path that is none of ours.", stacked=True),
    graph("Answers by status", "reqps", by("wayfile_http_requests_total", "status"),
          "500 from generate mostly says that a site cannot be reached; 503 that the service is full, the store away "
          "or the service shutting down.", stacked=True),
    graph("Time to answer, 95 of 100", "s", quantile_by("wayfile_http_request_seconds", 0.95, "route"),
          "Generate takes as long as its crawl; everything else should stay in milliseconds."),
    graph("Requests by method", "reqps", by("wayfile_http_requests_total", "method"),
          "Reads and work.", stacked=True),
    graph("Decisions about keys", "reqps", by("wayfile_admissions_total", "outcome"),
          "`entered`: the key is good and its rate has room. `admitted`: a unit of the month's quota is reserved.",
          stacked=True),
    graph("Requests that were refused, share", "percentunit", recorded("wayfile:admissions_refused:ratio5m"),
          "Of the decisions about keys: what a client should see little of."),
    graph("Ready", "short", [(f'min by (part) (wayfile_ready{{instance=~"$instance"}})', "{{part}}")],
          "0: this part cannot do its work, and `/readyz` says why."),
    graph("Background tasks started anew", "ops", by("wayfile_task_restarts_total", "task"),
          "After a panic each; the log has it."),
    graph("CPU", "none", one(rate("wayfile_process_cpu_seconds_total", "instance")), "Cores in use."),
    graph("Memory", "bytes", one(gauge("wayfile_process_resident_memory_bytes")), "Resident: what counts."),
    graph("Address space", "bytes", [
        (gauge("wayfile_process_virtual_memory_bytes"), "{{instance}}"),
        (gauge("wayfile_process_virtual_memory_max_bytes"), "{{instance}} limit (0: none)"),
    ], "Most of it is never touched."),
    graph("Open files and sockets", "short", [
        (gauge("wayfile_process_open_fds"), "{{instance}} open"),
        (gauge("wayfile_process_max_fds"), "{{instance}} limit"),
    ], "At the limit (0: none), no connection is accepted and no site fetched."),
    graph("Threads", "short", one(gauge("wayfile_process_threads")), "Flat in a healthy service."),
]

CRAWL = [
    stat("Crawls running", "short", one('sum(wayfile_actors{kind="supervisor",instance=~"$instance"})', "crawls"),
         "One Supervisor each, those that wait for a permit included."),
    stat("Crawls that gave files, share", "percentunit", recorded("wayfile:crawls_good:ratio1h"),
         "Of those that ended within the hour and were not left by their caller."),
    stat("Pages fetched", "reqps", one('sum(rate(wayfile_fetches_total{outcome="ok",instance=~"$instance"}'
         "[$__rate_interval]))", "fetches"), "Requests to sites that went well, robots.txt and sitemaps included."),
    stat("Cache, share of hits", "percentunit", recorded("wayfile:cache_hits:ratio5m"),
         "Look-ups that spared the site a request."),
    graph("Crawls by outcome", "reqps", by("wayfile_crawls_total", "outcome"),
          "`partial`: the deadline came first. `cancelled`: the last caller left.", stacked=True),
    graph("Time of a crawl", "s", quantiles("wayfile_crawl_seconds", 0.5, 0.9, 0.99),
          "It ends at crawl.deadline at the latest."),
    graph("Validations", "reqps", by("wayfile_validations_total", "what"),
          "Of a site, or of a text that came with the request.", stacked=True),
    graph("Requests to sites by outcome", "reqps", by("wayfile_fetches_total", "outcome"),
          "Every try counts.", stacked=True),
    graph("Time to first byte", "s", quantiles("wayfile_fetch_seconds", 0.5, 0.9, 0.99), "Of the sites, not ours."),
    graph("Bytes from sites", "Bps", one(rate("wayfile_fetch_bytes_total"), "decoded"), "After decompression."),
    graph("Waits for a domain's turn", "s", quantiles("wayfile_politeness_wait_seconds", 0.5, 0.9, 0.99),
          "What politeness costs: gaps, Crawl-delay, and the pauses after 429 and 503."),
    graph("Shares of sites by outcome", "ops", by("wayfile_site_shares_total", "outcome"),
          "What nodes ask each other for through the store: at most one a site and second for each. `waits` had to come again.",
          stacked=True),
    graph("Time to a share of a site", "s", quantiles("wayfile_site_share_seconds", 0.5, 0.99),
          "What the store takes for it. Without other nodes nobody is asked."),
    graph("Time of the store for a request to a site", "s", one(
        f'{rate("wayfile_site_share_seconds_sum")} / {rate("wayfile_fetches_total")}', "a request"),
          "What sharing costs: all shares together, by the requests that were sent."),
    graph("Nodes", "short", one("max(wayfile_nodes)", "nodes"), "That give signs of life. 1 with SQLite."),
    graph("Page cache by result", "ops", by("wayfile_cache_requests_total", "result"),
          "`stale` asks the site whether the page changed.", stacked=True),
    graph("Time to read a page", "s", quantiles("wayfile_parse_seconds", 0.5, 0.99),
          "From bytes to Markdown, on one core."),
    graph("Pages read", "ops", one(rate("wayfile_parse_seconds_count"), "pages"), "On all cores."),
    graph("Browser: pages by outcome", "ops", by("wayfile_rendered_pages_total", "outcome"),
          "Pages that only scripts fill. Flat at 0 where no browser is configured.", stacked=True),
    graph("Browser: time of a page", "s", quantiles("wayfile_render_seconds", 0.5, 0.9),
          "From the empty shell to what it shows, waits for the domain's turn included."),
    graph("Browser: what pages ask for", "ops", by("wayfile_browser_requests_total", "result"),
          "`loaded` went to a site; `method`, `kind`, `tracker`, `address` and `over_limit` were refused.", stacked=True),
    stat("Browsers started in 24 hours", "short", one(grown("wayfile_browser_starts_total", "24h"), "starts"),
         "The first page of a crawl that needs one, and whenever one died."),
    graph("Model: requests by outcome", "reqps", by("wayfile_model_requests_total", "outcome"),
          "`remembered` was answered without a request. Flat at 0 where no model is configured.", stacked=True),
    graph("Model: time to answer", "s", quantiles("wayfile_model_seconds", 0.5, 0.9), "One request."),
    graph("Model: tokens", "short", one(rate("wayfile_model_tokens_total"), "tokens a second"),
          "Prompts and answers: what is paid for."),
    graph("Model: texts by whether they could be used", "ops", by("wayfile_model_texts_total", "result"),
          "What is not `ok` gave way to the page's own words.", stacked=True),
]

ACTORS = [
    stat("Actors", "short", one(gauge("wayfile_actors"), "{{instance}}"), "All kinds together."),
    stat("Panics in 24 hours", "short", one(grown("wayfile_panics_total", "24h"), "panics"),
         "Each cost one page, and is a fault of ours.", alarm_from=1),
    stat("Tasks that wait", "short", one(gauge("wayfile_permit_waiters"), "{{instance}}"), "For any permit."),
    stat("Restarts in 24 hours", "short", one(grown("wayfile_actor_restarts_total", "24h"), "restarts"),
         "Most are harmless: an idle actor ends and is asked for again."),
    graph("Actors alive by kind", "short", one(gauge("wayfile_actors", "kind"), "{{kind}}"),
          "Supervisors and assemblers follow the crawls; fetchers and key guards end when idle."),
    graph("Restarts by kind", "ops", by("wayfile_actor_restarts_total", "kind"),
          "Together with panics of the same kind: something keeps failing."),
    graph("Permits in use by pool", "short", one(gauge("wayfile_permits_in_use", "pool"), "{{pool}}"),
          "Flat at its size, a pool is the bottleneck."),
    graph("Waiting by pool", "short", one(gauge("wayfile_permit_waiters", "pool"), "{{pool}}"),
          "Waiters at `crawl` get 503 after crawl.queue_wait."),
    graph("Waits for a permit, 95 of 100", "s", quantile_by("wayfile_permit_wait_seconds", 0.95, "pool"),
          "Where the time goes when the service is full."),
    graph("Permits asked for by pool", "ops", by("wayfile_permit_wait_seconds_count", "pool"),
          "Those that had to be waited for, were it for an instant."),
    graph("Panics by kind", "ops", by("wayfile_panics_total", "kind"), "The log has each with its page's site."),
]

DASHBOARDS = [
    dashboard("service", "Wayfile: service", "Requests, keys and the process.", SERVICE),
    dashboard("crawl", "Wayfile: crawl", "From the site to the files, the browser and the model.", CRAWL),
    dashboard("actors", "Wayfile: actors", "Who is alive, who waits for what, who failed.", ACTORS),
]


def main():
    stale = []
    for board in DASHBOARDS:
        path = FOLDER / f"{board['uid'].removeprefix('wayfile-')}.json"
        text = json.dumps(board, indent=2) + "\n"
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"{', '.join(stale)}: not what dashboards.py writes. Run it and commit the result.")


if __name__ == "__main__":
    main()
