"""torch._export.pass_infra.node_metadata: a copy of a node's metadata, for the node that a pass makes in its place."""

# What describes the value itself, and so belongs to the new node's own run.
PROTECTED_KEYS = {"val", "stack_trace", "nn_module_stack", "debug_handle", "tensor_meta"}


class NodeMetadata:
    def __init__(self, data):
        self.data = data.copy()

    def __getitem__(self, key):
        return self.data[key]

    def __setitem__(self, key, value):
        if key in PROTECTED_KEYS:
            raise RuntimeError(f"Could not override node key: {key}")
        self.data[key] = value

    def __contains__(self, key):
        return key in self.data

    def copy(self):
        return NodeMetadata(self.data.copy())
