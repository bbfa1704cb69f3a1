//! The dashboard's own files, and what is not there.

use crate::{Place, on_both};

on_both!(files_are_kept_by_their_content, what_is_not_there_is_told_as_it_was_asked_for);

async fn files_are_kept_by_their_content(place: Place) {
    let service = place.service("").await;
    let mut visitor = service.visitor();
    let page = visitor.get("/").await.body;
    let addresses = page.split('"').filter(|text| text.starts_with("/assets/"));
    let mut addresses: Vec<&str> = addresses.collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), 3, "{addresses:?}");
    for address in addresses {
        let file = visitor.get(address).await;
        assert_eq!((file.status, file.header("x-content-type-options")), (200, "nosniff"));
        assert!(file.header("cache-control").contains("immutable"), "{address}");
        let (name, _) = address.split_once('?').unwrap();
        assert_eq!(visitor.get(name).await.header("cache-control"), "no-cache", "{name}");
    }
    for path in ["/assets/none.css", "/assets/..%2fmod.rs", "/assets/"] {
        assert_eq!(visitor.get(path).await.status, 404, "{path}");
    }
}

async fn what_is_not_there_is_told_as_it_was_asked_for(place: Place) {
    let service = place.service("").await;
    let mut visitor = service.visitor();
    for (path, accept, kind) in [
        ("/nowhere", "text/html,*/*;q=0.8", "text/html; charset=utf-8"),
        ("/nowhere", "*/*", "application/json"),
        ("/api/v1/nowhere", "text/html", "application/json"),
    ] {
        let request = visitor.request(reqwest::Method::GET, path).header("accept", accept);
        let answer = visitor.send(request).await;
        assert_eq!((answer.status, answer.header("content-type")), (404, kind), "{path} {accept}");
    }
}
