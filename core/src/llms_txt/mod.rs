//! The `llms.txt` format: document model, tolerant parser, renderers of both files.
