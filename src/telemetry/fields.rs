//! A span's fields as JSON to which more can be added: the library reads what it has written and writes all of it again.

use std::fmt;

use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::span::Record;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FormatFields, FormattedFields};

/// Writes the fields of spans as the library's JSON of events expects them.
pub(super) struct SpanFields;

impl<'w> FormatFields<'w> for SpanFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut object = Object { json: String::from("{"), sound: true };
        fields.record(&mut object);
        writer.write_str(&object.end()?)
    }

    fn add_fields(&self, current: &'w mut FormattedFields<Self>, fields: &Record<'_>) -> fmt::Result {
        let mut json = std::mem::take(&mut current.fields);
        if json.pop().is_none() {
            json.push('{');
        }
        let mut object = Object { json, sound: true };
        fields.record(&mut object);
        current.fields = object.end()?;
        Ok(())
    }
}

/// An object that is still open.
struct Object {
    json: String,
    sound: bool,
}

impl Object {
    fn add(&mut self, field: &Field, value: &(impl Serialize + ?Sized)) {
        let (Ok(name), Ok(value)) = (serde_json::to_string(field.name()), serde_json::to_string(value))
        else {
            self.sound = false;
            return;
        };
        if !self.json.ends_with('{') {
            self.json.push(',');
        }
        self.json.extend([&name, ":", &value]);
    }

    fn end(mut self) -> Result<String, fmt::Error> {
        self.json.push('}');
        if self.sound { Ok(self.json) } else { Err(fmt::Error) }
    }
}

impl Visit for Object {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, &value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, &value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, &value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, &value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, &format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use serde_json::Value;

    use super::*;

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The span of an event's line, as `fields` of a service or the library's write it.
    fn shown(ours: bool) -> Value {
        let log = Log::default();
        let writer = log.clone();
        let logs = tracing_subscriber::fmt().with_writer(move || writer.clone()).json().with_span_list(false);
        let work = || {
            let span = tracing::info_span!(
                "request",
                "request.id" = "a \"b\"\n",
                "key.id" = tracing::field::Empty,
                "site.domain" = tracing::field::Empty,
                far = 1.5,
                dry = true,
                kind = ?Some("x"),
            );
            span.record("key.id", 7_i64);
            span.record("site.domain", "tide.dev");
            span.in_scope(|| tracing::info!("done"));
        };
        if ours {
            tracing::subscriber::with_default(logs.fmt_fields(SpanFields).finish(), work);
        } else {
            tracing::subscriber::with_default(logs.finish(), work);
        }
        let line = log.0.lock().unwrap().clone();
        serde_json::from_slice::<Value>(&line).unwrap()["span"].take()
    }

    #[test]
    fn a_span_reads_as_the_library_writes_it() {
        assert_eq!(shown(true), shown(false));
        assert_eq!(shown(true)["key.id"], 7);
    }
}
