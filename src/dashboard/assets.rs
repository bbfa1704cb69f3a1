//! The dashboard's own files. Their address names their content, so browsers may keep them for ever.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use actix_web::{HttpRequest, HttpResponse, web};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::auth::hex;
use crate::error::{ApiError, ApiResult, Code};

/// Digits of a file's hash in its address.
const HASH_DIGITS: usize = 16;
/// The address changes with the content, so it is cached for ever.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// The address was typed, or it is of another version.
const ASK_AGAIN: &str = "no-cache";

#[derive(RustEmbed)]
#[folder = "src/dashboard/assets"]
struct Assets;

/// Where a file lies: its name, and what its content is known by.
pub(crate) fn address(name: &str) -> String {
    let hash = Assets::get(name).map(|file| hash(&file)).unwrap_or_default();
    format!("/assets/{name}?{hash}")
}

pub(crate) async fn asset(name: web::Path<String>, request: HttpRequest) -> ApiResult {
    let file = Assets::get(&name).ok_or_else(|| ApiError::new(Code::NotFound))?;
    let keep = if request.query_string() == hash(&file) { FOR_EVER } else { ASK_AGAIN };
    let kind = match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, kind)).insert_header((CACHE_CONTROL, keep));
    response.insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
    Ok(response.body(file.data.into_owned()))
}

fn hash(file: &EmbeddedFile) -> String {
    hex(&file.metadata.sha256_hash()).chars().take(HASH_DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_makes_no_markup_and_no_code_of_a_text() {
        let script = Assets::get("app.js").unwrap().data;
        let script = str::from_utf8(&script).unwrap();
        for way in
            ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "srcdoc"]
        {
            assert!(!script.contains(way), "{way}");
        }
    }

    #[test]
    fn every_file_has_an_address_of_its_content() {
        let addresses: Vec<String> = Assets::iter().map(|name| address(&name)).collect();
        assert!(addresses.len() >= 3, "{addresses:?}");
        assert!(addresses.iter().all(|a| a.split_once('?').is_some_and(|(_, hash)| hash.len() == 16)));
        assert_eq!(address("no such file"), "/assets/no such file?");
    }
}
