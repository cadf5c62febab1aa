"""torch._functorch.aot_autograd: what backends of torch.compile take from it. Graphs are not traced again, and nothing compiles."""

import functools

from _fusescope import partial_modules as _partial


def make_boxed_func(f):
    """A function of one list of arguments."""

    @functools.wraps(f)
    def boxed(args):
        return f(*args)

    boxed._boxed_call = True
    return boxed


def make_boxed_compiler(compiler):
    @functools.wraps(compiler)
    def boxed_compiler(fx_g, inps):
        return compiler(fx_g, inps)

    return boxed_compiler


def aot_module_simplified(mod, args, fw_compiler, bw_compiler=None, partition_fn=None, decompositions=None, **kwargs):
    """The forward compiler receives the shown graph as it is."""
    return fw_compiler(mod, args)


JointWithDescriptors = _partial.refused(
    f"{__name__}.JointWithDescriptors", reason="no model is traced, so a joint graph has no descriptors; open its print"
)


aot_export_joint_with_descriptors, aot_compile_joint_with_descriptors, aot_export_module, aot_export_joint_simple = (
    _partial.refused_functions(
        __name__,
        "a dump has no model to trace; open the print of the joint graph",
        "aot_export_joint_with_descriptors",
        "aot_compile_joint_with_descriptors",
        "aot_export_module",
        "aot_export_joint_simple",
    )
)

__getattr__ = _partial.of_pytorch(__name__)
