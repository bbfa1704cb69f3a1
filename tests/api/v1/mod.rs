mod authentication;
mod generate;
mod usage;
mod validate;
