//! Connections with limits: so many at a time, a head within seconds, none that stands still. Whoever has not asked for
//! anything yet makes room for the next one.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep};
use tower::ServiceExt;

use crate::contest::app::Peer;
use crate::limits::{HEAD_TIME, IDLE_TIME};

/// Who may connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// Only this machine, whatever the listener is bound to.
    ThisMachine,
    /// Whoever reaches the listener.
    Anywhere,
}

/// Connections whose first head is not there yet, the oldest first.
#[derive(Default)]
struct Silent {
    connections: Mutex<Numbered>,
}

#[derive(Default)]
struct Numbered {
    last: u64,
    open: BTreeMap<u64, Arc<Notify>>,
}

/// One of them; it is none any more once it is dropped.
struct IsSilent {
    among: Arc<Silent>,
    number: u64,
    /// Told when it has to go.
    sent_away: Arc<Notify>,
}

impl Silent {
    fn enter(self: &Arc<Self>) -> IsSilent {
        let sent_away = Arc::new(Notify::new());
        let mut numbered = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        numbered.last += 1;
        let number = numbered.last;
        numbered.open.insert(number, Arc::clone(&sent_away));
        IsSilent { among: Arc::clone(self), number, sent_away }
    }

    /// Ends the oldest, if there is one.
    fn send_oldest_away(&self) {
        let mut numbered = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, oldest)) = numbered.open.pop_first() {
            oldest.notify_one();
        }
    }
}

impl IsSilent {
    /// The first head is there: it stays.
    fn has_spoken(&self) {
        let mut numbered = self.among.connections.lock().unwrap_or_else(PoisonError::into_inner);
        numbered.open.remove(&self.number);
    }
}

impl Drop for IsSilent {
    fn drop(&mut self) {
        self.has_spoken();
    }
}

/// Serves until `ending` is told, then lets open answers end; at most so many connections at a time. Requests carry the
/// address that they come from.
pub async fn accept_loop(
    listener: TcpListener,
    router: Router,
    (from, max_connections): (From, usize),
    mut ending: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(max_connections));
    let silent = Arc::new(Silent::default());
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places, &silent, from) => accepted,
            _ = ending.changed() => return,
        };
        let Some((stream, peer, place)) = accepted else { continue };
        let (router, ending, is_silent) = (router.clone(), ending.clone(), silent.enter());
        tokio::spawn(async move {
            let _place = place;
            serve(stream, peer, router, &is_silent, ending).await;
        });
    }
}

/// Answers the requests of one connection.
async fn serve(
    stream: TcpStream,
    peer: IpAddr,
    router: Router,
    is_silent: &IsSilent,
    mut ending: watch::Receiver<bool>,
) {
    let stream = TokioIo::new(NeverIdle::new(stream));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let answered = service_fn(move |mut request: hyper::Request<Incoming>| {
        is_silent.has_spoken();
        request.extensions_mut().insert(Peer(peer));
        router.clone().oneshot(request)
    });
    let connection = builder.serve_connection(stream, answered);
    let mut connection = std::pin::pin!(connection);
    // A connection that fails is its client's matter.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = is_silent.sent_away.notified() => {}
        _ = ending.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = tokio::time::timeout(std::time::Duration::from_secs(1), connection).await;
        }
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    silent: &Silent,
    from: From,
) -> Option<(TcpStream, IpAddr, OwnedSemaphorePermit)> {
    match listener.accept().await {
        Ok((stream, peer)) if from == From::Anywhere || peer.ip().is_loopback() => {
            Some((stream, peer.ip(), place(places, silent).await?))
        }
        Ok(_) => None,
        // Out of file descriptors, mostly: give others time to close theirs.
        Err(_) => {
            sleep(std::time::Duration::from_millis(50)).await;
            None
        }
    }
}

/// A place for a connection; where all are taken, that of the one that has been silent for longest.
async fn place(places: &Arc<Semaphore>, silent: &Silent) -> Option<OwnedSemaphorePermit> {
    if let Ok(place) = Arc::clone(places).try_acquire_owned() {
        return Some(place);
    }
    silent.send_oldest_away();
    Arc::clone(places).acquire_owned().await.ok()
}

/// A stream that fails when nothing moves on it for too long.
struct NeverIdle {
    stream: TcpStream,
    until: Pin<Box<Sleep>>,
}

impl NeverIdle {
    fn new(stream: TcpStream) -> Self {
        Self { stream, until: Box::pin(sleep(IDLE_TIME)) }
    }

    fn moved(&mut self) {
        self.until.as_mut().reset(Instant::now() + IDLE_TIME);
    }

    fn check(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        ready!(self.until.as_mut().poll(context));
        Poll::Ready(io::Error::new(io::ErrorKind::TimedOut, "nothing moved on the connection"))
    }
}

impl AsyncRead for NeverIdle {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending => self.check(context).map(Err),
            Poll::Ready(done) => {
                self.moved();
                Poll::Ready(done)
            }
        }
    }
}

impl AsyncWrite for NeverIdle {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, bytes) {
            Poll::Pending => self.check(context).map(Err),
            Poll::Ready(done) => {
                self.moved();
                Poll::Ready(done)
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn whoever_is_silent_makes_room_for_whoever_speaks() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        let (end, ending) = watch::channel(false);
        let serving = tokio::spawn(accept_loop(listener, router, (From::ThisMachine, 2), ending));
        let mut first = TcpStream::connect(address).await.unwrap();
        let asks = async |stream: &mut TcpStream| {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
            let mut status = [0; 12];
            stream.read_exact(&mut status).await.unwrap();
            assert_eq!(&status, b"HTTP/1.1 200");
        };
        asks(&mut first).await;
        let mut silent = Vec::new();
        for _ in 0..5 {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(b"GET / HT").await.unwrap();
            silent.push(stream);
        }
        // Long before the ten seconds in which a head must come.
        tokio::time::timeout(HEAD_TIME / 2, async {
            asks(&mut TcpStream::connect(address).await.unwrap()).await;
            for stream in &mut silent {
                assert_eq!(stream.read(&mut [0; 1]).await.unwrap_or(0), 0, "it was sent away");
            }
        })
        .await
        .unwrap();
        let mut rest = vec![0; 4096];
        while !String::from_utf8_lossy(&rest).contains("here") {
            assert!(first.read(&mut rest).await.unwrap() > 0);
        }
        asks(&mut first).await;
        end.send(true).unwrap();
        serving.await.unwrap();
    }
}
