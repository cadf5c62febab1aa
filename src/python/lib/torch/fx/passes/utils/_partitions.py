"""Checks of the nodes that a partition holds."""


def validate_partition(partition):
    """False if a path leaves the nodes and comes back: fused, they would depend on themselves."""
    inside = set(partition)
    pending = [user for node in inside for user in node.users if user not in inside]
    seen = set()
    while pending:
        node = pending.pop()
        if node in inside:
            return False
        if node in seen:
            continue
        seen.add(node)
        pending.extend(user for user in node.users if user not in seen)
    return True
