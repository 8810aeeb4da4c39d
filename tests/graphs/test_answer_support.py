"""Each sentence of an answer is held against what it cites, mended once, and what is left is said."""

from typing import Any

import pytest

from langrecall.graphs.recall import create_recall_graph
from langrecall.state import RecallInput, SentenceSupport
from langrecall.stores.base import HistoryStore
from langrecall.testing import ScriptedChatModel

BEAGLE = {"text": "Mia's dog is called Bolt.", "sources": ["s1:2"], "quote": "He is called Bolt."}
KEPT: list[Any] = [
    {"reasoning": "", "memory": [BEAGLE], "missing": [], "action": "answer", "argument": ""},
    {"reasoning": "", "sufficient": True, "missing": [], "queries": [], "evolution": "none"},
]
TRUE, INVENTED = "The dog is called Bolt [1].", "It was bought in 2019 for 500 euros [1]."
QUERY = RecallInput(query="What is Mia's dog called?")


def asked(history: HistoryStore, *answers: str, **settings: Any) -> tuple[dict[str, Any], ScriptedChatModel]:
    model = ScriptedChatModel(replies=[*KEPT, *answers])
    state = create_recall_graph(history, model, settings={"zoom_out": False, **settings}).invoke(QUERY)
    return state, model


def verdicts(state: dict[str, Any]) -> list[tuple[str, str]]:
    found: list[SentenceSupport] = state["answer_support"]
    return [(each["text"], each["support"]) for each in found]


def test_what_is_borne_out_is_answered_at_once(history: HistoryStore) -> None:
    state, model = asked(history, TRUE)
    assert verdicts(state) == [(TRUE, "supported")]
    assert state["supported"]
    assert len(model.calls) == 3


def test_what_is_not_is_named_to_the_model_and_its_second_answer_taken(history: HistoryStore) -> None:
    state, model = asked(history, f"{TRUE} {INVENTED}", TRUE)
    assert (state["answer"], state["supported"]) == (TRUE, True)
    assert INVENTED in model.calls[-1].text
    assert "2019" in model.calls[-1].text
    assert state["usage"]["by_node"]["answer"]["calls"] == 2


def test_what_stays_unsupported_is_shown_as_such(history: HistoryStore) -> None:
    state, model = asked(history, f"{TRUE} {INVENTED}", f"{TRUE} {INVENTED}")
    assert verdicts(state) == [(TRUE, "supported"), (INVENTED, "unsupported")]
    assert not state["supported"]
    assert "2019" in state["answer_support"][1]["reason"]
    assert len(model.calls) == 4


def test_a_second_answer_that_says_more_that_is_not_borne_out_is_left(history: HistoryStore) -> None:
    state, _ = asked(history, f"{TRUE} {INVENTED}", f"{INVENTED} She paid 90 pounds in Oslo [1].")
    assert state["answer"] == f"{TRUE} {INVENTED}"


def test_the_second_answer_may_be_that_nothing_is_known(history: HistoryStore) -> None:
    state, _ = asked(history, INVENTED, "NOT IN MEMORY: the price")
    assert state["abstained"]
    assert (state["answer_support"], state["supported"]) == ([], False)


@pytest.mark.parametrize("settings", [{"repair_answer": False}, {"preset": "memcot", "view": False}], ids=str)
def test_it_is_not_asked_again_where_settings_say_so(history: HistoryStore, settings: dict[str, Any]) -> None:
    state, model = asked(history, INVENTED, **settings)
    assert verdicts(state) == [(INVENTED, "unsupported")]
    assert len(model.calls) == 3


def test_a_sentence_without_a_citation_is_unsupported(history: HistoryStore) -> None:
    state, _ = asked(history, f"{TRUE} He is brown.", f"{TRUE} He is brown.")
    assert state["answer_support"][1] == {
        "text": "He is brown.",
        "citations": [],
        "support": "unsupported",
        "reason": "it cites nothing",
    }


def test_without_raw_turns_nothing_can_be_checked(history: HistoryStore) -> None:
    state, _ = asked(history, "Bolt.", raw_data=False)
    assert verdicts(state) == [("Bolt.", "not_checkable")]
    assert not state["supported"]


def test_tokens_of_the_first_answer_are_streamed_and_the_verdict_comes_at_the_end(history: HistoryStore) -> None:
    model = ScriptedChatModel(replies=[*KEPT, f"{TRUE} {INVENTED}", TRUE])
    graph = create_recall_graph(history, model, settings={"zoom_out": False})
    tokens = ""
    last: Any = {}
    streamed: Any = graph.stream(QUERY, stream_mode=["messages", "updates"])
    for mode, part in streamed:
        if mode == "messages":
            tokens += part[0].text
        else:
            last = part
    assert tokens == f"{TRUE} {INVENTED}"
    assert last["answer"]["supported"]


def test_an_extractive_answer_is_borne_out_by_what_it_quotes(history: HistoryStore) -> None:
    state = create_recall_graph(history).invoke(QUERY)
    assert not state["abstained"]
    assert {support for _, support in verdicts(state)} == {"supported"}
