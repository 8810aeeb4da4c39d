"""What English words do in a sentence, as far as finding noun phrases needs to know, and whether a text is English at all."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from langrecall.language.verbs import IRREGULAR_PAST
from langrecall.language.words import STOP_WORDS, fold


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS = _set(
    "a an the this these those my our your his her their its some any each every another several many few"
)
PREPOSITIONS = _set(
    "of in on at for with about from into by like through during after before around near without between over under against toward"
    " towards via including as than up out off down"
)
"""Particles among them: after `check out` as after `look into` comes what it is done to."""

OBJECTS = _set("me you him her it us them myself yourself himself herself themselves ourselves yourselves")
"""A word right before one of these is its verb."""

LEADING_TO = _set(
    "go goes going went gone been come came coming back trip trips move moved moving drove invited welcome listen listening over"
    " allergic close due according next"
)
"""After these, `to` leads to a place or a thing, and after others to a verb."""

EITHER = _set(
    "support work plan plans show shows play plays change changes visit talk talks run runs help offer build read reading share set face"
    " bond search handle watch research"
)
"""Verbs that are nouns after a determiner, or after a noun in the singular."""

VERBS = (
    EITHER
    | IRREGULAR_PAST
    | _set(
        "love loves loved loving like likes liked enjoy enjoys enjoyed enjoying want wants wanted need needs needed try tries tried"
        " trying make makes making take takes taking use uses used using start starts started starting stop stopped join joins joined"
        " joining learn learns learned learning helps helped helping do does did doing done have has had having give gives giving bring"
        " brings bringing keep keeps keeping find finds finding see sees seeing meet meets meeting buy buys buying include includes"
        " inspire inspires inspired remember miss missed hope hopes hoping planned planning watched watching played playing visited"
        " visiting shared sharing showed showing tell tells telling ask asks asked asking call called supports supported supporting"
        " create creates created creating explore explored exploring appreciate know knows knowing think thinks thinking say says"
        " saying look looking come comes coming go goes going let lets put puts leave leaves leaving live lives lived living worked"
        " working talked talking happen happened happens believe decide decided deciding mean means understand wish wishes agree guess"
        " bet imagine wonder hear hears hearing check checked checking turn turned changed changing add added follow offered provide"
        " provides provided facing reach reached builds spend spends spending teach teaches remind reminds reminded consider considering"
        " consult engage engaging reduce reducing promote promoting ensure ensuring encourage encouraging avoid avoiding improve improving"
        " increase increasing choose choosing allow allowing require requires prevent preventing maintain maintaining"
    )
)

_STATES = _set(
    "am is are was were be been being get gets getting got feel feels feeling felt seem seems become becomes became stay stays stayed"
    " staying looks sound sounds"
)
# Adverbs, greetings, words of praise and of time: none of them stands in a noun phrase or leads up to one.
_OTHERS = _set(
    "also always already almost away ever even never often sometimes soon still today tomorrow tonight yesterday together maybe perhaps"
    " really quite rather much else yet ago later recently lately well yes yeah yep nope okay ok oh wow hey hi hello bye thanks"
    " thank please sure sorry glad happy excited proud sad would could should might must shall may can will cannot gonna wanna gotta"
    " kinda sorta cause till once twice though although unless since whether however instead besides alone anyway lol haha hmm yup"
    " omg ahead across along among within last next outside inside despite earlier actually per upon beyond whose onto everywhere"
    " anywhere somewhere here there too back forward indeed"
)
ENDS = (STOP_WORDS | _OTHERS | _STATES) - DETERMINERS - PREPOSITIONS - VERBS - _set("and or own other same such")
"""After these comes a verb or what is said of a subject, if anything."""

EMPTY_MODIFIERS = _set(
    "good great nice new old big little small best better same other such whole entire real own amazing awesome wonderful fantastic"
    " incredible beautiful lovely cool fun special important different certain first second third last next pretty super"
    " various main long short huge tiny favorite favourite perfect two three four five six seven eight nine ten dozen couple"
    " interesting fascinating inspiring challenging rewarding exciting relaxing upcoming recent busy hard tough easy right"
    " least enough crazy bad worst full ready usual total simple particular overall true past future loving similar helpful"
)
"""Praise and measure around a noun: what is asked about does not need them."""

EMPTY_HEADS = _set(
    "thing things stuff something anything everything nothing someone anyone everyone somebody anybody everybody lot lots way ways kind"
    " kinds sort sorts type types bit bunch couple part parts piece pieces side sides case point points fact idea ideas reason reasons"
    " time times day days week weeks weekend weekends month months year years hour hours minute minutes moment moments morning evening"
    " afternoon night nights summer winter spring autumn today tomorrow people person guy guys folks man one ones place places end start"
    " rest top number amount example matter question questions answer word words sense chance course while luck thought thoughts news"
    " steps step difference self others way life world heart mind minds deal level mood vibe vibes touch hand hands care cause"
    " monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october"
    " november december ton tons load loads sight feeling feelings experience experiences photo photos picture pictures pic pics image"
    " images photography problem problems"
)
"""Heads that name nothing one could ask about."""

ADJECTIVES = _set(
    "creative safe strong present sweet optimistic open aware calm honest alive positive negative emotional physical mental personal"
    " healthy tired thrilled grateful nervous scared worried anxious angry upset lonely curious confident comfortable familiar"
    " available possible impossible ready free fresh weird funny silly scary cute warm cold hot wet dry dark bright loud quiet deep high"
    " low early late fast slow young local social public private common rare unique vital key worth human true false wrong natural"
    " authentic genuine passionate supportive fulfilling therapeutic meaningful stressful peaceful magical cozy close further clear"
)
"""Words that say how something is: a phrase does not end in one."""

NO_ADVERBS = _set("family reply butterfly jelly belly lily assembly supply bully italy monopoly anomaly fly")
"""Nouns that end as adverbs do."""

_KNOWN = DETERMINERS | PREPOSITIONS | OBJECTS | VERBS | ENDS | EMPTY_MODIFIERS | EMPTY_HEADS | STOP_WORDS
_OTHER_LANGUAGES = ("GERMAN", "DUTCH", "FRENCH", "SPANISH", "PORTUGUESE", "ITALIAN", "SWEDISH", "NORWEGIAN", "TURKISH")
_TELLING = 3
"""Letters from which a word tells English from a language without a list: `do`, `i` and `to` are Polish too."""
_SHARE = 0.15
"""Telling words among all of an English text, far below what people write."""


def is_english(words: Sequence[str]) -> bool:
    """Whether a text, as folded words, has more words of English than of another language, and enough that are telling."""
    telling = sum(word in _KNOWN and len(word) >= _TELLING for word in words)
    return leads(words) and telling >= _SHARE * len(words)


def leads(words: Sequence[str]) -> bool:
    """Whether English has most of the common words, which a single turn of an English talk may be too short to tell otherwise."""
    found = Counter(language for word in words for language in _languages().get(word, ()))
    return found["ENGLISH"] > max((count for name, count in found.items() if name != "ENGLISH"), default=0)


@cache
def _languages() -> Mapping[str, list[str]]:
    from bm25s import stopwords  # after `words`, which keeps its import quiet

    lists = {name: map(fold, getattr(stopwords, f"STOPWORDS_{name}")) for name in _OTHER_LANGUAGES}
    spoken: dict[str, list[str]] = {}
    for name, words in {"ENGLISH": _KNOWN, **lists}.items():
        for word in frozenset(words):
            spoken.setdefault(word, []).append(name)
    return spoken
