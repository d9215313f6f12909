//! A connection whose other side has to read: a write that gets nowhere for too long breaks it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// A connection with a limit for writes.
pub struct Stream {
    inner: TcpStream,
    /// A write may wait for so long.
    longest: Duration,
    /// Runs while a write waits.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl Stream {
    /// Watches a connection.
    pub fn new(inner: TcpStream, longest: Duration) -> Stream {
        Stream { inner, longest, stuck: None }
    }

    fn watched<T>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.stuck = None;
            return done;
        }
        let longest = self.longest;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(sleep(longest)));
        stuck.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, to)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.watched(context, done)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    async fn pair(longest: Duration) -> (Stream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let other = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (Stream::new(listener.accept().await.unwrap().0, longest), other)
    }

    fn run(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    #[test]
    fn a_write_that_nobody_reads_breaks_the_connection() {
        run(async {
            let (mut stream, other) = pair(Duration::from_millis(50)).await;
            let block = vec![0; 1 << 20];
            let error = loop {
                // The system takes some megabytes before it has to wait.
                if let Err(error) = stream.write_all(&block).await {
                    break error;
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(other);
        });
    }

    #[test]
    fn a_slow_reader_gets_everything() {
        run(async {
            let (mut stream, mut other) = pair(Duration::from_secs(60)).await;
            let size = 8 << 20;
            let reading = tokio::spawn(async move {
                let (mut block, mut sum) = (vec![0; 1 << 18], 0);
                while let Ok(read @ 1..) = other.read(&mut block).await {
                    sum += read;
                    sleep(Duration::from_millis(1)).await;
                }
                sum
            });
            stream.write_all(&vec![1; size]).await.unwrap();
            stream.shutdown().await.unwrap();
            drop(stream);
            assert_eq!(reading.await.unwrap(), size);
        });
    }
}
