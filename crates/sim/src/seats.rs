//! Places of a server for its clients. Where all are taken, a client that shows no sign of life makes room for a new one.

use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A client that neither sends nor takes anything for so long may be sent away. Ours: clients ask for a robot at once, and
/// a robot has something to tell several times a second.
const MAX_SILENCE: Duration = Duration::from_secs(2);

/// The places of a server.
pub(crate) struct Seats {
    taken: Mutex<Vec<Arc<Seat>>>,
    max: usize,
    max_silence: Duration,
}

/// The place of one client.
pub(crate) struct Seat {
    stream: TcpStream,
    last_sign: Mutex<Instant>,
}

impl Seat {
    /// The client has sent or taken something.
    pub fn note_life(&self) {
        *self.last_sign.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn silence(&self) -> Duration {
        self.last_sign.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}

impl Seats {
    pub fn new(max: usize) -> Self {
        Self { taken: Mutex::new(Vec::new()), max, max_silence: MAX_SILENCE }
    }

    fn taken(&self) -> MutexGuard<'_, Vec<Arc<Seat>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are taken.
    pub fn count(&self) -> usize {
        self.taken().len()
    }

    /// A place for a client; none if all others are alive. The connection of one that makes room is closed.
    pub fn take(&self, stream: &TcpStream) -> Option<Arc<Seat>> {
        let stream = stream.try_clone().ok()?;
        let mut taken = self.taken();
        if taken.len() >= self.max {
            let (index, most_silent) = taken.iter().enumerate().max_by_key(|(_, seat)| seat.silence())?;
            if most_silent.silence() < self.max_silence {
                return None;
            }
            // It may have gone already.
            let _ = taken.swap_remove(index).stream.shutdown(Shutdown::Both);
        }
        let seat = Arc::new(Seat { stream, last_sign: Mutex::new(Instant::now()) });
        taken.push(Arc::clone(&seat));
        Some(seat)
    }

    /// Gives a place back.
    pub fn leave(&self, seat: &Arc<Seat>) {
        self.taken().retain(|other| !Arc::ptr_eq(other, seat));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn the_most_silent_client_makes_room_and_one_that_lives_does_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connect = || {
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            (client, listener.accept().unwrap().0)
        };
        let seats = Seats { max_silence: Duration::from_millis(200), ..Seats::new(2) };
        let ((mut silent, server_a), (_b, server_b), (_c, server_c)) = (connect(), connect(), connect());
        let (_seat_a, seat_b) = (seats.take(&server_a).unwrap(), seats.take(&server_b).unwrap());
        assert!(seats.take(&server_c).is_none(), "all are new");
        std::thread::sleep(Duration::from_millis(250));
        seat_b.note_life();
        let seat_c = seats.take(&server_c).unwrap();
        assert_eq!(silent.read(&mut [0]).unwrap(), 0, "its connection is closed");
        assert!(seats.take(&server_a).is_none(), "both others live");
        seats.leave(&seat_b);
        seats.leave(&seat_c);
        assert_eq!(seats.count(), 0);
    }
}
