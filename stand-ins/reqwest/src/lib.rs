//! As much of reqwest 0.11 as llm-chain 0.13 names, without a network.
//!
//! Two search tools of that library, which Wayfile never calls, pull in reqwest 0.11 and with it OpenSSL and a
//! second TLS stack. `[patch.crates-io]` of the workspace puts this crate in its place. Every request fails.

use std::fmt;

/// The one request method that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method;

impl Method {
    /// `GET`.
    pub const GET: Self = Self;
}

/// What every request ends in.
#[derive(Debug)]
pub struct Error;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this build has no client for the search tools of llm-chain")
    }
}

impl std::error::Error for Error {}

/// A client that reaches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Client;

impl Client {
    /// Makes one.
    #[must_use]
    pub fn new() -> Self {
        Self
    }

    /// Starts a request that will fail.
    pub fn request(&self, _: Method, _: &str) -> RequestBuilder {
        RequestBuilder
    }
}

/// A request that will fail.
#[derive(Debug)]
pub struct RequestBuilder;

impl RequestBuilder {
    /// Takes the query and forgets it.
    #[must_use]
    pub fn query<T: ?Sized>(self, _: &T) -> Self {
        self
    }

    /// Takes a header and forgets it.
    #[must_use]
    pub fn header<K, V>(self, _: K, _: V) -> Self {
        self
    }

    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub async fn send(self) -> Result<Response, Error> {
        Err(Error)
    }
}

/// An answer that never comes.
#[derive(Debug)]
pub struct Response;

impl Response {
    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub async fn json<T>(self) -> Result<T, Error> {
        Err(Error)
    }
}
