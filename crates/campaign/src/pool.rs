//! One piece of work after the other, on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// `work` on each item, by `jobs` threads that own what `start` gives them. `done` hears of each result, in the order in
/// which they come, on the caller's thread. Once `cancel` is raised no item is begun; `None` stands for those.
pub fn in_parallel<T: Sync, W, R: Send>(
    items: &[T],
    jobs: usize,
    cancel: &AtomicBool,
    start: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &T) -> R + Sync,
    mut done: impl FnMut(usize, &R),
) -> Vec<Option<R>> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    each_in_parallel(items, jobs, cancel, start, work, |at, result| {
        done(at, &result);
        results[at] = Some(result);
    });
    results
}

/// The same, but the results are `done`'s to keep or to let go.
pub fn each_in_parallel<T: Sync, W, R: Send>(
    items: &[T],
    jobs: usize,
    cancel: &AtomicBool,
    start: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &T) -> R + Sync,
    mut done: impl FnMut(usize, R),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, start, work) = (sender.clone(), &next, &start, &work);
            scope.spawn(move || {
                let mut own = start();
                while !cancel.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    if sender.send((at, work(&mut own, item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (at, result) in receiver {
            done(at, result);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once_and_in_its_place() {
        let items: Vec<usize> = (0..100).collect();
        for jobs in [0, 1, 3, 200] {
            let mut heard = 0;
            let never = AtomicBool::new(false);
            let results = in_parallel(&items, jobs, &never, || (), |(), item| item * 2, |_, _| heard += 1);
            assert_eq!(results, items.iter().map(|item| Some(item * 2)).collect::<Vec<_>>());
            assert_eq!(heard, items.len());
        }
        assert!(in_parallel(&[], 2, &AtomicBool::new(false), || (), |(), _: &u8| (), |_, _| ()).is_empty());
    }

    #[test]
    fn what_is_done_when_it_is_cancelled_is_kept() {
        let cancel = AtomicBool::new(false);
        let work = |(): &mut (), item: &usize| {
            cancel.store(*item == 3, Ordering::Relaxed);
            *item
        };
        let results = in_parallel(&[0, 1, 2, 3, 4, 5], 1, &cancel, || (), work, |_, _| ());
        assert_eq!(results, [Some(0), Some(1), Some(2), Some(3), None, None]);
    }
}
