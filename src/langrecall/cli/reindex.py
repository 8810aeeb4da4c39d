"""`langrecall reindex`: another embedding model for a history that is there."""

from time import perf_counter

from langrecall.cli import options, output
from langrecall.cli.output import counted, say
from langrecall.cli.progress import counting


def reindex(
    db: options.Database,
    namespace: options.Namespace,
    embeddings: options.EmbeddingModel,
    as_json: options.Json = False,
) -> None:
    """Embed a history anew with another model; no session is described again, and the old index answers until the new one is whole."""
    from langrecall.cli.histories import LEXICAL, existing
    from langrecall.stores.chroma.history import ChromaHistory

    started = perf_counter()
    with ChromaHistory.open(db, embeddings=None if embeddings == LEXICAL else embeddings) as memory:
        count = 0 if memory.is_unfinished(namespace) else len(existing(db, namespace, LEXICAL).sessions())
        with counting("Reindexing", count) as advance:
            done = memory.reindex(namespace, on_sessions=advance)
        model = memory.embedding_model(namespace)
    seconds = round(perf_counter() - started, 3)
    if as_json:
        output.emit({"sessions": done, "embeddings": embeddings, "seconds": seconds})
    else:
        say(output.results(), (counted(done, "session"), "bold"), f" with {model} · {seconds:.1f} s", indent=2)
