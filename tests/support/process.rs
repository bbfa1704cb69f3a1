//! The metrics of the process: a crate describes and writes them, so they are not in the catalogue.

/// Their names, after a prefix of ours.
pub(crate) const PROCESS: &[&str] = &[
    "wayfile_process_cpu_seconds_total",
    "wayfile_process_max_fds",
    "wayfile_process_open_fds",
    "wayfile_process_resident_memory_bytes",
    "wayfile_process_start_time_seconds",
    "wayfile_process_threads",
    "wayfile_process_virtual_memory_bytes",
    "wayfile_process_virtual_memory_max_bytes",
];
