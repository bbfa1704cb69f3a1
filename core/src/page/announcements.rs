//! The short texts that announce what is no part of a page's prose, in the languages that are most common.

use super::vocabulary::WordIndex;

/// What a short text announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phrase {
    /// Links to other pages, or something to sign up for.
    Elsewhere,
    /// What readers wrote.
    Readers,
    /// Nothing: it is a call to do something, or a word of the page's surface.
    Call,
    /// Nothing either, beside what a page documents: its source, a way to run or to edit it.
    Tool,
}

/// The longest phrase, in bytes.
pub(super) const LONGEST: usize = 64;

macro_rules! phrases {
    ($($phrase:ident { $($text:literal)* })*) => {
        const TEXTS: &[&str] = &[$($($text),*),*];
        const PHRASES: &[Phrase] = &[$($({ let _ = $text; Phrase::$phrase }),*),*];
    };
}

phrases! {
    Elsewhere {
        "about the author" "also read" "also see" "around the web" "best sellers" "don't miss"
        "editor's picks" "follow us" "frequently bought together" "latest articles" "latest news" "latest posts"
        "latest stories" "our latest stories" "more stories" "related stories"
        "more articles" "more from" "more resources" "most read" "must read" "newsletter" "next article"
        "popular categories" "read next" "recent" "recent comments" "recent news" "recent posts" "recently viewed" "recommended"
        "recommended articles" "recommended for you" "related" "related articles" "related items" "related pages"
        "related posts" "related products" "related reading" "related searches" "related topics" "share"
        "share this article" "share this page" "share this post" "shop by category" "similar threads"
        "sponsored links" "stay up to date" "subscribe to our newsletter" "join our newsletter" "tags" "trending"
        "trending stories" "up next" "what to read next" "you may also like" "you might also like" "you might like"
        "ähnliche artikel" "ähnliche beiträge" "ähnliche themen" "auch interessant"
        "das könnte dich auch interessieren" "das könnte sie auch interessieren" "das könnte ihnen auch gefallen"
        "mehr zum thema" "meistgelesen" "meistgelesene artikel" "neueste artikel" "neueste beiträge"
        "empfohlene beiträge" "für dich empfohlen" "auch lesen" "verwandte artikel" "verwandte beiträge"
        "verwandte themen"
        "weitere artikel" "weitere beiträge" "weiterlesen" "lesen sie auch" "articles similaires" "articles récents"
        "à lire aussi" "à lire également" "a lire aussi" "lire aussi" "sur le même sujet" "voir aussi"
        "vous aimerez aussi" "dans la même rubrique" "artículos relacionados" "noticias relacionadas"
        "entradas relacionadas" "entradas recientes" "te puede interesar" "también te puede interesar" "lee también"
        "le puede interesar" "más noticias" "lo más leído" "contenido relacionado" "últimas noticias" "más leídas"
        "artigos relacionados" "notícias relacionadas"
        "posts relacionados" "leia também" "leia mais" "veja também" "mais lidas" "posts recentes" "você pode gostar"
        "articoli correlati" "articoli recenti" "leggi anche" "potrebbe interessarti" "potrebbero interessarti"
        "ti potrebbe interessare" "gerelateerde artikelen" "lees ook" "meest gelezen" "podobne artykuły"
        "przeczytaj także" "przeczytaj również" "zobacz także" "zobacz również" "polecane" "czytaj także"
        "relaterade artiklar" "läs också"
        "läs mer" "lue myös" "relaterede artikler" "læs også" "les også" "související články" "čtěte také"
        "benzer yazılar" "ilgili haberler" "читайте также" "похожие статьи" "похожие записи" "похожие новости"
        "новости по теме" "материалы по теме" "популярные статьи" "популярное" "свежие записи" "смотрите также"
        "рекомендуем" "вам может понравиться" "читайте також" "関連記事" "関連リンク" "人気記事" "おすすめ記事" "最新記事" "相关文章" "相关阅读"
        "相关新闻" "相关推荐" "推荐阅读" "热门文章" "最新文章" "관련기사" "관련 기사" "인기기사" "مقالات ذات صلة" "اقرأ أيضا"
    }
    Readers {
        "add a comment" "add comment" "comments" "customer reviews" "join the conversation" "leave a comment"
        "leave a reply" "add a review" "post a comment" "reader interactions" "tell us what you think" "user reviews"
        "view comments" "kommentare" "kommentar schreiben" "schreibe einen kommentar" "leserkommentare"
        "kommentar hinterlassen" "commentaires" "laisser un commentaire" "réagir à cet article" "comentarios"
        "deja un comentario" "deja una respuesta" "comentários" "deixe um comentário" "deixe uma resposta" "commenti"
        "lascia un commento" "reacties" "geef een reactie" "plaats een reactie" "komentarze" "dodaj komentarz"
        "kommentarer" "komentáře" "yorumlar" "комментарии" "комментарий" "оставить комментарий" "добавить комментарий"
        "добавить отзыв" "отзывы" "коментарі" "コメント" "コメントを残す" "评论" "发表评论" "發佈留言" "댓글" "التعليقات"
    }
    Call {
        "advertisement" "promoted" "sponsored" "add to cart" "add to list" "add to wishlist" "apply now" "back to top"
        "book a demo" "book now" "buy now"
        "choose options" "close" "contact sales" "contact us" "continue reading" "download now" "email" "expand"
        "explore" "explore now" "facebook" "filter" "filter by" "filters" "find out more" "get a demo" "get a quote"
        "get in touch" "get started" "go back" "hide" "instagram" "learn more" "like" "likes" "linkedin" "load more"
        "loading" "login" "log in to reply" "menu" "more details" "more information" "next" "next page" "options"
        "pinterest" "play" "play video" "previous" "quick shop" "quote" "read full story" "read more"
        "read the full story" "register" "reply" "reply to this topic" "report" "report inappropriate content"
        "request a demo" "request a quote" "sale" "save" "schedule a demo" "search" "see all" "see details"
        "see pricing" "share on pinterest" "share this on whatsapp" "shop now" "show less" "show more" "sign in"
        "sign up" "sold out" "sort by" "start free trial" "start now" "talk to an expert" "talk to sales"
        "try for free" "try it free" "try it now" "tweet" "twitter" "view all" "view details" "watch video" "whatsapp"
        "this slideshow requires javascript" "mehr erfahren" "en savoir plus" "leer más" "saiba mais" "подробнее"
        "читать далее" "поделиться" "teilen" "partager" "compartir" "compartilhar" "condividi" "udostępnij"
        "original poster" "create an account"
    }
    Tool {
        "source" "src" "view source" "show source" "toggle source" "click to toggle source" "source code" "view code"
        "edit" "edit page" "edit this page" "edit on github" "view on github" "improve this page" "suggest edits"
        "run" "run code" "collapse" "collapse all" "expand all" "permalink" "up" "top" "prev" "home" "contents"
        "index" "table of contents" "back" "forward"
    }
}

