//! Equal requests that run at the same time share one crawl.

use std::time::Duration;

use wayfile_actors::Freshness;
use wayfile_core::llms_txt::FileType;

use crate::support::fake_site::{FakeSite, numbered};
use crate::support::{engine, job, links, run, settings};

const MS: Duration = Duration::from_millis(1);

#[test]
fn equal_requests_share_a_crawl_and_each_gets_what_it_asked_for() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 12).after(20 * MS));
        let mut settings = settings();
        settings.max_crawls = 1;
        settings.queue_wait = Duration::ZERO;
        settings.cache_bytes = "0".parse().unwrap();
        let engine = engine(settings);
        let mut index = job(&site.url());
        index.output.file_type = FileType::Llms;
        let mut short = job(&site.url());
        (short.output.full_pages, short.output.instructions) = (3, Some("Quote the source.".to_owned()));
        let (both, index, short) =
            tokio::join!(engine.generate(job(&site.url())), engine.generate(index), engine.generate(short));
        let (both, index, short) = (both.unwrap(), index.unwrap(), short.unwrap());
        for n in 0..12 {
            assert_eq!(site.count(&format!("/docs/{n}.html")), 1);
        }
        assert_eq!(links(&both).len(), 12);
        assert_eq!((index.file_type, index.llms_full_txt), (FileType::Llms, None));
        assert!(short.llms_txt.unwrap().contains("Quote the source."));
        assert!(!both.llms_txt.unwrap().contains("Quote the source."));
        assert!(short.llms_full_txt.unwrap().len() < both.llms_full_txt.unwrap().len());
    });
}

#[test]
fn joining_needs_a_running_crawl() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 4).after(50 * MS));
        let engine = engine(settings());
        assert!(engine.join(&job(&site.url())).await.is_none());
        assert_eq!(site.hits().len(), 0);
        let joining = async {
            loop {
                if let Some(joined) = engine.join(&job(&site.url())).await {
                    break joined;
                }
                tokio::task::yield_now().await;
            }
        };
        let (first, joined) = tokio::join!(engine.generate(job(&site.url())), joining);
        // The crawl is over by now, and its answer is still there for who had joined it; nobody else can.
        assert!(engine.join(&job(&site.url())).await.is_none());
        let then = site.hits().len();
        let second = joined.answer().await.expect("no answer came of the crawl that was joined").unwrap();
        assert_eq!(links(&second), links(&first.unwrap()));
        assert_eq!(site.hits().len(), then);
    });
}

#[test]
fn refused_crawl_answers_no_joiner() {
    run(async {
        let (site, other) = (
            FakeSite::start(|path| numbered(path, 4)),
            FakeSite::start(|path| numbered(path, 4).after(500 * MS)),
        );
        let mut settings = settings();
        settings.max_crawls = 1;
        settings.queue_wait = 200 * MS;
        let engine = engine(settings);
        let joining = async {
            loop {
                if let Some(joined) = engine.join(&job(&site.url())).await {
                    break joined.answer().await;
                }
                tokio::time::sleep(10 * MS).await;
            }
        };
        let busy = async {
            tokio::time::sleep(100 * MS).await;
            engine.generate(job(&site.url())).await
        };
        let (running, busy, joined) = tokio::join!(engine.generate(job(&other.url())), busy, joining);
        assert!(running.is_ok() && joined.is_none());
        assert_eq!(busy.unwrap_err(), wayfile_actors::CrawlError::Busy);
    });
}

#[test]
fn a_crawl_goes_on_for_those_who_stay_and_stops_with_the_last() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 200).after(20 * MS));
        let engine = engine(settings());
        let (first, second) = (job(&site.url()), job(&site.url()));
        let mut staying = Box::pin(engine.generate(second));
        tokio::select! {
            biased;
            left = tokio::time::timeout(200 * MS, engine.generate(first)) => assert!(left.is_err()),
            _ = &mut staying => panic!("the crawl was over before its callers left"),
        }
        let then = site.hits().len();
        let goes_on = async {
            while site.hits().len() < then + 20 {
                tokio::time::sleep(10 * MS).await;
            }
        };
        tokio::select! {
            gone_on = tokio::time::timeout(10_000 * MS, goes_on) => {
                assert!(gone_on.is_ok(), "the crawl stopped with its first caller: {then} requests");
            }
            _ = &mut staying => panic!("the crawl was over before its last caller left"),
        }
        drop(staying);
        tokio::time::sleep(300 * MS).await;
        let after = site.hits().len();
        tokio::time::sleep(400 * MS).await;
        assert_eq!(site.hits().len(), after, "requests went on after the last caller had left");
    });
}

#[test]
fn fresh_requests_join_no_crawl() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 4));
        let engine = engine(settings());
        engine.generate(job(&site.url())).await.unwrap();
        let mut fresh = job(&site.url());
        fresh.freshness = Freshness::Now;
        assert_eq!(links(&engine.generate(fresh).await.unwrap()).len(), 4);
        assert_eq!(site.count("/docs/2.html"), 2);
    });
}

#[test]
fn shutdown_ends_crawls_with_partial_files() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 200).after(20 * MS));
        let engine = engine(settings());
        let closing = engine.clone();
        let (generated, ()) = tokio::join!(engine.generate(job(&site.url())), async move {
            tokio::time::sleep(400 * MS).await;
            closing.close();
        });
        let generated = generated.unwrap();
        assert!(!links(&generated).is_empty() && generated.stats.pages < 200);
        assert!(generated.note.unwrap().contains("run was stopped"));
    });
}

#[test]
fn crawl_without_callers_ends() {
    run(async {
        let site = FakeSite::start(|path| numbered(path, 4).after(50 * MS));
        let engine = engine(settings());
        {
            let mut crawl = std::pin::pin!(engine.generate(job(&site.url())));
            assert!(futures_util::poll!(crawl.as_mut()).is_pending());
        }
        tokio::time::sleep(100 * MS).await;
        assert!(engine.join(&job(&site.url())).await.is_none());
    });
}
