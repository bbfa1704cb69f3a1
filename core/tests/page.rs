//! A page as its readers get it: what becomes of each construct, of hostile pages and of broken ones.

#[cfg(test)]
mod page {
    mod constructs;
    mod content;
    mod hostile;
    mod notes;
    mod outline;
    mod soup;
    mod support;
}
