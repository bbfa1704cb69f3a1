//! Schemas of the OpenAPI document as tables that people read.

use serde_json::{Map, Value};

use crate::dashboard::words;
use crate::error::sentence;

const SCHEMAS: &str = "#/components/schemas/";

pub(super) struct Table {
    pub(super) title: String,
    pub(super) says: String,
    pub(super) fields: Vec<SchemaField>,
}

pub(super) struct SchemaField {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) required: bool,
    /// Plain text with code between backticks.
    pub(super) says: String,
}

/// The tables of a schema: its own, one for each of its alternatives, and those of the objects in it, each once.
pub(super) fn tables(document: &Value, schema: &Value) -> Vec<Table> {
    let mut found = Vec::new();
    collect(document, schema, &mut found);
    found
}

/// The same of a schema that the document names.
pub(super) fn named(document: &Value, name: &str) -> Vec<Table> {
    tables(document, &serde_json::json!({"$ref": format!("{SCHEMAS}{name}")}))
}

fn collect(document: &Value, schema: &Value, found: &mut Vec<Table>) {
    let (name, schema) = resolved(document, schema);
    for alternative in ["oneOf", "items"].iter().filter_map(|key| schema.get(key)) {
        match alternative.as_array() {
            Some(several) => several.iter().for_each(|one| collect(document, one, found)),
            None => collect(document, alternative, found),
        }
    }
    let (properties, required) = parts(document, schema);
    if properties.is_empty() || found.iter().any(|table| table.title == name) {
        return;
    }
    let place = |field: &str| required.iter().position(|one| *one == field).unwrap_or(usize::MAX);
    let mut fields: Vec<SchemaField> = properties
        .iter()
        .map(|(field, schema)| SchemaField {
            name: (*field).clone(),
            kind: kind(document, schema),
            required: required.contains(&field.as_str()),
            says: full_description(document, schema),
        })
        .collect();
    fields.sort_by_key(|field| place(&field.name));
    found.push(Table { title: name, says: described(schema).to_owned(), fields });
    for (_, schema) in properties {
        collect(document, schema, found);
    }
}

/// The fields of an object and the names of those that are always there; of several objects in one, all of them.
fn parts<'a>(document: &'a Value, schema: &'a Value) -> (Vec<(&'a String, &'a Value)>, Vec<&'a str>) {
    let mut properties: Vec<_> = schema["properties"].as_object().into_iter().flat_map(Map::iter).collect();
    let listed = schema["required"].as_array().into_iter().flatten();
    let mut required: Vec<&str> = listed.filter_map(Value::as_str).collect();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        let (more, needed) = parts(document, resolved(document, part).1);
        properties.extend(more);
        required.extend(needed);
    }
    (properties, required)
}

pub(super) fn headers(parameters: &Value) -> Option<Table> {
    let fields: Vec<SchemaField> = parameters
        .as_array()?
        .iter()
        .map(|header| SchemaField {
            name: header["name"].as_str().unwrap_or_default().to_owned(),
            kind: "string".to_owned(),
            required: header["required"] == true,
            says: described(header).to_owned(),
        })
        .collect();
    Some(Table { title: "Headers".to_owned(), says: String::new(), fields })
}

/// The example of a body: its own, the first of several, or what its fields show.
pub(super) fn example(document: &Value, content: &Value) -> Option<Value> {
    if let Some(example) = content.get("example") {
        return Some(example.clone());
    }
    if let Some(first) = content["examples"].as_object().and_then(|all| all.values().next()) {
        return first.get("value").cloned();
    }
    let (properties, _) = parts(document, resolved(document, content.get("schema")?).1);
    let shown =
        properties.iter().filter_map(|(name, field)| Some(((*name).clone(), field.get("example")?.clone())));
    Some(Value::Object(shown.collect()))
}

/// What a schema is called, and what it is: references are followed.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> (String, &'a Value) {
    let name = schema["$ref"].as_str().and_then(|target| target.strip_prefix(SCHEMAS));
    name.map_or((String::new(), schema), |name| (name.to_owned(), &document["components"]["schemas"][name]))
}

fn kind(document: &Value, schema: &Value) -> String {
    let (name, schema) = resolved(document, schema);
    let one_of = |names: &[Value]| names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" | ");
    if let Some(values) = schema["enum"].as_array() {
        return one_of(values);
    }
    if !name.is_empty() {
        return name;
    }
    if let Some(items) = schema.get("items") {
        return format!("{}[]", kind(document, items));
    }
    match &schema["type"] {
        Value::String(one) => one.clone(),
        several => several.as_array().map(|names| one_of(names)).unwrap_or_default(),
    }
}

/// What is said of a field, its own words before those of its type, and its bounds.
fn full_description(document: &Value, schema: &Value) -> String {
    let of_type = resolved(document, schema).1;
    let listed = of_type.get("enum").map(|_| described(of_type)).filter(|told| *told != described(schema));
    let told = [Some(described(schema)), listed].into_iter().flatten().filter(|told| !told.is_empty());
    let mut told: Vec<String> = told.map(|told| sentence(&told)).collect();
    let number = |key: &str| schema[key].as_u64().map(words::grouped);
    for (least, most, unit) in [
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " of them"),
        ("minimum", "maximum", ""),
    ] {
        match (number(least).filter(|least| least != "0"), number(most)) {
            (Some(least), Some(most)) => told.push(format!("{least} to {most}{unit}.")),
            (None, Some(most)) => told.push(format!("At most {most}{unit}.")),
            _ => {}
        }
    }
    told.join(" ")
}

fn described(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_has_what_is_always_there_first_and_tells_bounds() {
        let document = json!({"components": {"schemas": {
            "Site": {"description": "A `site`", "required": ["url"], "properties": {
                "kind": {"$ref": "#/components/schemas/Kind", "description": "Which"},
                "url": {"type": "string", "minLength": 1, "maxLength": 2048, "description": "Where"},
                "pages": {"type": "array", "items": {"$ref": "#/components/schemas/Site"}, "maxItems": 20},
            }},
            "Kind": {"enum": ["a", "b"], "description": "`a`: one; `b`: two."},
        }}});
        let tables = named(&document, "Site");
        assert_eq!(tables.len(), 1, "an object in itself ends");
        let told: Vec<(String, String, bool, String)> = tables[0]
            .fields
            .iter()
            .map(|field| (field.name.clone(), field.kind.clone(), field.required, field.says.clone()))
            .collect();
        let row = |name: &str, kind: &str, required, says: &str| {
            (name.to_owned(), kind.to_owned(), required, says.to_owned())
        };
        assert_eq!(
            told,
            [
                row("url", "string", true, "Where. 1 to 2,048 characters."),
                row("kind", "a | b", false, "Which. `a`: one; `b`: two."),
                row("pages", "Site[]", false, "At most 20 of them."),
            ]
        );
    }
}
