//! Every panel asks for what there is, and everything there is has a panel.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{ours, query};

fn dashboards() -> Vec<(String, Value)> {
    let folder = std::fs::read_dir(ours("grafana/dashboards")).unwrap();
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
    };
    folder.map(|file| read(file.unwrap().path())).collect()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

fn queries(dashboard: &Value) -> Vec<&str> {
    let targets = list(&dashboard["panels"]).iter().flat_map(|panel| list(&panel["targets"]));
    targets.map(|target| target["expr"].as_str().unwrap()).collect()
}

#[test]
fn three_dashboards_exist() {
    let names: BTreeSet<String> = dashboards().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["actors", "crawl", "service"].map(str::to_owned).into());
}

#[test]
fn every_panel_asks_for_what_there_is() {
    for (name, dashboard) in dashboards() {
        for panel in list(&dashboard["panels"]) {
            assert!(!list(&panel["targets"]).is_empty(), "{name}: {} asks for nothing", panel["title"]);
            assert!(!panel["description"].as_str().unwrap().is_empty(), "{name}: {}", panel["title"]);
        }
        queries(&dashboard).into_iter().map(query::series).for_each(drop);
    }
}

#[test]
fn every_variable_of_a_panel_is_one_of_its_dashboard() {
    for (name, dashboard) in dashboards() {
        let variables = list(&dashboard["templating"]["list"]).iter();
        let names: BTreeSet<_> = variables.map(|variable| variable["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["datasource", "instance"].into(), "{name}");
    }
}

#[test]
fn every_metric_is_shown_somewhere() {
    let dashboards = dashboards();
    let queries = dashboards.iter().flat_map(|(_, dashboard)| queries(dashboard));
    let shown: BTreeSet<String> = queries.flat_map(query::metrics).collect();
    let missing: Vec<_> = query::catalogue().difference(&shown).cloned().collect();
    assert!(missing.is_empty(), "no panel shows {missing:?}");
}

#[test]
fn panels_have_numbers_of_their_own_and_do_not_overlap() {
    for (name, dashboard) in dashboards() {
        let (mut numbers, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for panel in list(&dashboard["panels"]) {
            assert!(numbers.insert(panel["id"].as_u64().unwrap()), "{name}: {}", panel["title"]);
            let [x, y, w, h] = ["x", "y", "w", "h"].map(|side| panel["gridPos"][side].as_u64().unwrap());
            assert!(x + w <= 24, "{name}: {} is too far to the right", panel["title"]);
            for cell in (x..x + w).flat_map(|x| (y..y + h).map(move |y| (x, y))) {
                assert!(taken.insert(cell), "{name}: {} lies on another", panel["title"]);
            }
        }
    }
}
