"""What torch.fx's rewriter did in a pass: how many places each call of replace_pattern replaced."""
from .. import frames

made = []  # of the pass that runs, in order: Rewrite


class Rewrite:
    """One call of replace_pattern."""

    def __init__(self, place, pattern, replacement, pattern_graph, matcher, count):
        self.place, self.pattern, self.replacement = place, pattern, replacement
        self.pattern_graph, self.matcher, self.count = pattern_graph, matcher, count


def report(gm, pattern, replacement, pattern_graph, matcher, count):
    made.append(Rewrite(frames.user_place(), pattern, replacement, pattern_graph, matcher, count))


def take():
    """The calls since the last one of take()."""
    found = list(made)
    made.clear()
    return found


def count():
    """The places that the calls since the last take() replaced; None without a call."""
    return sum(each.count for each in made) if made else None
