//! Pages that alter what our scripts in them stand on. Each keeps its text.

use crate::command::Place;
use crate::fake_site::{FakeSite, Reply, page};
use crate::with_browser;

/// What elements are asked for: a field of such a name answers in the place of its form.
const OF_ELEMENTS: &str = "append attributes childNodes children clientHeight cloneNode closest dataset firstChild \
    getAttribute getRootNode hasAttribute innerText localName matches nextSibling nodeType ownerDocument parentElement \
    parentNode querySelector querySelectorAll remove replaceWith scrollHeight scrollTo setAttribute shadowRoot tagName \
    textContent";
/// What documents are asked for: a picture of such a name answers in their place.
const OF_DOCUMENTS: &str = "adoptNode baseURI body children createElement defaultView documentElement elementFromPoint \
    getElementById head implementation importNode querySelector querySelectorAll scrollingElement title";

/// Fills the page with a text that has its place in a form, among the parts of an element of the page's own, and in a button.
const FIELDS: &str = "const fields = names.map((name) => `<output name=${name}></output>`).join('');\
    root.innerHTML = `<form style='overflow:auto;height:100vh'>${text}<p style='height:9999px'></p>${fields}</form>`;\
    const box = document.createElement('div'); root.append(box);\
    box.innerHTML = `<form><p>Words in a part.</p>${fields}</form>`;\
    box.attachShadow({ mode: 'open' }).innerHTML = '<b>Parts:</b><slot></slot>';\
    const button = document.createElement('button'); root.append(button);\
    button.innerHTML = '<b>One side</b><i>The other side</i>'; button.append(root.querySelector('form').cloneNode());\
    button.lastChild.innerHTML = fields;";
/// Has every function of every type that pages have fail from now on.
const BUILT_INS: &str = "root.innerHTML = text; const fail = () => { throw new Error('altered') };\
    const own = Object.getOwnPropertyNames; const known = Object.getOwnPropertyDescriptor; const change = Reflect.defineProperty;\
    const types = own(window).map((name) => known(window, name).value).filter((type) => type?.prototype);\
    for (const type of [...types, { prototype: JSON }, { prototype: Reflect }, { prototype: window }])\
      for (const name of own(type.prototype)) if (typeof known(type.prototype, name)?.value === 'function')\
        change(type.prototype, name, { value: fail });";
/// An element that fills itself when it is made, and would be filled once more wherever it is made again.
const OWN_ELEMENTS: &str = "customElements.define('own-words', class extends HTMLElement {\
      constructor() { super(); this.append('Said once. ') } });\
    root.innerHTML = text + '<p><own-words></own-words></p>';";

fn altered(names: &str, script: &str) -> Reply {
    Reply::html(format!(
        "<title>Altered</title><div id=root></div><script>const root = document.getElementById('root');\
         const names = '{names}'.split(' '); const path = location.pathname;\
         const text = `<h1>The page at ${{path}}</h1><p>Words that are here whatever was altered, as many of them as make \
         a page: ${{path.slice(1)}} it is.</p>`; {script}</script>"
    ))
}

#[test]
fn text_is_read_whatever_a_page_alters() {
    with_browser(async {
        let pictures = "root.innerHTML = text + '<a>Way on</a>' + names.map((name) => `<img name=${name}>`).join('');\
            root.querySelector('a').onclick = () => history.pushState({}, '', '/behind')";
        let site = FakeSite::start(move |path| match path {
            "/" => page("Home", &["/fields", "/pictures", "/built-ins", "/own-elements"]),
            "/fields" => altered(OF_ELEMENTS, FIELDS),
            "/pictures" => altered(OF_DOCUMENTS, pictures),
            "/built-ins" => altered("", BUILT_INS),
            "/own-elements" => altered("", OWN_ELEMENTS),
            "/behind" => page("Behind", &[]),
            _ => Reply::status(404),
        });
        let ran = Place::new().generate(&site.url()).await;
        let texts =
            ["fields", "pictures", "built-ins", "own-elements"].map(|name| format!("a page: {name} it is."));
        let unread: Vec<_> = texts.iter().filter(|text| !ran.files.contains(*text)).collect();
        let parts = ["Words in a part.", "One side", "The other side", "Said once."];
        let altered: Vec<_> = parts.iter().filter(|part| ran.files.matches(*part).count() != 1).collect();
        assert_eq!(ran.outcome("/behind")["outcome"], "kept", "{:#}", ran.report);
        assert!(unread.is_empty() && altered.is_empty(), "{unread:?} {altered:?} {:#}", ran.report);
    });
}
