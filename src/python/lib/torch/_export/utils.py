"""torch._export.utils: the parameters, buffers and constants of an exported program, by the placeholders of its graph."""

from _fusescope import partial_modules as _partial


def _detect_fake_mode_from_gm(gm):
    from torch._guards import detect_fake_mode

    return detect_fake_mode()


def is_param(program, node):
    return node.name in program.graph_signature.inputs_to_parameters


def get_param(program, node):
    if not is_param(program, node):
        return None
    return program.state_dict[program.graph_signature.inputs_to_parameters[node.name]]


def is_buffer(program, node):
    return node.name in program.graph_signature.inputs_to_buffers


def get_buffer(program, node):
    if not is_buffer(program, node):
        return None
    name = program.graph_signature.inputs_to_buffers[node.name]
    is_transient = name in program.graph_signature.non_persistent_buffers
    return (program.constants if is_transient else program.state_dict)[name]


def is_lifted_tensor_constant(program, node):
    return node.name in program.graph_signature.inputs_to_lifted_tensor_constants


def get_lifted_tensor_constant(program, node):
    if not is_lifted_tensor_constant(program, node):
        return None
    return program.constants[program.graph_signature.inputs_to_lifted_tensor_constants[node.name]]


__getattr__ = _partial.of_pytorch(__name__, listed=False)
