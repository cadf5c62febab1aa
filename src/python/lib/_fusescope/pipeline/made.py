"""When user code made its passes, among all passes of the run."""
classes = set()  # classes that were instantiated in this run


def noted(made):
    """The object, with its place in the order of the passes."""
    from torch._inductor.pattern_matcher import PatternMatcherPass

    classes.update(type(made).__mro__)
    made._made_after = PatternMatcherPass.made
    return made
