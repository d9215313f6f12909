//! A connection to another process, which tells when it breaks.
//!
//! Timely ends a process whose connection breaks by a panic. Here the thread that finds it out says so in the pulse of the process
//! and sleeps, and whoever waits for the workers ends the run with a message.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::pulse::Pulse;

/// A connection to another process.
pub struct Link {
    stream: TcpStream,
    process: usize,
    pulse: Arc<Pulse>,
}

impl Link {
    /// The connection to a process.
    pub fn new(stream: TcpStream, process: usize, pulse: &Arc<Pulse>) -> Link {
        Link { stream, process, pulse: Arc::clone(pulse) }
    }

    /// The other side is gone. Where that is a loss, this thread has nothing more to do.
    fn gone<T>(&self, found: io::Result<T>) -> io::Result<T> {
        if self.pulse.is_closing() {
            return found;
        }
        let why = found.as_ref().err().map_or("the connection was closed".to_string(), io::Error::to_string);
        self.pulse.lose(self.process, &why);
        loop {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
}

impl Read for Link {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(into) {
            Ok(0) => self.gone(Ok(0)),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => self.gone(Err(error)),
            read => read,
        }
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => self.gone(Err(error)),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Link> {
        Ok(Link::new(self.stream.try_clone()?, self.process, &self.pulse))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}
