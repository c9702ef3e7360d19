//! `costate watch`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::support::{OSCILLATOR, costate, folder_with, position};

/// A page that is served, until it is dropped.
struct Served {
    child: Child,
    port: u16,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_costate"));
        command.current_dir(folder).args(["watch", "model.rs", "--json"]).args(arguments).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        let address = said["address"].as_str().unwrap().to_owned();
        let port = address.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
        Self { child, port: port.unwrap().parse().unwrap() }
    }

    fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// The whole answer, head and body.
    fn get(&self, path: &str, host: &str) -> String {
        let mut answer = String::new();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}:{}\r\n\r\n", self.port);
        self.send(&request).read_to_string(&mut answer).unwrap();
        answer
    }

    fn state(&self) -> Value {
        let answer = self.get("/state", "127.0.0.1");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// The numbers of the versions, as they come.
    fn events(&self) -> impl Iterator<Item = u64> + use<> {
        let stream = self.send(&format!("GET /events HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", self.port));
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.filter_map(|line| line.strip_prefix("data: ")?.parse().ok()).filter(|version| *version > 0)
    }
}

#[test]
fn a_saved_file_refreshes_the_page() {
    let folder = folder_with(OSCILLATOR);
    let served = Served::start(folder.path(), &["--until", "1", "--step", "1e-3"]);
    let mut events = served.events();
    events.next().unwrap();
    let first = served.state();
    assert!(
        first["current"] == true && first["picture"] == 1 && first["messages"] == Value::Array(Vec::new()),
        "{first}"
    );
    assert!(first["text"].as_str().unwrap().contains("position  mm"), "{first}");
    assert!(served.get("/", "127.0.0.1").contains("new EventSource(\"/events\")"));
    assert!(served.get("/picture", "localhost").contains("\"name\":\"position\""));

    // a mistake: its line is shown, and the picture stays
    let path = folder.path().join("model.rs");
    std::fs::write(&path, OSCILLATOR.replace("- c*x", "- c*y")).unwrap();
    events.next().unwrap();
    let wrong = served.state();
    assert!(wrong["current"] == false && wrong["picture"] == 1 && wrong["text"] == first["text"], "{wrong}");
    let message = &wrong["messages"][0];
    assert_eq!((&message["severity"], &message["line"]), (&"error".into(), &14.into()));
    assert!(message["message"].as_str().unwrap().starts_with("unknown name `y`"), "{message}");

    let saved = Instant::now();
    std::fs::write(&path, OSCILLATOR.replace("x_0: m = 0.1", "x_0: m = 0.2")).unwrap();
    events.next().unwrap();
    println!("{:?} from saved to refreshed", saved.elapsed());
    let right = served.state();
    assert!(right["current"] == true && right["picture"] == 2 && right["text"] != first["text"], "{right}");
    assert_eq!(right["messages"], Value::Array(Vec::new()));
}

/// Tests that a page from elsewhere, whose name leads to this machine, is refused.
#[test]
fn other_hosts_are_refused() {
    let folder = folder_with(OSCILLATOR);
    let served = Served::start(folder.path(), &["--until", "1"]);
    for host in ["evil.example", "192.168.0.1", "127.0.0.1.evil.example"] {
        for path in ["/", "/state", "/picture", "/events"] {
            let answer = served.get(path, host);
            assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n") && !answer.contains("Oscillator"), "{answer}");
        }
    }
    assert!(served.get("/etc/passwd", "127.0.0.1").starts_with("HTTP/1.1 404 "));
    let mut answer = String::new();
    let request = format!("POST / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", served.port);
    served.send(&request).read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 405 "), "{answer}");
    // others of the machine's addresses are not served at all
    let out = std::net::UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    if let Ok(address) = out
        && !address.ip().is_loopback()
    {
        assert!(TcpStream::connect((address.ip(), served.port)).is_err());
    }
}

#[test]
fn a_record_is_compared() {
    let folder = folder_with(OSCILLATOR);
    let rows = (0..=100).map(|k| format!("{},{}\n", 0.01 * f64::from(k), 100.0 * position(0.01 * f64::from(k))));
    let path = folder.path().join("bench.csv");
    std::fs::write(&path, "time,position [mm]\n".to_owned() + &rows.collect::<String>()).unwrap();
    let served = Served::start(folder.path(), &["--record", "bench.csv", "--step", "1e-3"]);
    let mut events = served.events();
    events.next().unwrap();
    let state = served.state();
    assert!(
        state["text"].as_str().unwrap().contains("explained %")
            && state["diagrams"][0].as_str().unwrap().starts_with("<svg"),
        "{state}"
    );
    // the record is watched as well
    std::fs::write(&path, "time,load\n0,1\n1,2\n").unwrap();
    events.next().unwrap();
    let state = served.state();
    assert!(
        state["messages"][0]["message"].as_str().unwrap().contains("has no channel with the name of an output"),
        "{state}"
    );
}

#[test]
fn mistakes() {
    let folder = folder_with(OSCILLATOR);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = costate(folder.path(), &["watch", "model.rs", "--port", &port]);
    let message = format!("error: cannot serve a page at the port {port} of 127.0.0.1; choose another `--port`");
    assert!(said.code == Some(1) && said.stderr.starts_with(&message), "{}", said.stderr);
    let said = costate(folder.path(), "watch model.rs --measured position");
    said.refuses(2, "--record <FILE>");
    let said = costate(folder.path(), "watch model.rs --port 99999");
    said.refuses(2, "99999 is not in 0..=65535");
}

/// Tests that Ctrl-C is the end of it, and no failure.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let folder = folder_with(OSCILLATOR);
    let mut served = Served::start(folder.path(), &["--until", "1", "--step", "1e-3"]);
    let mut events = served.events();
    events.next().unwrap();
    let interrupt = ["-s", "INT", &served.child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(interrupt).status().unwrap().success());
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    assert_eq!(events.next(), None);
}
