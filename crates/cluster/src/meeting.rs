//! How processes find one another: each connects to those before it in the list and is called by those after it.
//!
//! Both sides say who they are before anything else: the format of the letters, the game, how many processes and workers there are.
//! Processes that do not solve the same game end with a message. A call of somebody else is hung up on.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, ToSocketAddrs as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::Trouble;
use crate::hosts::Hosts;

const MAGIC: u64 = u64::from_be_bytes(*b"PPclust1");
/// Words of a greeting.
const GREETING: usize = 5;
/// How long a greeting may take.
const POLITE: Duration = Duration::from_secs(5);
/// How often others are called.
const PAUSE: Duration = Duration::from_millis(50);
/// How often it is said who is missing.
const SAY: Duration = Duration::from_secs(10);

/// A process that looks for the others.
pub struct Meeting<'m> {
    /// Where all of them are.
    pub hosts: &'m Hosts,
    /// The number of this one.
    pub process: usize,
    /// How many workers each has.
    pub workers: usize,
    /// What tells the game, the way its positions are numbered and the version from any other.
    pub identity: &'m str,
    /// How long to look for the others.
    pub patience: Duration,
}

impl Meeting<'_> {
    /// A connection to each other process. `say` is told who is missing.
    pub fn connect(&self, stop: &AtomicBool, say: &mut dyn FnMut(&str)) -> Result<Vec<Option<TcpStream>>, Trouble> {
        let began = Instant::now();
        let mut said = began;
        let mut found: Vec<Option<TcpStream>> = self.hosts_of(|_| None);
        let listener = self.listen()?;
        loop {
            while let Some((stream, from)) = self.called(&listener)? {
                found[from] = Some(stream);
            }
            for (other, place) in found.iter_mut().enumerate().take(self.process) {
                if place.is_none() {
                    *place = self.call(other)?;
                }
            }
            let missing: Vec<usize> =
                (0..found.len()).filter(|other| *other != self.process && found[*other].is_none()).collect();
            let Some(first) = missing.first() else { return Ok(found) };
            if stop.load(Ordering::Relaxed) {
                return Err(engine::Error::Interrupted { positions: 0 }.into());
            }
            let names = |others: &[usize]| {
                let names: Vec<String> =
                    others.iter().take(4).map(|other| self.hosts.address(*other).to_string()).collect();
                names.join(", ")
            };
            if began.elapsed() >= self.patience {
                let why = format!(
                    "process {first} at {} did not answer for {} s ({} of {} processes are missing)",
                    self.hosts.address(*first),
                    self.patience.as_secs(),
                    missing.len(),
                    self.hosts.len()
                );
                return Err(Trouble::Lost(why));
            }
            if said.elapsed() >= SAY {
                said = Instant::now();
                say(&format!("waiting for {} of {} processes: {}", missing.len(), self.hosts.len(), names(&missing)));
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn hosts_of<T>(&self, of: impl Fn(usize) -> T) -> Vec<T> {
        (0..self.hosts.len()).map(of).collect()
    }

    /// The port of this process, open.
    fn listen(&self) -> Result<TcpListener, Trouble> {
        let address = self.hosts.address(self.process);
        let listener = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        listener.map_err(|error| Trouble::File(format!("process {} cannot listen at {address}: {error}", self.process)))
    }

    /// The next one who has called, and which process that is.
    fn called(&self, listener: &TcpListener) -> Result<Option<(TcpStream, usize)>, Trouble> {
        loop {
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                // A caller who has hung up is no trouble of ours.
                Err(_) => return Ok(None),
            };
            match self.greet(stream) {
                Ok((stream, greeting)) => {
                    let from = self.checked(&greeting)?;
                    if from > self.process {
                        return Ok(Some((stream, from)));
                    }
                }
                Err(_) => continue,
            }
        }
    }

    /// Calls another process; nothing where it does not answer yet.
    fn call(&self, other: usize) -> Result<Option<TcpStream>, Trouble> {
        let Ok(mut addresses) = self.hosts.address(other).to_socket_addrs() else { return Ok(None) };
        let connected = addresses.find_map(|address| TcpStream::connect_timeout(&address, POLITE).ok());
        let Some(Ok((stream, greeting))) = connected.map(|stream| self.greet(stream)) else { return Ok(None) };
        let from = self.checked(&greeting)?;
        if from != other {
            let address = self.hosts.address(other);
            return Err(Trouble::File(format!("at {address} is process {from}, and the hosts say {other}")));
        }
        Ok(Some(stream))
    }

    fn greeting(&self) -> [u64; GREETING] {
        let [processes, workers, process] = [self.hosts.len(), self.workers, self.process].map(|number| number as u64);
        [MAGIC, hash(self.identity), processes, workers, process]
    }

    /// Says who this is, and hears who that is.
    fn greet(&self, mut stream: TcpStream) -> io::Result<(TcpStream, [u64; GREETING])> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(POLITE))?;
        let bytes: Vec<u8> = self.greeting().iter().flat_map(|word| word.to_be_bytes()).collect();
        stream.write_all(&bytes)?;
        let mut heard = [0; 8 * GREETING];
        stream.read_exact(&mut heard)?;
        stream.set_read_timeout(None)?;
        let mut greeting = [0; GREETING];
        for (word, bytes) in greeting.iter_mut().zip(heard.as_chunks::<8>().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        match greeting[0] == MAGIC {
            true => Ok((stream, greeting)),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// The process of a greeting, if it solves the same game in the same way.
    fn checked(&self, greeting: &[u64; GREETING]) -> Result<usize, Trouble> {
        let own = self.greeting();
        let from = greeting[4];
        let what = match () {
            () if greeting[1] != own[1] => "solves another game or instance, or is of another version",
            () if greeting[2] != own[2] => "was told of another number of processes",
            () if greeting[3] != own[3] => "has another number of workers",
            () if from >= own[2] || from == own[4] => "was given a number that is none of its own",
            () => return Ok(from as usize),
        };
        Err(Trouble::File(format!("process {from} {what}: all processes are started with the same command")))
    }
}

/// A number that differs, as good as surely, where texts do.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
