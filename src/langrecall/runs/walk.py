"""Walk the recall graph, in one go or with a change of settings and model on the way."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph.state import CompiledStateGraph

from langrecall.errors import InputError
from langrecall.graphs.recall import create_recall_graph
from langrecall.policies.base import Policy
from langrecall.runs.recorder import Recorder
from langrecall.runs.replaying import UnrecordedRequestError
from langrecall.settings import Settings
from langrecall.state import RecallInput
from langrecall.stores.base import HistoryStore

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import RunnableConfig

Event = tuple[Literal["custom", "values"], Any]
Graph = CompiledStateGraph[Any, Any, Any, Any]


@dataclass(frozen=True)
class Stretch:
    """How the walk goes from reason step `from_step` on."""

    settings: Settings
    model: "str | BaseChatModel | Policy"
    from_step: int = 0


async def walk(
    history: HistoryStore, asked: RecallInput, stretches: Sequence[Stretch], recorder: Recorder
) -> AsyncIterator[Event]:
    """Stream a question's `custom` and `values` events, the recorder looking on.

    Each stretch is a graph of its own over one checkpointer: the one before is interrupted in front of `reason`, and the next resumes
    its thread. Raises `InputError` where a replay departs from its record.
    """
    saver = InMemorySaver() if len(stretches) > 1 else None
    config: RunnableConfig = {"callbacks": [recorder], "configurable": {"thread_id": "run"}}
    given: RecallInput | None = asked
    try:
        for stretch, after in zip(stretches, [*stretches[1:], None], strict=True):
            graph = create_recall_graph(history, stretch.model, settings=stretch.settings, checkpointer=saver)
            async for event in _until(after, graph, given, config):
                if event[0] == "values":
                    recorder.see(event[1])
                yield event
            given = None
    except UnrecordedRequestError as error:
        step = recorder.state.get("step", 0) + (error.node == "reason")
        raise InputError(
            f"step {step}: {error}: the history, the settings or langrecall itself are not what they were"
        ) from None


async def _until(
    after: Stretch | None, graph: Graph, given: RecallInput | None, config: "RunnableConfig"
) -> AsyncIterator[Event]:
    """Run up to the reason step at which the next stretch begins, or to the end."""
    while True:
        events = graph.astream(
            given, config, stream_mode=["custom", "values"], interrupt_before=["reason"] if after else None
        )
        async for event in cast("AsyncIterator[Event]", events):
            yield event
        if after is None:
            return
        reached = await graph.aget_state(config)
        if not reached.next:
            raise InputError(f"the run ended before step {after.from_step} this time: the history is not what it was")
        if reached.values["step"] + 1 >= after.from_step:
            return
        given = None
