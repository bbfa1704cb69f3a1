mod answers;
mod errors;
mod idempotency;
mod leaving;
mod plans;
mod size;
