//! From an outline and its pages to both files.
