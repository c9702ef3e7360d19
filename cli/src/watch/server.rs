//! A server of three pages on the loopback interface: the frame, the run in motion, and the numbers and messages; and
//! of the events that announce new ones.

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::requests::{self, Request};
use super::shown::Board;

const FRAME: &str = include_str!("frame.html");

/// Largest number of connections at once; a browser has six.
const MAX_CONNECTIONS: usize = 32;

/// The longest time that a connection may take to send its request, or to take the answer.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Time between signs of life to a browser that waits for events.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Serves in threads of its own.
pub fn serve(listener: TcpListener, port: u16, board: &Arc<Board>) {
    let board = Arc::clone(board);
    std::thread::spawn(move || {
        let open = Arc::new(AtomicUsize::new(0));
        for stream in listener.incoming().flatten() {
            if open.fetch_add(1, Ordering::AcqRel) >= MAX_CONNECTIONS {
                open.fetch_sub(1, Ordering::AcqRel);
                continue;
            }
            let (board, open) = (Arc::clone(&board), Arc::clone(&open));
            std::thread::spawn(move || {
                // a browser that has gone away is no failure
                let _ = answer(&stream, port, &board);
                open.fetch_sub(1, Ordering::AcqRel);
            });
        }
    });
}

/// Answers one request.
fn answer(stream: &TcpStream, port: u16, board: &Board) -> io::Result<()> {
    stream.set_read_timeout(Some(MAX_WAIT))?;
    stream.set_write_timeout(Some(MAX_WAIT))?;
    stream.set_nodelay(true)?;
    let html = "text/html; charset=utf-8";
    let plain = "text/plain; charset=utf-8";
    match requests::read(stream, port) {
        Some(Request::Get(path)) => match path.as_str() {
            "/" => send(stream, "200 OK", html, FRAME),
            "/picture" => send(stream, "200 OK", html, &board.shown().picture),
            "/state" => send(stream, "200 OK", "application/json", &serde_json::json!(board.shown()).to_string()),
            "/events" => send_events(stream, board),
            _ => send(stream, "404 Not Found", plain, "there is no such page\n"),
        },
        Some(Request::OtherHost) => {
            send(stream, "403 Forbidden", plain, "this page is for 127.0.0.1 and localhost alone\n")
        }
        Some(Request::Other) => send(stream, "405 Method Not Allowed", plain, "only GET is answered\n"),
        None => Ok(()),
    }
}

fn send(mut stream: &TcpStream, status: &str, kind: &str, body: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{COMMON}Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

/// Headers of all answers: nothing comes from elsewhere or goes there.
const COMMON: &str = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: SAMEORIGIN\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\
    Content-Security-Policy: default-src 'self' 'unsafe-inline' data: blob:\r\n";

/// Sends the number of every new version, until the browser goes away.
fn send_events(mut stream: &TcpStream, board: &Board) -> io::Result<()> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{COMMON}Connection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    // no version: the first event says what is there already
    let mut known = u64::MAX;
    while let Some(version) = board.wait(known, SIGN_OF_LIFE) {
        let event = if version == known { ": still here\n\n".to_owned() } else { format!("data: {version}\n\n") };
        stream.write_all(event.as_bytes())?;
        known = version;
    }
    Ok(())
}
