//! The bodies of kept answers: compressed, and only so many of one account.

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::AnswerName;
use crate::store::{Store, StoreError, StoreResult, number};

const GZIP: &str = "gzip";
/// What earlier versions kept.
const IDENTITY: &str = "identity";

/// Throws away what is too much of an account, the oldest first; what is not an answer yet is the newest.
const CUT: &str = "DELETE FROM answers WHERE status IS NOT NULL AND (key_id, name) IN (SELECT key_id, name FROM \
    (SELECT key_id, name, count(*) OVER newest AS nth, sum(bytes) OVER newest AS bytes FROM answer_bodies \
    WHERE account_id = (SELECT account_id FROM keys WHERE id = $1) \
    WINDOW newest AS (ORDER BY laid_at DESC, key_id DESC, name DESC ROWS UNBOUNDED PRECEDING)) kept \
    WHERE nth > $2 OR bytes > $3)";

impl Store {
    /// Lays the body of an answer by, if the name is still the run's. `false`: it alone is more than an account may have.
    pub(crate) async fn lay_by(
        &self,
        name: &AnswerName,
        body: Arc<str>,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let (answers, bytes) = (self.keep.answers_per_account, self.keep.answers_bytes_per_account.0);
        let packed = on_a_thread(move || packed(&body)).await?;
        if packed.len() > bytes || answers == 0 {
            return Ok(false);
        }
        let mut changes = self.begin().await?;
        let laid = sqlx::query(
            "INSERT INTO answer_bodies (key_id, name, account_id, laid_at, bytes, coding, body) \
             SELECT id, $2, account_id, $3, $4, $5, $6 FROM keys WHERE id = $1 \
             AND EXISTS (SELECT 1 FROM answers a WHERE a.key_id = $1 AND a.name = $2 AND a.run_id = $7) \
             ON CONFLICT (key_id, name) DO UPDATE SET laid_at = excluded.laid_at, bytes = excluded.bytes, \
             coding = excluded.coding, body = excluded.body",
        );
        let laid = laid.bind(name.key.0).bind(name.name.as_str()).bind(now.as_microsecond());
        let laid = laid.bind(number(packed.len())).bind(GZIP).bind(packed).bind(name.instance.bytes());
        laid.execute(&mut *changes).await?;
        let cut = sqlx::query(CUT).bind(name.key.0).bind(number(answers)).bind(number(bytes));
        cut.execute(&mut *changes).await?;
        changes.commit().await?;
        Ok(true)
    }
}

pub(crate) async fn text_of(row: &AnyRow) -> StoreResult<String> {
    let (coding, body) = (row.try_get::<String, _>("coding")?, row.try_get::<Vec<u8>, _>("body")?);
    let body = match coding.as_str() {
        GZIP => on_a_thread(move || unpacked(&body)).await?,
        IDENTITY => body,
        other => return Err(StoreError::Foreign(format!("an answer coded as {other:?}"))),
    };
    String::from_utf8(body).map_err(|_| StoreError::Foreign("an answer that is no text".to_owned()))
}

/// As small as it gets without much work: a text of 20 MiB takes a fraction of a second.
fn packed(body: &str) -> std::io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(body.as_bytes())?;
    packer.finish()
}

fn unpacked(packed: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut body = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut body)?;
    Ok(body)
}

/// Large bodies take longer than the threads of requests may be held up.
async fn on_a_thread(
    work: impl FnOnce() -> std::io::Result<Vec<u8>> + Send + 'static,
) -> StoreResult<Vec<u8>> {
    let worked = tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other).flatten();
    worked.map_err(|error| StoreError::Foreign(format!("an answer that cannot be coded: {error}")))
}
