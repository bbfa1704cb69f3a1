//! `/metrics`: the closed catalogue in Prometheus' text format.

use actix_web::{HttpResponse, web};
use metrics_exporter_prometheus::PrometheusHandle;
use metrics_process::Collector;

#[derive(Clone)]
pub(crate) struct Scrape {
    pub(crate) recorder: PrometheusHandle,
    pub(crate) process: Collector,
}

pub(crate) async fn metrics(scrape: web::Data<Scrape>) -> HttpResponse {
    scrape.process.collect();
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(scrape.recorder.render())
}
