"""The classes of torch._inductor.pattern_matcher that the recorder wraps."""

MULTIPLE = object()


class PatternExpr:
    def match(self, node):
        return None


class MultiOutputPattern(PatternExpr):
    pass


class PatternEntry:
    extra_check = None

    def __init__(self, handler):
        self.handler, self.pattern = handler, PatternExpr()

    def register(self, passes):
        passes.patterns.setdefault(("call_function", "add"), []).append(self)

    def apply(self, match, graph, node):
        return None


class ReplacementPatternEntry(PatternEntry):
    pass


class PatternMatcherPass:
    raised = None

    def __init__(self):
        self.patterns = {}

    def apply(self, graph):
        if self.raised is not None:
            raise self.raised
        return 0


def fx_to_pattern(gm, *args, **kwargs):
    return PatternExpr()
