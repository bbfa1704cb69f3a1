//! Who waits for a crawl, and what each of them wants of it.

use tokio::sync::oneshot;
use wayfile_core::llms_txt::compose;

use crate::error::CrawlError;
use crate::job::{Generated, Job, OutputOptions};
use crate::progress::Event;
use crate::settings::CrawlSettings;

/// The answer for each set of options, or the error that is everyone's.
pub(super) type CallerAnswers = Result<Vec<(OutputOptions, Generated)>, CrawlError>;

/// Where a caller waits for its answer.
pub(crate) type CallerReply = oneshot::Sender<Result<Generated, CrawlError>>;

struct Caller {
    job: Job,
    reply: CallerReply,
}

#[derive(Default)]
pub(super) struct Callers(Vec<Caller>);

impl Callers {
    pub(super) fn join(&mut self, job: Job, reply: CallerReply) {
        self.0.push(Caller { job, reply });
    }

    /// Lets those go who wait no more. Whether the last one has gone now.
    pub(super) fn drop_left(&mut self) -> bool {
        let before = self.0.len();
        self.0.retain(|caller| !caller.job.cancel.is_cancelled());
        before > 0 && self.0.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn are_listening(&self) -> bool {
        self.0.iter().any(|caller| caller.job.events.is_heard())
    }

    pub(super) fn tell(&self, event: &Event) {
        for caller in self.0.iter().filter(|caller| caller.job.events.is_heard()) {
            caller.job.events.tell(event.clone());
        }
    }

    pub(super) fn outputs(&self) -> Vec<OutputOptions> {
        let mut outputs: Vec<OutputOptions> = Vec::new();
        for caller in &self.0 {
            if !outputs.contains(&caller.job.output) {
                outputs.push(caller.job.output.clone());
            }
        }
        outputs
    }

    /// Of how many pages the text may be of use to one of them.
    pub(super) fn worth_keeping(&self, settings: &CrawlSettings) -> usize {
        self.0.iter().map(|caller| worth_keeping(&caller.job.output, settings)).max().unwrap_or(0)
    }

    /// Answers everyone; a caller that left needs no answer.
    pub(super) fn answer(&mut self, answered: &CallerAnswers) {
        for caller in self.0.drain(..) {
            let result = match answered {
                Ok(files) => {
                    let own = files.iter().find(|(output, _)| *output == caller.job.output);
                    own.map(|(_, generated)| generated.clone()).ok_or(CrawlError::Internal)
                }
                Err(error) => Err(error.clone()),
            };
            let _ = caller.reply.send(result);
        }
    }
}

/// Of how many pages the text may be of use to a caller with these options.
pub(super) fn worth_keeping(output: &OutputOptions, settings: &CrawlSettings) -> usize {
    let (links, full_pages) = output.wanted();
    compose::worth_keeping(links, settings.index_max_chars, full_pages)
}
