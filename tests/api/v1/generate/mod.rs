mod answers;
mod errors;
mod idempotency;
mod leaving;
mod load;
mod plans;
mod progress;
