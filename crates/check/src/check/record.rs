//! A failure becomes a finding: reduced, told apart from others, written down.

use super::CheckError;
use super::engine::{Engine, Prediction};
use crate::event::Event;
use crate::finding::{Finding, Identity, Place, fingerprint, identity};
use crate::judge::{Failure, Judged};
use crate::subject::Settled;
use offshoot_campaign::explore::{in_words, status_seen};
use offshoot_campaign::store::{StoreError, replace_json};
use offshoot_campaign::{ChangedByte, Seed};
use offshoot_run::Status;
use offshoot_search::Site;
use offshoot_suite::{Edit, Input, Origin, Test, write_test};
use std::sync::Arc;

/// With more changed bytes than this nobody waits for each to be taken back.
const MAX_REDUCED: usize = 24;

impl Engine<'_> {
    /// `last`: the last decision of a run that failed by itself.
    pub fn record(
        &mut self,
        input: &Input,
        failure: Failure,
        seed: &str,
        distance: u32,
        prediction: Option<Prediction>,
        last: Option<Site>,
    ) -> Result<(), CheckError> {
        let place = self.place(&failure, prediction.as_ref(), last);
        let identity = identity(&failure, &place);
        let changed = input.edits.len();
        let wanted = self.findings.wants(&identity, distance, changed);
        let (input, failure) = match wanted {
            true => self.reduce(input, failure, &identity, &place)?,
            false => (input.clone(), failure),
        };
        if let Some(prediction) = &prediction {
            let new = Settled { distance, changed: input.edits.len(), times: 0 };
            let settled = self.subjects[self.at].settled.entry((prediction.title, prediction.site)).or_insert(new);
            if (new.distance, new.changed) < (settled.distance, settled.changed) {
                *settled = Settled { times: settled.times, ..new };
            }
            settled.times += 1;
        }
        if !wanted {
            return Ok(());
        }
        // What fails may be something else on the way there.
        let differs = |prediction: &Prediction| matches!((prediction.is_write, failure.is_write), (Some(predicted), Some(seen)) if predicted != seen);
        let prediction = prediction.filter(|prediction| !differs(prediction));
        let plainly = self.timed(|judge| judge.plainly(&input))?;
        let id = self.findings.number(&identity);
        let finding = Finding {
            id,
            kind: failure.kind.clone(),
            check: prediction.as_ref().map(|prediction| prediction.check),
            title: prediction.as_ref().map_or("the run fails", |prediction| prediction.title).to_owned(),
            fingerprint: fingerprint(&failure, &place),
            place,
            seed: seed.to_owned(),
            distance,
            changed: changed_bytes(&input),
            explanation: prediction.map(|prediction| prediction.explanation).unwrap_or_default(),
            plainly: in_words(plainly),
            frames: failure.frames,
            report: failure.lines,
            folder: format!("findings/{id:04}"),
        };
        self.write(&finding, &input, failure.status)?;
        self.emit(&Event::Finding { finding: Box::new(finding.clone()) });
        self.findings.keep(identity, finding);
        Ok(())
    }

    fn place(&self, failure: &Failure, prediction: Option<&Prediction>, last: Option<Site>) -> Place {
        if let Some(frame) = failure.frames.first() {
            return frame.into();
        }
        if let Some(prediction) = prediction {
            return prediction.place.clone();
        }
        let place = last.and_then(|site| self.subject().sites.place(site));
        place.map_or(Place::default(), |place| Place {
            file: place.file.to_owned(),
            line: place.line,
            column: place.column,
            function: place.function.to_owned(),
        })
    }

    /// Takes back every changed byte that the failure does not need.
    fn reduce(
        &mut self,
        input: &Input,
        failure: Failure,
        wanted: &Identity,
        place: &Place,
    ) -> Result<(Input, Failure), CheckError> {
        let (mut input, mut failure) = (input.clone(), failure);
        if input.edits.len() > MAX_REDUCED || failure.kind == "hang" {
            return Ok((input, failure));
        }
        for edit in Arc::clone(&input.edits).iter() {
            let rest: Vec<Edit> = input.edits.iter().filter(|other| *other != edit).cloned().collect();
            let smaller = Input { edits: rest.into(), ..input.clone() };
            if let Judged::Failed(other) = self.timed(|judge| judge.judge(&smaller))? {
                let other_place = other.frames.first().map_or_else(|| place.clone(), Place::from);
                if identity(&other, &other_place) == *wanted {
                    (input, failure) = (smaller, other);
                }
            }
        }
        Ok((input, failure))
    }

    /// `cmd.sh` runs the program that shows the error.
    fn write(&self, finding: &Finding, input: &Input, status: Option<Status>) -> Result<(), CheckError> {
        let folder = self.options.out.join(&finding.folder);
        // A better example of the same error takes the place of the earlier one.
        if folder.exists() {
            let failed = |source| StoreError::Io { action: "remove", path: folder.clone(), source };
            std::fs::remove_dir_all(&folder).map_err(failed)?;
        }
        let seed = Input { edits: [].into(), ..input.clone() };
        let parent = seed.test(Origin::Seed).id();
        let flipped = format!("{} at {}", finding.title, finding.place);
        let origin = Origin::Generated { parent, flipped, changed: input.edits.to_vec() };
        let mut test = Test::new(self.subject().judge.command(&input.command), input.bytes(), origin);
        test.flaky = Seed::flaky(&self.options.seeds, input);
        test.expectation.status = status.and_then(status_seen);
        write_test(&folder, &test).map_err(StoreError::from)?;
        replace_json(&folder.join("note.json"), finding)?;
        Ok(())
    }
}

fn changed_bytes(input: &Input) -> Vec<ChangedByte> {
    let changed = |edit: &Edit| ChangedByte {
        source: edit.source.to_string(),
        offset: edit.offset,
        old: input.seed.get(&edit.source).and_then(|bytes| bytes.get(edit.offset as usize)).copied(),
        new: edit.value,
    };
    input.edits.iter().map(changed).collect()
}
