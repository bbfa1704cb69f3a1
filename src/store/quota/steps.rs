//! A change of one row and of what follows from it.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe};

/// A statement whose parameters are still to be named.
pub(super) type Unbound = Query<'static, Any, AnyArguments>;

/// Changes one row of `table` or none by `first`, which returns it, and makes what follows if there was one; all statements name
/// the same parameters, those that `bind` gives. The row that was changed.
///
/// SQLite makes one after the other. In PostgreSQL they are one statement, so nothing goes to and fro between them and no
/// transaction is needed: it commits by itself. Those that follow read what was changed under its table's name.
pub(super) async fn make(
    connection: &mut AnyConnection,
    table: &str,
    first: &str,
    then: &[String],
    bind: impl Fn(Unbound) -> Unbound,
) -> sqlx::Result<Option<AnyRow>> {
    if connection.backend_name() == "PostgreSQL" {
        let then = then.iter().enumerate().map(|(at, step)| format!(", step{at} AS ({step})"));
        let all = format!("WITH {table} AS ({first}){} SELECT * FROM {table}", then.collect::<String>());
        return bind(sqlx::query(AssertSqlSafe(all))).fetch_optional(connection).await;
    }
    let first = bind(sqlx::query(AssertSqlSafe(first))).fetch_optional(&mut *connection).await?;
    for step in then.iter().filter(|_| first.is_some()) {
        bind(sqlx::query(AssertSqlSafe(step.as_str()))).execute(&mut *connection).await?;
    }
    Ok(first)
}
