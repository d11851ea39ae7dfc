//! The live USARSim server: a simulated robot for each client that says INIT, over TCP.
//!
//! Each client has a thread and a robot of its own in the same arena; robots do not meet. A client that does not read
//! makes its own robot's time stand still: nothing is lost, nothing piles up. No shell, no file access by clients.

mod connection;
mod session;

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::arena::Arena;
use crate::robot::RobotModel;
use crate::seats::Seats;
use crate::world::World;
use session::Place;

/// Connections at a time, as the simulator allows.
pub const MAX_CLIENTS: usize = 64;
/// Time between two looks for new clients.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What the server did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LiveReport {
    /// Clients that came.
    pub clients: usize,
    /// Clients that were turned away.
    pub refused: usize,
    /// Robots that appeared.
    pub robots: usize,
    /// Lines that were sent.
    pub lines_sent: usize,
    /// Messages that were understood.
    pub messages: usize,
    /// Messages of other kinds.
    pub ignored: usize,
    /// Lines that are no messages.
    pub broken: usize,
    /// Lines above 1 MiB, which were thrown away.
    pub too_long: usize,
    /// Connections that ended within a line.
    pub half_messages: usize,
}

impl std::ops::AddAssign for LiveReport {
    fn add_assign(&mut self, other: Self) {
        self.clients += other.clients;
        self.refused += other.refused;
        self.robots += other.robots;
        self.lines_sent += other.lines_sent;
        self.messages += other.messages;
        self.ignored += other.ignored;
        self.broken += other.broken;
        self.too_long += other.too_long;
        self.half_messages += other.half_messages;
    }
}

/// A server that waits for clients.
#[derive(Debug)]
pub struct LiveServer {
    listener: TcpListener,
    place: Arc<Place>,
    /// Simulated seconds per second.
    speed: f64,
}

impl LiveServer {
    /// Binds to an address. `speed` is how much faster than real time the robots live.
    ///
    /// # Errors
    /// The address is taken or not ours.
    pub fn bind(
        address: impl ToSocketAddrs,
        arena: &Arena,
        robot: RobotModel,
        seed: u64,
        speed: f64,
    ) -> io::Result<Self> {
        if !(speed > 0.0 && speed <= 1e4) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "speed: expected above 0 and at most 10000",
            ));
        }
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let place = Arc::new(Place { world: World::new(arena), arena: arena.clone(), robot, seed });
        Ok(Self { listener, place, speed })
    }

    /// Where clients connect to.
    ///
    /// # Errors
    /// The system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves clients until it is told to stop. Where there are [`MAX_CLIENTS`], one that neither sends nor takes anything
    /// makes room for a new one.
    pub fn run(&self, stop: &AtomicBool) -> LiveReport {
        let total = Mutex::new(LiveReport::default());
        let seats = Seats::new(MAX_CLIENTS);
        let began = Instant::now();
        let mut number = 0;
        thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) {
                let Ok((stream, _)) = self.listener.accept() else {
                    // Nobody there, or a client that went before it was greeted.
                    thread::sleep(LOOK_EVERY);
                    continue;
                };
                let add = |report: LiveReport| {
                    *total.lock().unwrap_or_else(PoisonError::into_inner) += report;
                };
                let Some(seat) = seats.take(&stream) else {
                    add(LiveReport { refused: 1, ..LiveReport::default() });
                    continue;
                };
                let session = session::Session::new(Arc::clone(&self.place), number);
                number += 1;
                let seats = &seats;
                scope.spawn(move || {
                    add(connection::serve(stream, session, self.speed, began, &seat, stop));
                    seats.leave(&seat);
                });
            }
        });
        total.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
