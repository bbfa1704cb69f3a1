#[path = "corpus/llms_txt.rs"]
mod llms_txt;

#[test]
#[ignore = "needs the corpus"]
fn real_files() {
    let corpus = std::env::var("WAYFILE_CORPUS").unwrap();
    if let Some(Err(faults)) = llms_txt::run(corpus.as_ref()) {
        panic!("{faults}");
    }
}
