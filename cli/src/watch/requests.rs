//! The requests of a browser, as far as the page needs them: the first line and the header `Host`.

use std::io::{BufRead, BufReader, Read};

/// Largest length of the head of a request in bytes.
const MAX_HEAD_LENGTH: u64 = 16_384;

/// The subject of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// The path of a page of this server.
    Get(String),
    /// Another host is meant: a page from elsewhere tries to read this one.
    OtherHost,
    /// Something that this server does not do.
    Other,
}

/// Reads the head of a request to the server at this port; `None` if the connection is closed or sends something else.
pub fn read(stream: impl Read, port: u16) -> Option<Request> {
    let mut lines = BufReader::new(stream.take(MAX_HEAD_LENGTH)).lines();
    let first = lines.next()?.ok()?;
    let mut host = None;
    for line in lines {
        let line = line.ok()?;
        if line.is_empty() {
            return Some(meant(&first, host.as_deref(), port));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            // two hosts are one too many
            let value = value.trim().to_owned();
            host = Some(if host.is_some() { String::new() } else { value });
        }
    }
    None
}

fn meant(first: &str, host: Option<&str>, port: u16) -> Request {
    let is_own = |host: &str| ["127.0.0.1", "localhost"].iter().any(|own| host == format!("{own}:{port}"));
    if !host.is_some_and(is_own) {
        return Request::OtherHost;
    }
    match first.split(' ').collect::<Vec<_>>()[..] {
        ["GET", target, version] if version.starts_with("HTTP/1.") => {
            Request::Get(target.split('?').next().unwrap_or_default().to_owned())
        }
        _ => Request::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_hosts_are_answered() {
        let asked = |text: &str| read(text.as_bytes(), 8000);
        let page = Some(Request::Get("/state".to_owned()));
        assert_eq!(asked("GET /state?v=3 HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n"), page);
        assert_eq!(asked("GET /state HTTP/1.1\r\nAccept: */*\r\nhost:localhost:8000\r\n\r\n"), page);
        for other in ["evil.example:8000", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8000.evil.example", ""] {
            let text = format!("GET / HTTP/1.1\r\nHost: {other}\r\n\r\n");
            assert_eq!(asked(&text), Some(Request::OtherHost), "{other}");
        }
        assert_eq!(asked("GET / HTTP/1.1\r\n\r\n"), Some(Request::OtherHost));
        let twice = "GET / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nHost: 127.0.0.1:8000\r\n\r\n";
        assert_eq!(asked(twice), Some(Request::OtherHost));
        assert_eq!(asked("POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n"), Some(Request::Other));
        assert_eq!(asked("GET / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"), None);
        assert_eq!(asked(&"a".repeat(100_000)), None);
    }

    /// Tests that mutated requests are answered or refused.
    #[test]
    fn mutated_requests() {
        let seeds: [&[u8]; 2] = [
            b"GET /events HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nAccept: text/event-stream\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: localhost:8000\r\n\r\n",
        ];
        costate_fuzz::drive("requests", &seeds, &["Host: ", "\r\n\r\n", "GET "], |bytes| {
            format!("{:?}", read(bytes, 8000).map(|request| std::mem::discriminant(&request)))
        });
    }
}
