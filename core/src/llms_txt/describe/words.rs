//! The word lists that answers are checked with.

use crate::phrases::list;

/// What an answer begins with that talks about the task instead of the page, in lower case.
pub(super) const CHATTER: &[&str] = list! {
    "i " "i'm " "i'll " "i've " "i'd " "sorry" "unfortunately" "sure," "sure!" "sure." "certainly"
    "of course" "okay" "ok," "here is " "here's " "here are " "as an ai" "as a language" "please provide"
    "please share" "no content" "no description" "no information" "there is no content"
    "there is not enough" "unable to" "cannot " "n/a" "none." "null" "es tut mir leid" "ich kann"
    "leider " "je ne peux" "je suis désolé" "désolé" "lo siento" "no puedo" "desculpe" "não posso"
    "mi dispiace" "non posso" "抱歉" "对不起" "很抱歉" "申し訳" "すみません" "죄송" "извините" "к сожалению" "user:"
    "system:" "assistant:" "hello" "hi " "hi!" "thank you" "thanks " "yes," "no,"
};

/// What gives it away wherever it stands, in lower case.
pub(super) const CHATTER_ANYWHERE: &[&str] = list! {
    "language model " "as an ai " "can't assist" "cannot assist" "can't help" "cannot help" "i'm sorry"
    "i am sorry" "i cannot" "i can't" "i am unable" "i'm unable" "i don't have" "i do not have"
    "not able to provide" "content policy" "the provided text" "the provided content" "the text provided"
    "text you provided" "page you provided" "based on the provided" "the given text" "the above text"
    "let me know if" "hope this helps" "feel free to ask" "would you like me"
};

/// Labels that models put before an answer.
pub(super) const LABELS: &[&str] =
    &["description:", "summary:", "answer:", "output:", "one-sentence description:"];

/// Endings of names that are more often files than hosts.
pub(super) const FILE_ENDINGS: &[&str] = &[
    "md", "rs", "py", "sh", "pl", "so", "ps", "cc", "ml", "mm", "zip", "do", "app", "java", "mov", "bat",
    "tf", "ts", "js", "st", "la", "am", "in",
];

/// Reserved top-level domains, which examples use.
pub(super) const ADDRESS_ENDINGS: &[&str] =
    &["example", "test", "invalid", "localhost", "local", "onion", "internal"];

/// Words that say how something is told, not what: any description may have them, and a sentence may open with them.
pub(super) const NEUTRAL: &str = "\
    a about above across add adding adds address addresses after all allow allowing allows along also an and any \
    are around article as at available based basic basics be before being best between both build building builds but \
    by can cannot chapter chapters common compare compares complete comprehensive concepts contain containing contains \
    cover covering covers create creates creating data define defines defining definition definitions demonstrates \
    describe described describes describing description detail detailed details different discuss discusses \
    document documentation documented documents during each ensure ensures entry every example examples explain \
    explained explaining explains explores feature features find first focuses follow following for from full \
    function functions general get getting give gives giving guidance guide guides handle handles has have help helps \
    here highlights how if important in include includes including index information instructions into introduces \
    introducing introduction is it its key know learn lets like list listing lists main make makes making manage \
    manages managing manual many may methods more most must name names need new not notes of offer offers on one only \
    options or other our out outlines over overview page pages part parts please present presents process provide \
    provided provides providing purpose quick reader readers reference related requires resource resources review \
    reviews run section sections see set sets shows showing site so some specific specifies start started step steps \
    such summarises summarizes summary support supports take teaches technical tells than that the their them then \
    these they this those through to together topic topics tutorial tutorials under understand understanding up use \
    used user users uses using various walks was way ways we website welcome what when where whether which while who \
    why will with within without work working works you your";
