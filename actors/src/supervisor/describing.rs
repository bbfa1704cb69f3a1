//! What a crawl asks the Summarizer for.

use actix::prelude::*;

use super::Supervisor;
use super::writing::Writing;
use crate::progress::Event;
use crate::summarizer::NoAnswer;

impl Supervisor {
    /// Has the model describe what it may be asked for now.
    pub(super) fn describe(&mut self, ctx: &mut Context<Self>) {
        while let Some((url, ask)) = self.writing.as_mut().and_then(Writing::next) {
            let name = ask.subject.name.clone();
            let Some(writing) = &self.writing else { return };
            let answer = writing.model.summarizer.send(ask);
            ctx.spawn(answer.into_actor(self).map(move |answer, act, ctx| {
                let answer = answer.unwrap_or(Err(NoAnswer::Internal));
                if let Some(writing) = &mut act.writing {
                    writing.described(url, &name, answer);
                }
                act.tell(Event::Described);
                act.pump(ctx);
            }));
        }
    }

    /// Has the model say what the site is, once.
    pub(super) fn summarize(&mut self, ctx: &mut Context<Self>) {
        let (Some(site), Some(writing)) = (&self.site, &mut self.writing) else { return };
        let is_over = site.is_finished() && writing.has_described_all();
        let Some(ask) = writing.ask_for_summary(site.url.host(), is_over) else {
            if is_over && writing.is_finished() {
                self.assemble(ctx);
            }
            return;
        };
        let answer = writing.model.summarizer.send(ask);
        ctx.spawn(answer.into_actor(self).map(|answer, act, ctx| {
            if let Some(writing) = &mut act.writing {
                writing.summarized(answer.unwrap_or(Err(NoAnswer::Internal)));
            }
            act.wrap_up(ctx);
        }));
    }
}
