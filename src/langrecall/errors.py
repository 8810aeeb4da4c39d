"""Every error langrecall raises on purpose.

LangRecallError
├── InputError            a file, record or argument that cannot be used; says which, why and the mend
├── NamespaceError        a namespace that is missing, empty, unknown or not the bound one
├── EmbeddingMismatchError  a history made with another embedding model than the one it is opened with
├── MissingExtraError     an optional dependency that is not installed; names the `pip install`
├── StoreError            the history store could not read or write
│   ├── StoreUnavailableError   it may work again later (server gone, lock held); worth a retry
│   └── UnknownIdError          an id that names no session or turn of this history
├── ModelError            the model provider gave no usable reply
│   ├── ModelUnavailableError   it may work again later (no server, time-out, rate limit)
│   └── ModelConfigError        it never will as configured (no key, unknown model, not in the allow-list)
└── SettingsError         a setting that is unknown or out of its bounds
"""

__all__ = [
    "EmbeddingMismatchError",
    "InputError",
    "LangRecallError",
    "MissingExtraError",
    "ModelConfigError",
    "ModelError",
    "ModelUnavailableError",
    "NamespaceError",
    "SettingsError",
    "StoreError",
    "StoreUnavailableError",
    "UnknownIdError",
]


class LangRecallError(RuntimeError):
    """Base of all errors raised on purpose; `str(error)` is one line fit to show a person.

    A `RuntimeError`, because LangGraph's server passes on the words of built-in errors alone.
    """


class InputError(LangRecallError):
    """A file, record or argument cannot be used."""


class NamespaceError(LangRecallError):
    """A namespace is missing, empty, unknown, or not the one the history is bound to."""


class EmbeddingMismatchError(LangRecallError):
    """The history was made with another embedding model; `fault` says so without the mend, `spec` names that model (None: none)."""

    def __init__(self, message: str, *, fault: str = "", spec: str | None = None) -> None:
        super().__init__(message)
        self.fault = fault or message
        self.spec = spec


class MissingExtraError(LangRecallError, ImportError):
    """An optional dependency is not installed."""


class StoreError(LangRecallError):
    """The history store could not read or write."""


class StoreUnavailableError(StoreError):
    """The store does not answer now, and may later."""


class UnknownIdError(StoreError, KeyError):
    """An id names no session or turn of this history."""

    __str__ = Exception.__str__


class ModelError(LangRecallError):
    """The model provider gave no usable reply."""


class ModelUnavailableError(ModelError):
    """The model does not answer now, and may later."""


class ModelConfigError(ModelError):
    """The model cannot answer as it is configured."""


class SettingsError(LangRecallError):
    """A setting is unknown, out of its bounds, or contradicts another."""
