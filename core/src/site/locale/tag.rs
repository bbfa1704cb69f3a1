//! Language tags, as addresses write them.

/// Languages that sites name folders after (ISO 639-1), by their two letters.
const CODES: &[&str] = &[
    "af", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et",
    "eu", "fa", "fi", "fr", "ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka",
    "kk", "km", "kn", "ko", "lt", "lv", "mk", "ml", "mn", "mr", "ms", "my", "nb", "ne", "nl", "nn", "no",
    "pa", "pl", "pt", "ro", "ru", "si", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "th", "tl", "tr",
    "uk", "ur", "uz", "vi", "zh",
];

/// How long each of them is.
const CODE_BYTES: usize = 2;

/// A language tag as addresses write it: `de`, `en-us`, `zh_Hans`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Two letters, lower case.
    pub(super) primary: String,
    /// Region or script, lower case.
    pub(super) region: Option<String>,
}

/// Countries and territories (ISO 3166-1 alpha-2), and `uk` and `eu`, which sites use beside them.
const REGIONS: &str = "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt \
    bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et eu fi fj fk \
    fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm \
    jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms \
    mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw \
    sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk \
    um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw";

impl Tag {
    /// Reads `de`, `de-AT`, `zh_hans`; `None` for everything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (primary, region) = match text.split_once(['-', '_']) {
            Some((primary, region)) => (primary, Some(region)),
            None => (text, None),
        };
        if primary.len() != CODE_BYTES {
            return None;
        }
        let primary = match primary.to_ascii_lowercase() {
            // The two ways to write Norwegian.
            code if matches!(code.as_str(), "nb" | "nn") => String::from("no"),
            code => code,
        };
        let region_fits = region.is_none_or(|r| {
            let r = r.to_ascii_lowercase();
            matches!(r.as_str(), "hans" | "hant" | "latn" | "cyrl" | "419")
                || r.len() == 2 && REGIONS.split(' ').any(|region| region == r)
        });
        (CODES.contains(&primary.as_str()) && region_fits)
            .then(|| Self { primary, region: region.map(str::to_ascii_lowercase) })
    }

    /// A page in this language suits a reader of `wanted`.
    pub(super) fn suits(&self, wanted: &Self) -> bool {
        let regions_agree = match (&self.region, &wanted.region) {
            (Some(mine), Some(theirs)) => mine == theirs,
            _ => true,
        };
        self.primary == wanted.primary && regions_agree
    }
}
