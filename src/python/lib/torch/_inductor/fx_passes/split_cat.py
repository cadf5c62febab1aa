"""What pass files take from torch._inductor.fx_passes.split_cat: the named passes that they register with."""

from torch._inductor.pattern_matcher import PatternMatcherPass
from . import names_of

_PRE_GRAD = """
    normalization_pass remove_split_with_size_one_pass merge_getitem_cat_pass merge_stack_tahn_unbind_pass merge_splits_pass
    mutate_cat_pass split_cat_pass unbind_stack_pass split_cat_to_slices_pass unbind_cat_to_view_pass split_stack_to_cats_pass
    unbind_stack_to_slices_pass move_reshape_out_of_split_stack_pass einsum_to_pointwise_pass
"""
_POST_GRAD = """
    normalization_aten_pass decompose_mm_pass unbind_stack_aten_pass shape_padding_multiplier pad_aten_mm_pass split_cat_aten_pass
    select_cat_aten_pass move_view_after_cat_aten_pass
"""
PRE_GRAD_PATTERNS = {name: PatternMatcherPass._of_library(f"split_cat.{name}", name) for name in _PRE_GRAD.split()}
POST_GRAD_PATTERNS = {name: PatternMatcherPass._of_library(f"split_cat.{name}", name) for name in _POST_GRAD.split()}


def construct_pattern_matcher_pass(pass_name):
    return PRE_GRAD_PATTERNS[pass_name] if pass_name in PRE_GRAD_PATTERNS else POST_GRAD_PATTERNS[pass_name]


__getattr__ = names_of(__name__)
