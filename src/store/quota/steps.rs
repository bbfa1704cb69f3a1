//! A change of one row and of what follows from it.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe};

/// A statement whose parameters are still to be named.
pub(super) type Unbound = Query<'static, Any, AnyArguments>;

/// What follows from the change of one row; all statements name the same parameters.
///
/// SQLite makes one after the other. In PostgreSQL they are one statement, so nothing goes to and fro between them and no
/// transaction is needed: it commits by itself. Those that follow read what was changed under its table's name.
pub(super) struct Steps<'a> {
    pub(super) table: &'static str,
    /// Changes one row of the table or none, and returns it.
    pub(super) first: &'a str,
    /// Made if there was one.
    pub(super) then: &'a [String],
}

impl Steps<'_> {
    /// Makes them with the parameters that `bind` names; the row that the first one changed.
    pub(super) async fn make(
        &self,
        connection: &mut AnyConnection,
        bind: impl Fn(Unbound) -> Unbound,
    ) -> sqlx::Result<Option<AnyRow>> {
        if connection.backend_name() == "PostgreSQL" {
            let Self { table, first, .. } = self;
            let then = self.then.iter().enumerate().map(|(at, step)| format!(", step{at} AS ({step})"));
            let all = format!("WITH {table} AS ({first}){} SELECT * FROM {table}", then.collect::<String>());
            return bind(sqlx::query(AssertSqlSafe(all))).fetch_optional(connection).await;
        }
        let first = bind(sqlx::query(AssertSqlSafe(self.first))).fetch_optional(&mut *connection).await?;
        for step in self.then.iter().filter(|_| first.is_some()) {
            bind(sqlx::query(AssertSqlSafe(step.as_str()))).execute(&mut *connection).await?;
        }
        Ok(first)
    }
}
