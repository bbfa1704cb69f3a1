//! Whatever is quoted into a file of ours is plain text to a Markdown parser, whichever extensions it knows.

#[cfg(test)]
mod quoted {
    mod index;
    mod markup;
    mod pages;
    mod shown;
    mod written;
}
