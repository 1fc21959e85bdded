//! A bounded map of names: two generations, so that what is used stays and what is not goes with the old one.

use offshoot_expr::hash::FastMap;

pub struct Generations<V> {
    young: FastMap<u128, V>,
    old: FastMap<u128, V>,
    capacity: usize,
}

impl<V: Clone> Generations<V> {
    /// At most about `capacity` values.
    pub fn new(capacity: usize) -> Generations<V> {
        Generations { young: FastMap::default(), old: FastMap::default(), capacity: capacity.max(2) }
    }

    pub fn len(&self) -> usize {
        self.iter().count()
    }

    pub fn is_empty(&self) -> bool {
        self.young.is_empty() && self.old.is_empty()
    }

    #[inline]
    pub fn get(&mut self, name: u128) -> Option<V> {
        if let Some(value) = self.young.get(&name) {
            return Some(value.clone());
        }
        let value = self.old.remove(&name)?;
        self.put(name, value.clone());
        Some(value)
    }

    pub fn put(&mut self, name: u128, value: V) {
        if self.young.len() >= self.capacity / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(name, value);
    }

    /// In no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (u128, &V)> {
        let old = self.old.iter().filter(|(name, _)| !self.young.contains_key(name));
        old.chain(&self.young).map(|(&name, value)| (name, value))
    }
}
