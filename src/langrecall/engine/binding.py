"""Bind node bodies to a history, a policy and settings, and make them runnable both ways."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass, field
from reprlib import repr as short
from typing import Any, Generic, TypeAlias, TypeVar, cast

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.runtime import get_runtime

from langrecall.effects import arun, run
from langrecall.engine.beginning import check_version
from langrecall.engine.inputs import check_edited, check_question, check_sessions, of_parent, one_namespace
from langrecall.engine.run import IngestRun, Run
from langrecall.errors import InputError, ModelConfigError
from langrecall.ingest_state import IngestSettings
from langrecall.pictures.reader import Reader
from langrecall.policies.base import Policy
from langrecall.policies.choice import make_policy
from langrecall.settings import Settings, resolve
from langrecall.stores.base import HistoryMemory, HistoryStore

R = TypeVar("R", Run, IngestRun)


@dataclass(frozen=True, kw_only=True)
class Binding(ABC, Generic[R]):
    """What a graph was built with; `at` makes of it, with a run's context, what the nodes of that run work with.

    `model` is the name the policy was made from, if it was; `allowed` are the models that a run's context may name, None allows any.
    """

    history: HistoryStore | HistoryMemory
    policy: Policy
    reader: Reader
    model: str | None = None
    allowed: Collection[str] | None = None
    _policies: dict[str, Policy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what is no history where a graph is built, not where it is first asked."""
        if not hasattr(self.history, "search_turns") and not hasattr(self.history, "at"):
            raise InputError(f"history is {short(self.history)}: give ChromaHistory.open(...), or its .at(namespace)")

    @abstractmethod
    def at(self, context: object, emit: Callable[[Any], None]) -> R:
        """Resolve one run; raises `NamespaceError`, `SettingsError` or `ModelConfigError`."""

    def check(self, node: str, state: Mapping[str, Any]) -> None:
        """Refuse a state that the node cannot work on."""

    def store(self, namespace: str | None) -> HistoryStore:
        """The history of the run's namespace."""
        bound: str | None = getattr(self.history, "namespace", None)
        name = one_namespace(bound, namespace)
        return cast("HistoryStore", self.history) if bound else cast("HistoryMemory", self.history).at(name)

    def policy_for(self, model: str | None) -> Policy:
        """The graph's own policy, or the one of the model the context names."""
        if model in (None, self.model, self.policy.name):
            return self.policy
        if self.allowed is not None and model not in self.allowed:
            known = ", ".join(sorted(self.allowed)) or "none"
            msg = f"model {model!r} is not allowed here: the allowed models are {known}"
            raise ModelConfigError(msg)
        if model not in self._policies:
            self._policies[model] = make_policy(model)
        return self._policies[model]


@dataclass(frozen=True, kw_only=True)
class RecallBinding(Binding[Run]):
    """The binding of the recall graph."""

    settings: Settings

    def at(self, context: object, emit: Callable[[Any], None]) -> Run:
        """Merge preset < graph < run."""
        settings = self.resolved(context)
        return Run(self.store(settings.namespace), self.policy_for(settings.model), settings, emit, self.reader)

    def resolved(self, context: object) -> Settings:
        """The settings of a run with this context."""
        return resolve(self.settings, of_parent(context))

    def check(self, node: str, state: Mapping[str, Any]) -> None:
        """Refuse what is no question, and one that another version began; `retrieve` begins one of its own."""
        check_question(state)
        if node != "retrieve":
            check_version(state)
            check_edited(state)


@dataclass(frozen=True, kw_only=True)
class IngestBinding(Binding[IngestRun]):
    """The binding of the ingest graph."""

    settings: IngestSettings

    def at(self, context: object, emit: Callable[[Any], None]) -> IngestRun:
        """Merge graph < run."""
        settings = self.resolved(context)
        return IngestRun(self.store(settings.namespace), self.policy_for(settings.model), settings, emit, self.reader)

    def resolved(self, context: object) -> IngestSettings:
        """The settings of a run with this context."""
        return IngestSettings.of(self.settings.chosen() | IngestSettings.from_context(of_parent(context)))

    def check(self, node: str, state: Mapping[str, Any]) -> None:
        """Refuse what is no list of sessions; only `stage` is given one."""
        if node == "stage":
            check_sessions(state)


def run_context() -> object:
    """The context of the run under way; None where a router is asked outside of one, as when a state is edited for time travel."""
    runtime = get_runtime()
    return runtime.context if runtime else None


Body: TypeAlias = Coroutine[Any, Any, dict[str, Any]]
"""A node at work: what it will return is the state's update."""


class _Node(Runnable[Any, dict[str, Any]]):
    """What `begin` makes of a state, run both ways. LangGraph traces a node as a run of its own; this opens no second one."""

    def __init__(self, name: str, begin: Callable[[Any], Body]) -> None:
        self.name = name
        self._begin = begin

    # The arguments are those that LangChain names.
    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:  # noqa: A002, ANN401, ARG002
        return run(self._begin(input))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> dict[str, Any]:  # noqa: A002, ANN401, ARG002
        return await arun(self._begin(input))


def as_node(body: Callable[[Any, R], Body], binding: Binding[R]) -> Runnable[Any, dict[str, Any]]:
    """A node that runs `body` under `invoke` and `ainvoke` alike."""

    def begin(state: Any) -> Body:  # noqa: ANN401 - LangGraph hands over the state
        binding.check(body.__name__, state)
        runtime = get_runtime()
        return body(state, binding.at(runtime.context, runtime.stream_writer))

    return _Node(body.__name__, begin)
