//! Connections with limits: so many at a time, a head within seconds, none that stands still.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep};
use tower::ServiceExt;

use crate::contest::app::Peer;
use crate::limits::{HEAD_TIME, IDLE_TIME, MAX_CONNECTIONS};

/// Who may connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// Only this machine, whatever the listener is bound to.
    ThisMachine,
    /// Whoever reaches the listener.
    Anywhere,
}

/// Serves until `ending` is told, then lets open answers end. Requests carry the address that they come from.
pub async fn accept_loop(
    listener: TcpListener,
    router: Router,
    from: From,
    mut ending: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &places, from) => accepted,
            _ = ending.changed() => return,
        };
        let Some((stream, peer, place)) = accepted else { continue };
        let (router, mut ending) = (router.clone(), ending.clone());
        tokio::spawn(async move {
            let _place = place;
            let stream = TokioIo::new(NeverIdle::new(stream));
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
            let answered = service_fn(move |mut request: hyper::Request<Incoming>| {
                request.extensions_mut().insert(Peer(peer));
                router.clone().oneshot(request)
            });
            let connection = builder.serve_connection(stream, answered);
            let mut connection = std::pin::pin!(connection);
            // A connection that fails is its client's matter.
            tokio::select! {
                _ = connection.as_mut() => {}
                _ = ending.changed() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(std::time::Duration::from_secs(1), connection).await;
                }
            }
        });
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    from: From,
) -> Option<(TcpStream, IpAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) if from == From::Anywhere || peer.ip().is_loopback() => {
            Some((stream, peer.ip(), place))
        }
        Ok(_) => None,
        // Out of file descriptors, mostly: give others time to close theirs.
        Err(_) => {
            sleep(std::time::Duration::from_millis(50)).await;
            None
        }
    }
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
