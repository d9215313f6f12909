"""Games written in Python as a class."""

import pytest

import perfectplay


class Nim(perfectplay.PythonGame):
    impartial = True

    def __init__(self, *piles):
        self.piles = piles

    def start(self):
        return self.piles

    def moves(self, position, turn):
        for part, pile in enumerate(position):
            for taken in range(1, pile + 1):
                yield (part, taken), (*position[:part], pile - taken, *position[part + 1 :])


class Coins(perfectplay.PythonGame):
    def __init__(self, coins):
        self.coins = coins

    def start(self):
        return (0, len(self.coins))

    def end(self, position, turn):
        return (0, 0) if position[0] == position[1] else None

    def moves(self, position, turn):
        low, high = position
        for name, coin, rest in (("left", low, (low + 1, high)), ("right", high - 1, (low, high - 1))):
            gains = [0, 0]
            gains[turn] = self.coins[coin]
            yield name, rest, gains


class Round(perfectplay.PythonGame):
    """A token that may go round for ever."""

    def start(self):
        return 0

    def moves(self, position, turn):
        return [("on", (position + 1) % 3)]

    def end(self, position, turn):
        return None


@pytest.mark.parametrize("piles", [(1, 2), (1, 2, 3), (3, 4, 5), ()])
def test_nimbers_agree_with_rules(piles):
    solution = perfectplay.solve_class(Nim(*piles))
    assert solution.nimber == perfectplay.solve("nim", piles=list(piles)).nimber


def test_scores_agree_with_rules():
    for coins in ([5, 3, 7, 10], [1], [4, 9, 2, 2, 8]):
        solution = perfectplay.solve_class(Coins(coins))
        solved = perfectplay.solve("coins", coins=coins)
        assert (solution.value, solution.best_moves()) == (solved.value, solved.best_moves)
    assert perfectplay.solve_class(Coins([5, 3, 7, 10])).line() == ["right", "right", "left", "left"]


def test_other_positions_can_be_asked_about():
    solution = perfectplay.solve_class(Nim(3, 4, 5))
    assert solution.winner == "first" and solution.best_moves() == [(0, 2)]
    assert solution.best_moves((1, 1, 1), 1) == [(0, 1), (1, 1), (2, 1)]
    assert solution.best_moves((9, 9, 9)) == []


def test_endless_play():
    assert perfectplay.solve_class(Round()).winner == "draw"
    game = Round()
    game.forever = "second"
    assert perfectplay.solve_class(game).winner == "second"


def test_what_a_class_raises_is_raised():
    class Broken(Nim):
        def moves(self, position, turn):
            if sum(position) == 2:
                raise RuntimeError("here")
            yield from super().moves(position, turn)

    with pytest.raises(RuntimeError, match="here"):
        perfectplay.solve_class(Broken(3, 4))
    with pytest.raises(NotImplementedError):
        perfectplay.solve_class(perfectplay.PythonGame())


@pytest.mark.parametrize("moves", [[("a",)], [("a", 1, [1])], [("a", 1, None, 7)], [3], 5, [("a", [])]])
def test_moves_that_are_none(moves):
    class Odd(perfectplay.PythonGame):
        def start(self):
            return 0

        def moves(self, position, turn):
            return moves

        def end(self, position, turn):
            return None

    with pytest.raises((perfectplay.UsageError, TypeError)):
        perfectplay.solve_class(Odd())


def test_limits():
    class Long(perfectplay.PythonGame):
        def start(self):
            return 0

        def moves(self, position, turn):
            return [("on", position + 1)]

        def end(self, position, turn):
            return None

    with pytest.raises(perfectplay.LimitError):
        perfectplay.solve_class(Long(), time=0.3)
