"""A question taken apart by its words: what it is about, whom it names, and the kind of thing it asks for."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

from langrecall.language.names import CAPITAL, NAME, name_words
from langrecall.language.verbs import base_terms
from langrecall.language.words import fold, words_of

Kind = Literal["when", "clock", "where", "who", "name", "money", "length", "number", "job", "other"]

# A question that asks for a name as a place does: an answer gives it.
_NAMED = "city|country|town|street|hospital|school|university|hotel|restaurant|company|band|team"
_PAID = "money|pay|paid|costs?|spend|spent|earn(?:ed)?|rent|get|got|worth|price"

KINDS: tuple[tuple[Kind, str], ...] = (
    ("clock", r"\b(?:at )?what time\b"),
    (
        "when",
        r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|season)\b"
        r"|\bhow long (?:ago|has|have|did|was|were|will)\b|birthday",
    ),
    ("name", rf"\bnames?\b|\bcalled\b|\b(?:what|which) (?:{_NAMED})\b"),
    ("job", r"\bfor a living\b|\b(?:what|which) (?:job|work|profession|occupation)\b|\bfor work\b"),
    ("where", r"\bwhere\b|\b(?:what|which) (?:place|state|region|part)\b"),
    ("who", r"\bwho(?:se|m)?\b"),
    ("money", rf"\bhow much\b.*\b(?:{_PAID})\b|\b(?:price|cost|rent)\b"),
    ("length", r"\bhow (?:long|far|tall|high|wide|big|deep)\b"),
    ("number", r"\bhow (?:many|much|old|often)\b|\bwhat (?:number|percentage)\b"),
)
_KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in KINDS)

_TYPE_NOUN = re.compile(r"\b(?:what|which)(?: (?:kind|sort|type|part|piece)s? of)? (\w+)", re.IGNORECASE)
# "did Ada move", "couldn't Ada's pupils travel": what is asked of the subject.
_VERB = re.compile(
    r"\b(?:do|does|did|will|would|can|could|should|has|have|had|is|was|were)(?:n['\u2019]t)?"
    rf" (?:{NAME}(?:['\u2019]s \w+)?(?: and (?={CAPITAL}))?)+ (\w+)|\bto (\w+)"
)

# Words that questions are made of rather than about.
_LIGHT = frozenset(
    base_terms(
        "say says said tell told mention mentioned talk talked ask asked discuss discussed describe described go goes went gone "
        "going do does did done doing get got have had make made take took taken think thought feel felt like liked want wanted "
        "use used kind kinds type types sort part thing things time times date dates day month year name names named called many "
        "much long often ago recently recent currently current first last next might likely conversation happen happened give "
        "gave given come came look looked well whose must old away find found place work works money paid pay living "
        "spend spent decide decided plan planned start started become became someone anyone"
    )
)


@dataclass(frozen=True)
class Asked:
    """`terms` is what the question is about, `names` those of them that are proper names of others than its speakers.

    `people` are the speakers it names, `answer_type` the term of the noun after "which" or "what", which answers seldom repeat,
    `verbs` what it asks of its subject, which answers often put in other words.
    """

    terms: frozenset[str]
    names: frozenset[str]
    people: frozenset[str]
    answer_type: frozenset[str]
    verbs: frozenset[str]
    kind: Kind

    @classmethod
    def of(cls, query: str, speakers: Iterable[str]) -> Self:
        """Names of speakers are people and no terms; light words are terms only where nothing else is left."""
        known = list(speakers)
        people = frozenset(speaker for speaker in known if names(query, speaker))
        spoken = {term for speaker in known for term in base_terms(speaker)}
        every = frozenset(base_terms(query)) - spoken
        about = every - _LIGHT or every
        kind: Kind = next((kind for kind, pattern in _KINDS if pattern.search(query)), "other")
        proper = frozenset(term for name in name_words(query) for term in base_terms(name))
        nouns = frozenset(term for noun in _TYPE_NOUN.findall(query) for term in base_terms(noun))
        verbs = frozenset(term for match in _VERB.findall(query) for word in match for term in base_terms(word))
        return cls(about, about & proper, people, (about & nouns) - proper, (about & verbs) - proper, kind)

    def weights(self) -> dict[str, float]:
        """How much each term counts, adding up to 1: all names together as much as one word, the answer's type and verbs less."""
        raw = {term: self._weight(term) for term in self.terms}
        raw |= {name: 1 / len(self.names) for name in self.names}
        whole = sum(raw.values()) or 1.0
        return {term: weight / whole for term, weight in raw.items()}

    def _weight(self, term: str) -> float:
        if term in self.answer_type:
            return 0.4
        return 0.5 if term in self.verbs else 1.0


def names(text: str, person: str) -> bool:
    """Whether a text names a person; of a chat with an assistant, `I` is the user and `you` the assistant."""
    said = set(words_of(text))
    if person in ("user", "assistant"):
        return bool(said & (FIRST_PERSON if person == "user" else SECOND_PERSON))
    return any(part in said for part in fold(person).split() if len(part) > 1)


FIRST_PERSON = frozenset(("i", "my", "me", "mine", "myself", "we", "our", "us", "ours"))
SECOND_PERSON = frozenset(("you", "your", "yours", "yourself"))