static INDEX: WordIndex<2048> = WordIndex::new(TEXTS);

/// What a text announces as a whole, whatever its case and the signs and numbers around it.
pub(super) fn announced(text: &str) -> Option<Phrase> {
    let words = text.trim_matches(|c: char| !c.is_alphabetic());
    let found = if words.is_ascii() {
        INDEX.find(TEXTS, words.as_bytes())
    } else {
        INDEX.find(TEXTS, words.to_lowercase().replace('\u{2019}', "'").as_bytes())
    };
    found.and_then(|at| PHRASES.get(at).copied())
}

/// A line that leads to another page: `Related: ...`.
pub(super) fn leads_elsewhere(text: &str) -> bool {
    text.split_once(':').is_some_and(|(start, _)| {
        start.len() < LONGEST
            && (announced(start) == Some(Phrase::Elsewhere) || announced(start) == Some(Phrase::Call))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_numbers_and_case_do_not_matter() {
        assert_eq!(announced("12 Comments:"), Some(Phrase::Readers));
        assert_eq!(announced("You may also like\u{2026}"), Some(Phrase::Elsewhere));
        assert_eq!(announced("Editor\u{2019}s picks"), Some(Phrase::Elsewhere));
        assert_eq!(announced("ЧИТАЙТЕ ТАКЖЕ"), Some(Phrase::Elsewhere));
        assert_eq!(announced("Learn more \u{2192}"), Some(Phrase::Call));
        assert_eq!(announced("Comments on the draft"), None);
        assert_eq!(announced(""), None);
        assert!(leads_elsewhere("Related: The second part") && !leads_elsewhere("Note: see the second part"));
        assert!(TEXTS.iter().all(|text| text.len() <= LONGEST));
    }
}
