#![no_main]
//! Any bytes as the plan of an arena; what can be read is built, and a small arena drawn.

use libfuzzer_sys::fuzz_target;
use mapjudge_sim::arena::{Arena, Plan};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(plan) = Plan::read(text) else { return };
    if let Ok(arena) = Arena::build(&plan)
        && arena.geometry().is_ok_and(|geometry| geometry.cells() < 1 << 20)
    {
        let _ = arena.truth(plan.slice_heights_m[0]);
        let _ = mapjudge_sim::world::World::new(&arena);
    }
    assert_eq!(Plan::read(&plan.to_text()).map(|again| again.to_text()), Ok(plan.to_text()));
});
