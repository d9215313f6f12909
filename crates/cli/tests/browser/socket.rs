//! A WebSocket, as much of it as the browser's protocol needs: text messages to and fro over a socket of this machine.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// An open connection.
pub struct Socket {
    stream: TcpStream,
}

/// How long the browser may be silent.
const PATIENCE: Duration = Duration::from_secs(60);

impl Socket {
    /// Connects to `ws://127.0.0.1:port/path`.
    pub fn connect(port: u16, path: &str) -> io::Result<Self> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        // The key is no secret: it only shows that the other side speaks WebSocket.
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: cGVyZmVjdHBsYXkgdGVzdA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )?;
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head);
        assert!(head.starts_with("HTTP/1.1 101"), "the browser does not speak WebSocket: {head}");
        Ok(Self { stream })
    }

    /// Sends a text. Frames of a client are masked; a mask of zeros changes nothing.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        self.frame(1, text.as_bytes())
    }

    fn frame(&mut self, kind: u8, body: &[u8]) -> io::Result<()> {
        let mut frame = vec![0x80 | kind];
        match body.len() {
            length @ 0..=125 => frame.push(0x80 | u8::try_from(length).expect("at most 125")),
            length @ 126..=0xffff => {
                frame.push(0x80 | 126);
                frame.extend(u16::try_from(length).expect("at most 0xffff").to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend(u64::try_from(length).expect("a length").to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(body);
        self.stream.write_all(&frame)
    }

    /// The next text.
    pub fn receive(&mut self) -> io::Result<String> {
        let mut text = Vec::new();
        loop {
            let mut head = [0; 2];
            self.stream.read_exact(&mut head)?;
            let length = match head[1] & 0x7f {
                126 => u64::from(u16::from_be_bytes(self.bytes()?)),
                127 => u64::from_be_bytes(self.bytes()?),
                short => u64::from(short),
            };
            let mut body = vec![0; usize::try_from(length).expect("a frame fits into memory")];
            self.stream.read_exact(&mut body)?;
            match head[0] & 0x0f {
                8 => return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "the browser closed the connection")),
                9 => self.frame(10, &body)?,
                10 => {}
                _ => {
                    text.extend(body);
                    if head[0] & 0x80 != 0 {
                        return String::from_utf8(text).map_err(io::Error::other);
                    }
                }
            }
        }
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
