//! What to take if nobody says: in table 6 of the paper, additional and furthest-point-first lead for every search but
//! depth-first, and neither clearly beats the other. Additional has nothing to say once no test adds a branch; most
//! tests of a large suite come behind that point, and there the distance to what was ranked decides.

use super::{additional, fpf};
use crate::matrix::Profile;

pub fn rank(profiles: &[Profile], places: &[usize]) -> Vec<usize> {
    let mut first = additional::rank(profiles, places);
    first.order.truncate(first.adding.max(1));
    fpf::extend(profiles, places, first.order)
}
