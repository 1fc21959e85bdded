//! Lists of numbers, one for each of 0..n, in two arrays.

#[derive(Clone, Debug)]
pub struct Table {
    /// One more than there are lists.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Table {
    /// `pairs` of list and item; the order within a list is that of the pairs.
    pub fn from_pairs(lists: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Table {
        let mut starts = vec![0_u32; lists + 1];
        for (list, _) in pairs.clone() {
            starts[list as usize + 1] += 1;
        }
        for i in 0..lists {
            starts[i + 1] += starts[i];
        }
        let mut items = vec![0; starts[lists] as usize];
        let mut next = starts.clone();
        for (list, item) in pairs {
            let at = &mut next[list as usize];
            items[*at as usize] = item;
            *at += 1;
        }
        Table { starts, items }
    }

    pub fn empty() -> Table {
        Table { starts: vec![0], items: Vec::new() }
    }

    /// Adds a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.starts.push(self.items.len() as u32);
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn of(&self, list: u32) -> &[u32] {
        let list = list as usize;
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// How many items the lists before this one have.
    pub fn start(&self, list: u32) -> u32 {
        self.starts[list as usize]
    }

    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        (0..self.len() as u32).flat_map(|list| self.of(list).iter().map(move |item| (list, *item)))
    }

    /// For each of `0..lists` the lists here that it is in.
    pub fn inverted(&self, lists: usize) -> Table {
        Table::from_pairs(lists, self.pairs().map(|(list, item)| (item, list)))
    }
}

impl Default for Table {
    fn default() -> Table {
        Table::empty()
    }
}
