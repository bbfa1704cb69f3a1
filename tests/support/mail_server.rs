//! A mail server that keeps what it is given: SMTP as RFC 5321 has it, on loopback and without TLS.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A mail on a busy machine arrives within this time.
const TIMEOUT: Duration = Duration::from_secs(30);

/// One mail as it was handed over.
#[derive(Debug, Clone)]
pub(crate) struct Mail {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) headers: String,
    pub(crate) text: String,
}

impl Mail {
    /// Path and query of the link on a line of its own that leads to `path`.
    pub(crate) fn link(&self, path: &str) -> String {
        let links = self.text.lines().filter_map(|line| url::Url::parse(line.trim()).ok());
        let link = links.into_iter().find(|url| url.path() == path);
        let link = link.unwrap_or_else(|| panic!("no link to {path}: {}", self.text));
        link.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"))
    }
}

#[derive(Default)]
struct State {
    mails: Mutex<Vec<Mail>>,
    /// Mails that are still to be turned away for now.
    refusals: AtomicUsize,
    refused: AtomicUsize,
    /// Who gets no answer: the conversation stands still as soon as it comes to them.
    stalls: Mutex<Option<String>>,
    stalled: AtomicUsize,
}

/// The running server; it ends with the runtime of its test.
pub(crate) struct MailServer {
    address: SocketAddr,
    state: Arc<State>,
}

impl MailServer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let (address, state) = (listener.local_addr().unwrap(), Arc::<State>::default());
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = shared.clone();
                // A client that breaks off is its own affair.
                tokio::spawn(async move { drop(converse(stream, &state).await) });
            }
        });
        Self { address, state }
    }

    /// For `mail.smtp_url`.
    pub(crate) fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// Turns the next `count` mails away, as a server does that is busy.
    pub(crate) fn refuse(&self, count: usize) {
        self.state.refusals.store(count, Ordering::SeqCst);
    }

    /// Answers nothing any more as soon as a mail is for this address.
    pub(crate) fn stall(&self, address: &str) {
        *self.state.stalls.lock().unwrap() = Some(address.to_owned());
    }

    /// How often it stood still.
    pub(crate) fn stalled(&self) -> usize {
        self.state.stalled.load(Ordering::SeqCst)
    }

    /// How many were turned away, for now or since nobody has a mailbox that begins with `gone@`.
    pub(crate) fn refused(&self) -> usize {
        self.state.refused.load(Ordering::SeqCst)
    }

    /// All mails so far.
    pub(crate) fn mails(&self) -> Vec<Mail> {
        self.state.mails.lock().unwrap().clone()
    }

    /// The mails to an address, once there are as many as `count`.
    pub(crate) async fn to(&self, address: &str, count: usize) -> Vec<Mail> {
        let since = Instant::now();
        loop {
            let mut mails = self.mails();
            mails.retain(|mail| mail.to == address);
            if mails.len() >= count {
                return mails;
            }
            assert!(since.elapsed() < TIMEOUT, "{} of {count} mails to {address}", mails.len());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The last of `count` mails to an address.
    pub(crate) async fn last_to(&self, address: &str, count: usize) -> Mail {
        self.to(address, count).await.pop().unwrap()
    }
}

async fn converse(stream: TcpStream, state: &State) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let (mut lines, mut to) = (BufReader::new(read).lines(), String::new());
    write.write_all(b"220 mail.example.org ready\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        let (verb, rest) = line.split_once([' ', ':']).unwrap_or((&line, ""));
        let answer = match verb.to_ascii_uppercase().as_str() {
            "EHLO" | "HELO" => "250 mail.example.org",
            "MAIL" | "RSET" | "NOOP" => "250 fine",
            "RCPT" => {
                rest.split(['<', '>']).nth(1).unwrap_or_default().clone_into(&mut to);
                if state.stalls.lock().unwrap().as_ref() == Some(&to) {
                    state.stalled.fetch_add(1, Ordering::SeqCst);
                    std::future::pending::<()>().await;
                }
                if to.starts_with("gone@") {
                    state.refused.fetch_add(1, Ordering::SeqCst);
                    "550 there is no such mailbox"
                } else {
                    "250 fine"
                }
            }
            "DATA" => {
                write.write_all(b"354 go on, and end with a dot\r\n").await?;
                let mut raw = Vec::new();
                while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                    raw.push(line.strip_prefix('.').map_or(line.clone(), str::to_owned));
                }
                if !take(state, &to, &raw) {
                    // As servers do, it names the address.
                    write.write_all(format!("451 <{to}> come back later\r\n").as_bytes()).await?;
                    continue;
                }
                "250 kept"
            }
            "QUIT" => {
                write.write_all(b"221 goodbye\r\n").await?;
                return Ok(());
            }
            _ => "500 what?",
        };
        write.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
    Ok(())
}

/// Whether it is kept.
fn take(state: &State, to: &str, raw: &[String]) -> bool {
    let refuse = state.refusals.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
    if refuse.is_ok() {
        state.refused.fetch_add(1, Ordering::SeqCst);
        return false;
    }
    let end = raw.iter().position(String::is_empty).unwrap_or(raw.len());
    let (headers, mut text) = (raw[..end].join("\n"), raw[end..].join("\n"));
    assert!(!headers.contains("base64"), "{headers}");
    if headers.contains("quoted-printable") {
        text = plain(&text);
    }
    let subject = headers.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap_or_default();
    let subject = subject.to_owned();
    state.mails.lock().unwrap().push(Mail { to: to.to_owned(), subject, headers, text });
    true
}

/// A text as it was before its lines were made short (RFC 2045 section 6.7); it has ASCII alone.
fn plain(quoted: &str) -> String {
    let joined = quoted.replace("=\n", "");
    let mut parts = joined.split('=');
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (code, rest) = part.split_at(2);
        text.push(char::from(u8::from_str_radix(code, 16).unwrap()));
        text.push_str(rest);
    }
    text
}
