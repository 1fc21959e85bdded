//! A failure becomes a finding: reduced, told apart from others, written down.

use super::CheckError;
use super::engine::{Engine, Prediction};
use crate::asan::Frame;
use crate::event::Event;
use crate::finding::{Finding, Identity, Place, fingerprint, identity};
use crate::judge::{Failure, Judged};
use crate::path::Path;
use crate::reduce::reduce;
use crate::subject::Settled;
use crate::way::{Way, way};
use offshoot_campaign::explore::{in_words, status_seen};
use offshoot_campaign::store::{StoreError, replace_json};
use offshoot_campaign::{ChangedByte, Seed};
use offshoot_run::{Policy, Status};
use offshoot_suite::{Edit, Input, Origin, Source, Test, write_test};

/// Of the judge, to take back changed bytes of one finding.
const MAX_RUNS: u32 = 160;

impl Engine<'_> {
    /// `own`: a run that failed by itself.
    pub fn record(
        &mut self,
        input: &Input,
        failure: Failure,
        seed: &str,
        distance: u32,
        prediction: Option<Prediction>,
        own: Option<&Path>,
    ) -> Result<(), CheckError> {
        let place = self.place(&failure, prediction.as_ref(), own);
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
        let plainly = self.timed(|judge| judge.plainly(&input))?.status;
        let id = self.findings.number(&identity);
        self.learn(&failure);
        let line = self.sources.get(&place.file).and_then(|source| Some(source.line(place.line)?.to_owned()));
        let fingerprint = fingerprint(&failure, &place, line.as_deref());
        let (way, read) = self.way(&input, own.filter(|_| input.edits.len() == changed), prediction.as_ref())?;
        let finding = Finding {
            id,
            kind: failure.kind.clone(),
            check: prediction.as_ref().map(|prediction| prediction.check),
            title: prediction.as_ref().map_or("the run fails", |prediction| prediction.title).to_owned(),
            fingerprint,
            line,
            place: Place { file: self.sources.shown(&place.file), ..place },
            seed: seed.to_owned(),
            distance,
            after_s: self.start.elapsed().as_secs_f64(),
            changed: changed_bytes(&input),
            explanation: prediction.map(|prediction| prediction.explanation).unwrap_or_default(),
            plainly: in_words(plainly),
            frames: failure.frames.into_iter().map(|frame| self.shown(frame)).collect(),
            report: failure.lines,
            way,
            folder: format!("findings/{id:04}"),
        };
        self.write(&finding, &input, read, failure.status)?;
        self.emit(&Event::Finding { finding: Box::new(finding.clone()) });
        self.findings.keep(identity, finding);
        Ok(())
    }

    fn place(&self, failure: &Failure, prediction: Option<&Prediction>, own: Option<&Path>) -> Place {
        if let Some(frame) = failure.frames.first() {
            return frame.into();
        }
        if let Some(prediction) = prediction {
            return prediction.place.clone();
        }
        let last = own.and_then(|path| path.steps.last());
        let place = last.and_then(|step| self.subject().sites.place(step.site));
        place.map_or(Place::default(), |place| Place {
            file: place.file.to_owned(),
            line: place.line,
            column: place.column,
            function: place.function.to_owned(),
        })
    }

    /// Where the sources are, from the full names in a report.
    fn learn(&mut self, failure: &Failure) {
        let places = &self.subjects[self.at].places;
        let own = || places.modules().filter(|(_, module)| !module.is_libc_model);
        for file in failure.frames.iter().filter_map(|frame| frame.file.as_deref()) {
            self.sources.learn(file, own().flat_map(|(_, module)| &module.files).map(String::as_str));
        }
    }

    fn shown(&self, frame: Frame) -> Frame {
        Frame { file: frame.file.map(|file| self.sources.shown(&file)), ..frame }
    }

    /// What the run decides up to its failure, beside what its seed decides, and the files that it reads. `own`: it is known
    /// already.
    fn way(
        &mut self,
        input: &Input,
        own: Option<&Path>,
        prediction: Option<&Prediction>,
    ) -> Result<(Way, Vec<Source>), CheckError> {
        let seed = match input.edits.is_empty() {
            true => None,
            false => Some(self.run(Input { edits: [].into(), ..input.clone() })?.steps),
        };
        let again = if own.is_none() { Some(self.run(input.clone())?) } else { None };
        let Some(path) = own.or(again.as_ref()) else { return Ok((Way::default(), Vec::new())) };
        let subject = &self.subjects[self.at];
        let is_there = |one: &&Prediction| path.has_operation(one.site, one.step, &subject.sites);
        // Without AddressSanitizer a run may go on as if nothing had happened.
        let (end, is_known) = match prediction.filter(is_there) {
            Some(prediction) => (prediction.step, true),
            None => (path.steps.len(), matches!(path.status, Status::Signaled { .. })),
        };
        let way = way(&path.steps[..end], seed.as_deref(), &subject.sites, &subject.places, &mut self.sources);
        Ok((Way { ends_at_failure: is_known, ..way }, path.files_read()))
    }

    /// Takes back every changed byte that the failure does not need.
    fn reduce(
        &mut self,
        input: &Input,
        failure: Failure,
        wanted: &Identity,
        place: &Place,
    ) -> Result<(Input, Failure), CheckError> {
        if failure.kind == "hang" {
            // Each run would take all of its time.
            self.counts.reduction.cut += u64::from(!input.edits.is_empty());
            return Ok((input.clone(), failure));
        }
        let mut best = failure;
        let with = |edits: &[Edit]| Input { edits: edits.into(), ..input.clone() };
        let reduced = reduce(input.edits.to_vec(), MAX_RUNS, |edits| -> Result<bool, CheckError> {
            let smaller = with(edits);
            let Judged::Failed(other) = self.timed(|judge| judge.judge(&smaller))? else { return Ok(false) };
            let other_place = other.frames.first().map_or_else(|| place.clone(), Place::from);
            let is_same = identity(&other, &other_place) == *wanted;
            if is_same {
                best = other;
            }
            Ok(is_same)
        })?;
        self.counts.reduction.runs += u64::from(reduced.runs);
        self.counts.reduction.bytes += (input.edits.len() - reduced.left.len()) as u64;
        self.counts.reduction.cut += u64::from(!reduced.is_minimal);
        Ok((with(&reduced.left), best))
    }

    /// `cmd.sh` runs the program that shows the error.
    fn write(
        &self,
        finding: &Finding,
        input: &Input,
        read: Vec<Source>,
        status: Option<Status>,
    ) -> Result<(), CheckError> {
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
        // Without a sandbox a run cannot be given files.
        if self.options.settings.policy == Policy::Sandboxed {
            test.bring(read);
        }
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
