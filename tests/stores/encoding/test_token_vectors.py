import numpy as np
import pytest
from numpy.typing import NDArray

from langrecall.stores.encoding.token_vectors import MOST, UNIT, Directions, TokenIndex, TokenVectors, packed, unpacked

PLANE = Directions(np.zeros(3, dtype=np.float32), np.eye(2, 3, dtype=np.float32))


def rows(*values: tuple[int, int]) -> TokenVectors:
    return np.array(values, dtype=np.int8).reshape(-1, 2)


def states(*values: tuple[float, float, float]) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32).reshape(-1, 3)


def test_a_token_keeps_its_direction_and_loses_its_length() -> None:
    made = PLANE.shorten([states((3, 4, 0), (0, -7, 0)), states(), states((0, 0, 2))])
    for found, expected in zip(made, [rows((76, 102), (0, -UNIT)), rows(), rows((0, 0))], strict=True):
        np.testing.assert_array_equal(found, expected)


def test_tokens_are_seen_from_the_middle() -> None:
    directions = Directions(np.array([1, 0, 0], dtype=np.float32), PLANE.spread)
    np.testing.assert_array_equal(directions.shorten([states((1, 0, 0), (0, 1, 0))])[0], rows((0, 0), (-90, 90)))


@pytest.mark.parametrize(("tokens", "kept"), [(0, 0), (1, 1), (MOST, MOST), (MOST + 1, 33), (300, 60)])
def test_neighbours_share_a_row_where_a_text_is_long(tokens: int, kept: int) -> None:
    spoken = np.tile(states((1, 0, 0)), (tokens, 1))
    spoken[tokens // 2 :] = (0, 1, 0)
    _, made = PLANE.shorten([states((1, 0, 0)), spoken])
    assert made.shape == (kept, 2)
    if kept:
        assert made[-1].tolist() == [0, UNIT]
        assert made[0].tolist() in ([UNIT, 0], [0, UNIT])


@pytest.mark.parametrize("vectors", [rows((1, -127), (0, 5)), rows()])
def test_packing_loses_nothing(vectors: TokenVectors) -> None:
    found = unpacked(packed(vectors))
    assert found.dtype == np.int8
    np.testing.assert_array_equal(found, vectors)


def test_each_token_asked_for_meets_the_nearest_of_each_text() -> None:
    index = TokenIndex.of([rows((UNIT, 0), (0, UNIT)), rows(), rows((0, -UNIT)), rows((UNIT, 0))])
    found = index.best(rows((UNIT, 0), (0, UNIT)), np.array([3, 1, 0, 2]))
    np.testing.assert_allclose(found, [[1, -1, 1, 0], [0, -1, 1, -1]])
    assert index.best(rows(), np.array([0, 1])).shape == (0, 2)
    np.testing.assert_allclose(index.best(rows((UNIT, 0)), np.array([1])), [[-1]])
