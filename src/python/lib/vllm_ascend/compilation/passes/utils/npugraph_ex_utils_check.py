"""extra_checks for the graph compiler, and registration of patterns with it."""

from vllm_ascend.logger import init_logger

logger = init_logger(__name__)
_registered_patterns = set()


def extra_stream_scope_check(match):
    """True if all calls of a match have the same stream label, or none: a fused operator runs on one stream."""
    labels = {node.meta.get("stream_label") for node in match.nodes if node.op == "call_function"}
    if len(labels) <= 1:
        return True
    logger.debug("a match spans several streams: %s", labels)
    return False


def check_and_register_fusion_pass(pattern_class, **kwargs):
    """Creates and registers a pattern for each epsilon."""
    key = (pattern_class.__name__, kwargs.get("eps", 1e-6))
    if key not in _registered_patterns:
        pattern_class(**kwargs).register()
        _registered_patterns.add(key)
