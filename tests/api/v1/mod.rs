mod authentication;
mod generate;
mod usage;
