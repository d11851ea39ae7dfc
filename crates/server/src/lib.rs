//! The pages of mapjudge in a browser: lay a map on the truth by hand, compare maps, review relations, look at results.
//!
//! And [`contest`]: a contest run by a server, for teams, judges and the public.
//!
//! A shell like the command line: it parses requests, calls the library, sends values. It computes no score. Without
//! a contest it listens on this machine alone, and only the browser that opens the printed link gets in.

mod accept_loop;
pub mod answer;
mod app;
mod assets;
pub mod contest;
mod events;
mod guard;
mod limits;
mod login;
mod map_info;
mod overlay_desk;
mod problem;
mod program;
mod review_desk;
mod routes;
mod view_desk;

pub use app::{App, Desk};
pub use overlay_desk::{KeptFrames, OverlayDesk, OverlayMap};
pub use problem::Problem;
pub use program::{Program, ServeError, serve};
pub use review_desk::ReviewDesk;
pub use view_desk::ViewDesk;
