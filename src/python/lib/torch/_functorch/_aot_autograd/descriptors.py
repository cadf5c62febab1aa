"""What an input or an output of a joint graph is: the objects of node.meta["desc"], equal by value."""

import dataclasses


class _Described:
    _text = None

    def expr(self):
        """The Python expression of the value: `self.get_parameter('w')`."""
        if self._text is None:
            raise NotImplementedError("Subclasses must implement expr()")
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return self._text.format(**{k: v.expr() if isinstance(v, _Described) else v for k, v in values.items()})


class AOTInput(_Described):
    def is_param(self):
        return False

    def is_buffer(self):
        return False

    def is_tangent(self):
        return False


class AOTOutput(_Described):
    def is_grad(self):
        return False


class DifferentiableAOTInput(AOTInput):
    pass


class DifferentiableAOTOutput(AOTOutput):
    pass


def _kind(name, base, text, *fields, **methods):
    """A frozen dataclass."""
    namespace = {"_text": text, **{method: (lambda self, a=answer: a) for method, answer in methods.items()}}
    made = dataclasses.make_dataclass(name, fields, bases=(base,), namespace=namespace, frozen=True)
    made.__module__ = __name__
    globals()[name] = made
    return made


_IN, _OUT = DifferentiableAOTInput, DifferentiableAOTOutput
_kind("ParamAOTInput", _IN, "self.get_parameter({target!r})", "target", is_param=True)
_kind("BufferAOTInput", _IN, "self.get_buffer({target!r})", "target", is_buffer=True)
_kind("DummyAOTInput", AOTInput, "__dummy{idx}", "idx")
_kind("PlainAOTInput", _IN, "args[{idx}]", "idx")
_kind("SubclassSizeAOTInput", AOTInput, "{base}.size({idx})", "base", "idx")
_kind("SubclassStrideAOTInput", AOTInput, "{base}.stride({idx})", "base", "idx")
_kind("ViewBaseAOTInput", _IN, "{base_of}._base", "base_of")
_kind("SyntheticBaseAOTInput", _IN, "__make_synthetic_base({base_of})", "base_of")
_kind("PhiloxForwardSeedAOTInput", AOTInput, "__philox_forward_seed")
_kind("PhiloxForwardBaseOffsetAOTInput", AOTInput, "__philox_forward_base_offset")
_kind("PhiloxBackwardSeedAOTInput", AOTInput, "__philox_backward_seed")
_kind("PhiloxBackwardBaseOffsetAOTInput", AOTInput, "__philox_backward_base_offset")
_kind("ForwardTokenAOTInput", AOTInput, "__forward_token{idx}", "idx")
_kind("BackwardTokenAOTInput", AOTInput, "__backward_token{idx}", "idx")
_kind("TangentAOTInput", _IN, "__output_tangent({output})", "output", is_tangent=True)
_kind("PlainAOTOutput", _OUT, "output[{idx}]", "idx")
_kind("InputMutationAOTOutput", _OUT, "__input_mutation({mutated_input})", "mutated_input")
_kind("IntermediateBaseAOTOutput", _OUT, "__intermediate_base({base_of})", "base_of")
_kind("MetadataMutationAOTOutput", _OUT, "__aliased_arg_with_metadata_mutation{idx}", "idx")
_kind("GradAOTOutput", _OUT, "__grad({grad_of})", "grad_of", is_grad=True)
_kind("PhiloxUpdatedForwardOffsetAOTOutput", AOTOutput, "__philox_updated_forward_offset")
_kind("PhiloxUpdatedBackwardOffsetAOTOutput", AOTOutput, "__philox_updated_backward_offset")
_kind("ForwardTokenAOTOutput", AOTOutput, "__forward_token{idx}", "idx")
_kind("BackwardTokenAOTOutput", AOTOutput, "__backward_token{idx}", "idx")
_kind("SubclassSizeAOTOutput", AOTOutput, "{base}.size({idx})", "base", "idx")
_kind("SubclassStrideAOTOutput", AOTOutput, "{base}.stride({idx})", "base", "idx")
_kind("DummyAOTOutput", AOTOutput, "__dummy{idx}", "idx")
_kind("SavedForBackwardsAOTOutput", AOTOutput, "__saved_for_backwards_{idx}", "idx")
_kind("SavedForBackwardsNoVcCheckAOTOutput", AOTOutput, "__saved_for_backwards_no_vc_check_{idx}", "idx")


class SubclassGetAttrAOTInput(_kind("SubclassGetAttrAOTInput", AOTInput, "{base}.{attr}", "base", "attr")):
    def is_param(self):
        return self.base.is_param()

    def is_buffer(self):
        return self.base.is_buffer()

    def is_tangent(self):
        return self.base.is_tangent()


class SubclassGetAttrAOTOutput(_kind("SubclassGetAttrAOTOutput", AOTOutput, "{base}.{attr}", "base", "attr")):
    def is_grad(self):
        return self.base.is_grad()
