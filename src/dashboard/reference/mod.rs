//! `/docs`: the API's reference, made from the OpenAPI document. Nothing is loaded from elsewhere.

mod samples;
mod schema;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use actix_web::http::StatusCode;
use actix_web::web;
use askama::Template;
use serde_json::Value;

use super::{DOCS, Layout, MaybeSignedIn, render};
use crate::error::ApiResult;
use crate::openapi;
use crate::service::Service;
use schema::Table;

#[derive(Template)]
#[template(path = "reference/page.html")]
struct ReferencePage<'a> {
    layout: Layout,
    contract: &'a Contract,
}

struct Operation {
    /// Its name in the document, and of its place on the page.
    id: String,
    method: String,
    path: String,
    title: String,
    says: String,
    keyed: bool,
    headers: Option<Table>,
    request: Vec<Table>,
    answer: Vec<Table>,
    example: String,
    /// For curl, in JavaScript and in Python.
    samples: [String; 3],
    events: Vec<StreamEvent>,
    /// The data of the events that no other table has.
    data: Vec<Table>,
    /// What it may answer beside its success: statuses with their codes.
    fails: Vec<(String, Vec<String>)>,
}

struct StreamEvent {
    name: String,
    says: String,
    data: String,
}

struct Error {
    code: String,
    status: String,
    says: String,
    waits: bool,
}

/// Made once: a process has one contract and is reached at one address.
struct Contract {
    base: String,
    operations: Vec<Operation>,
    errors: Vec<Error>,
}

pub(crate) async fn reference(service: web::Data<Service>, visitor: MaybeSignedIn) -> ApiResult {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    let contract = CONTRACT.get_or_init(|| Contract::at(service.address("")));
    let layout = Layout::of(visitor.0.as_ref(), DOCS);
    render(StatusCode::OK, &ReferencePage { layout, contract })
}

impl Contract {
    fn at(base: String) -> Self {
        let document = serde_json::from_str(&openapi::document(None)).unwrap_or_default();
        Self { operations: operations(&document, &base), errors: errors(&document), base }
    }
}

/// Every call, those that want a key first.
fn operations(document: &Value, base: &str) -> Vec<Operation> {
    let mut found: Vec<Operation> = calls(document)
        .map(|(path, method, operation)| {
            let body = &operation["requestBody"]["content"]["application/json"];
            let answer = &operation["responses"]["200"]["content"]["application/json"];
            let keyed = operation.get("security").is_some();
            let (request, answers) =
                (schema::tables(document, &body["schema"]), schema::tables(document, &answer["schema"]));
            let (events, data) = events(document, &operation["x-events"], &answers);
            Operation {
                id: text(&operation["operationId"]),
                method: method.to_uppercase(),
                path: path.clone(),
                title: text(&operation["summary"]),
                says: text(&operation["description"]),
                keyed,
                headers: schema::headers(&operation["parameters"]),
                example: schema::example(document, answer).map_or_else(String::new, |example| {
                    serde_json::to_string_pretty(&example).unwrap_or_default()
                }),
                samples: samples::of(base, path, method, keyed, schema::example(document, body).as_ref()),
                request,
                answer: answers,
                events,
                data,
                fails: fails(operation)
                    .map(|(status, told)| (status, told.into_iter().map(|(code, _)| code).collect()))
                    .collect(),
            }
        })
        .collect();
    found.sort_by_key(|operation| (!operation.keyed, operation.method == "GET"));
    found
}

fn calls(document: &Value) -> impl Iterator<Item = (&String, &String, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, methods)| {
        methods.as_object().into_iter().flatten().map(move |(method, operation)| (path, method, operation))
    })
}

/// The events of a stream, and the tables of their data that are not among `known`.
fn events(document: &Value, list: &Value, known: &[Table]) -> (Vec<StreamEvent>, Vec<Table>) {
    let (mut events, mut data): (Vec<StreamEvent>, Vec<Table>) = (Vec::new(), Vec::new());
    for event in list.as_array().into_iter().flatten() {
        let name = text(&event["data"]);
        let of_data = document["components"]["schemas"].get(&name);
        for table in of_data.map(|_| schema::named(document, &name)).into_iter().flatten() {
            if !known.iter().chain(&data).any(|table_before| table_before.title == table.title) {
                data.push(table);
            }
        }
        let says = text(&event["description"]);
        events.push(StreamEvent { name: text(&event["event"]), says, data: name });
    }
    (events, data)
}

/// Statuses of an operation that are no success, with their codes and those codes' messages.
fn fails(operation: &Value) -> impl Iterator<Item = (String, Vec<(String, String)>)> {
    let responses = operation["responses"].as_object().into_iter().flatten();
    responses.filter(|(status, _)| *status != "200").map(|(status, response)| {
        // Written as `code`: message, with an empty line between two of them.
        let described = text(&response["description"]);
        let told = described.split("\n\n").filter_map(|line| line.strip_prefix('`')?.split_once("`: "));
        (status.clone(), told.map(|(code, message)| (code.to_owned(), message.to_owned())).collect())
    })
}

/// Every error of every call, by status.
fn errors(document: &Value) -> Vec<Error> {
    let mut found = BTreeMap::new();
    for (_, _, operation) in calls(document) {
        for (status, told) in fails(operation) {
            let waits = operation["responses"][&status]["headers"].get("Retry-After").is_some();
            for (code, message) in told {
                let error = Error { code: code.clone(), status: status.clone(), says: message, waits };
                found.entry((status.clone(), code)).or_insert(error);
            }
        }
    }
    found.into_values().collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Value {
        serde_json::from_str(&openapi::document(None)).unwrap()
    }

    #[test]
    fn every_call_of_the_contract_is_there_with_an_example_and_its_fields() {
        let operations = operations(&document(), "http://127.0.0.1:8080");
        let names: Vec<&str> = operations.iter().map(|operation| operation.id.as_str()).collect();
        assert_eq!(names, ["generate", "validate", "usage", "healthz", "readyz"]);
        for operation in &operations {
            assert!(!operation.answer.is_empty() && operation.example.len() > 10, "{}", operation.id);
            assert!(!operation.fails.is_empty(), "{}", operation.id);
        }
        let of =
            |tables: &[Table]| -> Vec<String> { tables.iter().map(|table| table.title.clone()).collect() };
        assert_eq!(of(&operations[1].request), ["ValidateSite", "ValidateContent"]);
        assert_eq!(
            of(&operations[1].answer),
            ["ValidateResponse", "Check", "Occurrence", "LinkStats", "DeadLink"]
        );
        let events: Vec<&str> = operations[0].events.iter().map(|event| event.name.as_str()).collect();
        assert_eq!(events, ["accepted", "discovered", "page", "described", "done", "error"]);
        assert_eq!(of(&operations[0].data), ["Progress", "PageEvent", "InBrowser", "Error"]);
    }

    #[test]
    fn every_error_is_told_once() {
        let errors = errors(&document());
        let mut codes: Vec<&str> = errors.iter().map(|error| error.code.as_str()).collect();
        assert!(codes.len() > 20 && codes.contains(&"quota_exceeded"), "{codes:?}");
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), errors.len());
    }
}
