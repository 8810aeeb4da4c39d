"""What the loop is worth: the gold turns that each walk observes, beside one retrieval, at equal observed tokens.

What counts as observed is everything that a run puts before its reader: raw turns with their speakers, dates and captions, the
headers over them, metadata entries, notices, text read from pictures. All of it is charged by the project's token measure, also
what a later step shows again. A gold turn counts where it was shown whole.

Tokens can be equal in several ways, and they answer different questions:

- *capped*: each question's first N tokens in the order observed, for every system. A loop that stops early is not given more, and so reads
  less than N in the mean: *capped, equal in sum* is against one retrieval that is given that mean for every question.
- *equal in sum*: the loop as it is run, which spends little where it finds enough and more where it does not, against one
  retrieval that is given the loop's mean for every question. Both read as many tokens over the whole file.
- *equal each*: one retrieval that is given, question by question, what the loop spent there: it profits from the loop's own
  judgement of what is hard, so that only the choice of turns is compared.

No model is asked: the extractive policy walks. What a model would be told is rendered all the same, and its tokens counted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from langrecall.evals.loop.observed import Observed
from langrecall.evals.retrieval.measure import Data, asked, subject_of
from langrecall.evals.retrieval.results import Subject
from langrecall.evals.transcripts import Transcript
from langrecall.evals.walks import walked
from langrecall.graphs.recall import create_recall_graph
from langrecall.loaders.questions import BenchmarkQuestion
from langrecall.policies.base import AnswerRequest, Draft, Judgement, JudgeRequest, ReasonRequest, Reply, Step
from langrecall.policies.extractive.policy import ExtractivePolicy
from langrecall.policies.model.messages import answer_messages, judge_messages, reason_messages
from langrecall.rendering import text_tokens
from langrecall.settings import Settings, resolve
from langrecall.stores.base import HistoryMemory, HistoryStore, Search

ONE_SHOT = "one_shot"
ONE_SHOT_MEAN = "one_shot_equal_in_sum"
ONE_SHOT_EACH = "one_shot_equal_each"
ONE_SHOT_CAPPED = "one_shot_equal_in_sum_capped"
LOOP = "combined"
_ENTRY_SHARE = 10
"""One part in so many of the first observation is left to the entries where the loop is switched off and the rest is raw turns."""


@dataclass
class Telling(ExtractivePolicy):
    """The extractive policy, and what a model in its place would have been told, in tokens a call."""

    told: list[int] = field(default_factory=list)

    def reason(self, request: ReasonRequest) -> Reply[Step]:
        """As the extractive policy."""
        self._tell(reason_messages(request))
        return super().reason(request)

    def judge(self, request: JudgeRequest) -> Reply[Judgement]:
        """As the extractive policy."""
        self._tell(judge_messages(request))
        return super().judge(request)

    def answer(self, request: AnswerRequest) -> Reply[Draft]:
        """As the extractive policy."""
        self._tell(answer_messages(request))
        return super().answer(request)

    def _tell(self, messages: Sequence[Any]) -> None:
        self.told.append(sum(text_tokens(message.text) for message in messages))


class Run(NamedTuple):
    """One question to one system: what was observed, the calls and prompt tokens a model would have cost, the nodes in order."""

    subject: Subject
    system: str
    observed: Observed
    gold: tuple[str, ...]
    source_ids: Mapping[str, str | None]
    prompts: tuple[int, ...] = ()
    nodes: tuple[str, ...] = ()
    stop_reason: str = ""


class Asking(NamedTuple):
    """A question where it is asked."""

    history: HistoryStore
    data: Data
    question: BenchmarkQuestion
    transcript: Transcript

    def run(self, system: str, observed: Observed) -> Run:
        """What a system observed here."""
        named = [*observed.turns, *self.question.evidence]
        ids = {turn: self.transcript.turns[turn].source_id for turn in named}
        return Run(subject_of(self.data, self.question), system, observed, self.question.evidence, ids)


def walks_for(tokens: int) -> dict[str, Settings]:
    """The walks that are compared; with the loop off, `combined` is also given the whole budget at once."""
    full = {"rollout": False, "observation_tokens": tokens, "raw_floor_tokens": tokens - tokens // _ENTRY_SHARE}
    return {
        LOOP: Settings(preset="combined"),
        "combined_no_rollout": Settings(preset="combined", rollout=False),
        "combined_no_rollout_full": Settings.of({"preset": "combined", **full}),
        "t2mem": Settings(preset="t2mem"),
        "memcot": Settings(preset="memcot"),
    }


def run_loop(
    memory: HistoryMemory, data: Data, walks: Mapping[str, Settings], *, tokens: int, advance: Callable[[int], None]
) -> list[Run]:
    """Ask every question with evidence of every system; the histories must be stored under their own names.

    `advance` is told of each question asked.
    """
    runs: list[Run] = []
    for loaded in data.benchmark.histories:
        history = memory.at(loaded.name or "history")
        transcript = Transcript.of(loaded.sessions)
        policy = Telling()
        graphs = {name: create_recall_graph(history, policy, settings=chosen) for name, chosen in walks.items()}
        for question in asked(data.benchmark, loaded):
            if question.evidence:
                asking = Asking(history, data, question, transcript)
                found = {name: _walk(asking, graph, policy, name, walks[name]) for name, graph in graphs.items()}
                spent = found[LOOP].observed.tokens if LOOP in found else tokens
                runs += [*found.values(), one_shot(asking, ONE_SHOT, tokens), one_shot(asking, ONE_SHOT_EACH, spent)]
            advance(1)
    return runs


def run_equal_in_sum(memory: HistoryMemory, data: Data, runs: Sequence[Run], *, tokens: int) -> list[Run]:
    """One retrieval for each question, with the mean of what the loop spent on all, and of what it spent of its first `tokens`."""
    spent = [run.observed.tokens for run in runs if run.system == LOOP and not run.subject.apart]
    capped = [min(each, tokens) for each in spent]
    means = {ONE_SHOT_MEAN: sum(spent) // max(len(spent), 1), ONE_SHOT_CAPPED: sum(capped) // max(len(spent), 1)}
    found: list[Run] = []
    for loaded in data.benchmark.histories:
        history = memory.at(loaded.name or "history")
        transcript = Transcript.of(loaded.sessions)
        for question in asked(data.benchmark, loaded):
            if question.evidence:
                asking = Asking(history, data, question, transcript)
                found += [one_shot(asking, name, mean) for name, mean in means.items()]
    return found


def one_shot(asking: Asking, name: str, tokens: int) -> Run:
    """`search_turns` with a budget, and nothing else."""
    search = Search(asking.question.question, tokens=tokens, before=asking.question.query_time)
    hits = asking.history.search_turns(search)
    return asking.run(name, Observed.at_once([hit.id for hit in hits], asking.transcript))


def _walk(asking: Asking, graph: Any, policy: Telling, name: str, settings: Settings) -> Run:  # noqa: ANN401 - a compiled graph
    policy.told.clear()
    when = asking.question.query_time
    state, nodes = walked(graph, asking.question.question, query_time=when.isoformat() if when else None)
    grounded = resolve(settings).time_grounding
    observed = Observed.of(state["observation"], asking.transcript, grounded=grounded)
    return asking.run(name, observed)._replace(
        prompts=tuple(policy.told), nodes=tuple(nodes), stop_reason=state["stop_reason"]
    )
