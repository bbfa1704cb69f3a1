//! The overview: how to start, and where a larger plan is had.

use crate::keys::make;
use crate::{Place, on_both};

on_both!(where_to_upgrade_is_told_if_the_operator_says_where);

const ADA: &str = "ada@example.org";

async fn where_to_upgrade_is_told_if_the_operator_says_where(place: Place) {
    let service = place.service("[dashboard]\nupgrade_url = \"https://example.org/plans\"\n").await;
    let mut ada = service.person(ADA).await;
    assert!(ada.get("/overview").await.body.contains("Quick start"));
    let link = "href=\"https://example.org/plans\"";
    assert!(ada.get("/overview").await.body.contains(link));
    make(&mut ada, "laptop").await;
    let page = ada.get("/playground").await.body;
    assert!(
        page.contains(link) && !page.contains("value=\"llms-full\""),
        "what the plan lacks is not offered"
    );
    service.app.command(&["account", "plan", "--email", ADA, "--plan", "business"]);
    let page = ada.get("/playground").await.body;
    assert!(!page.contains(link) && page.contains("value=\"llms-full\""), "{page}");
}
