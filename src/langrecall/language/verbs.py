"""Irregular English verbs, which a stemmer leaves apart: `broke` and `break` are one word to a question."""

from langrecall.language.words import terms, words_of

_FORMS = (
    "beat beaten|become became|begin began begun|bend bent|bite bit bitten|bleed bled|blow blew blown|break broke broken|bring brought|"
    "build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|cost|cut|deal dealt|dig dug|draw drew drawn|"
    "dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|"
    "fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|"
    "grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|learn learnt|"
    "leave left|lend lent|lose lost|make made|mean meant|meet met|pay paid|read|ride rode ridden|ring rang rung|rise rose risen|"
    "run ran|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|"
    "sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|stick stuck|"
    "strike struck|swear swore sworn|sweep swept|swim swam swum|take took taken|teach taught|tear tore torn|tell told|"
    "think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won|write wrote written"
)
_BASES = {form: verb.split()[0] for verb in _FORMS.split("|") for form in verb.split()}

_ALSO_ADJECTIVES = {"broken", "frozen", "hidden", "stuck", "written"}
IRREGULAR_PAST = frozenset(_BASES) - set(_BASES.values()) - _ALSO_ADJECTIVES
"""Past forms and participles that are no bases, such as `went` and `seen`; those that stand before nouns, as `broken` does, left out."""


def base_terms(text: str) -> list[str]:
    """The index terms of a text with irregular forms led back to their verbs."""
    return terms(" ".join(_BASES.get(word, word) for word in words_of(text)))
