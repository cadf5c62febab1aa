"""Where PyTorch defines the functions that several of its modules share: graphs and patterns name a function by its home."""


def _set(text):
    return frozenset(text.split())


IN_FUNCTIONAL = _set(
    """
    atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist chain_matmul einsum lu
    meshgrid norm split stft tensordot unique unique_consecutive unravel_index
    """
)
"""torch.X that is torch.functional.X."""

OF_TORCH = _set(
    """
    adaptive_avg_pool1d avg_pool1d bilinear celu_ channel_shuffle conv1d conv2d conv3d conv_tbc conv_transpose1d
    conv_transpose2d conv_transpose3d cosine_similarity hardshrink native_channel_shuffle pairwise_distance pdist pixel_shuffle
    pixel_unshuffle prelu relu_ rrelu_ selu_ threshold_
    """
)
"""torch.nn.functional.X that is torch.X."""

OF_C = {
    **{
        name: name
        for name in (
            "avg_pool2d",
            "avg_pool3d",
            "elu_",
            "gelu",
            "hardtanh_",
            "leaky_relu_",
            "linear",
            "one_hot",
            "scaled_dot_product_attention",
            "softplus",
            "softshrink",
        )
    },
    "logsigmoid": "log_sigmoid",
}
"""torch.nn.functional.X → the name in torch._C._nn of the same function."""

C_NAMES = {
    "nn": _set(
        """
        adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d avg_pool2d avg_pool3d
        binary_cross_entropy col2im conv_depthwise3d cross_entropy_loss elu elu_ flatten_dense_tensors fractional_max_pool2d
        fractional_max_pool3d gelu gelu_ glu hardsigmoid hardsigmoid_ hardswish hardswish_ hardtanh hardtanh_ huber_loss im2col
        l1_loss leaky_relu leaky_relu_ linear log_sigmoid max_pool2d_with_indices max_pool3d_with_indices max_unpool2d
        max_unpool3d mish mish_ mkldnn_linear mkldnn_reorder_conv2d_weight mkldnn_reorder_conv3d_weight mse_loss
        multi_margin_loss multilabel_margin_loss nll_loss nll_loss2d nll_loss_nd one_hot pad pad_sequence reflection_pad1d
        reflection_pad2d reflection_pad3d relu6 relu6_ replication_pad1d replication_pad2d replication_pad3d rrelu_with_noise
        rrelu_with_noise_ scaled_dot_product_attention silu silu_ slow_conv3d slow_conv_dilated2d slow_conv_dilated3d
        slow_conv_transpose2d slow_conv_transpose3d smooth_l1_loss soft_margin_loss softplus softshrink thnn_conv2d
        unflatten_dense_tensors upsample_bicubic2d upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d
        upsample_nearest3d upsample_trilinear3d
        """
    ),
    "linalg": _set(
        """
        cholesky cholesky_ex cond cross det diagonal eig eigh eigvals eigvalsh householder_product inv inv_ex ldl_factor
        ldl_factor_ex ldl_solve lstsq lu lu_factor lu_factor_ex lu_solve matmul matrix_exp matrix_norm matrix_power matrix_rank
        matrix_sqrth multi_dot norm pinv polar qr slogdet solve solve_ex solve_triangular svd svdvals tensorinv tensorsolve
        vander vecdot vector_norm
        """
    ),
    "special": _set(
        """
        airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v
        chebyshev_polynomial_w digamma entr erf erfc erfcx erfinv exp2 expit expm1 gammainc gammaincc gammaln
        hermite_polynomial_h hermite_polynomial_he i0 i0e i1 i1e laguerre_polynomial_l legendre_polynomial_p log1p log_ndtr
        log_softmax logit logsumexp modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 multigammaln
        ndtr ndtri polygamma psi round scaled_modified_bessel_k0 scaled_modified_bessel_k1 shifted_chebyshev_polynomial_t
        shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w sinc softmax
        spherical_bessel_j0 xlog1py xlogy zeta
        """
    ),
    "fft": _set(
        """
        fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn rfft
        rfft2 rfftfreq rfftn
        """
    ),
}
"""The functions of torch._C._nn; of torch.linalg, torch.special and torch.fft, which torch._C._linalg and its like hold with
the module's name before theirs."""


def home_of(module, name):
    """(module, name) under which graphs name the function that `module`, a public one, has as `name`."""
    if module == "torch":
        return ("torch.functional" if name in IN_FUNCTIONAL else "torch"), name
    if module == "torch.nn.functional":
        if name in OF_C:
            return "torch._C._nn", OF_C[name]
        return ("torch", name) if name in OF_TORCH else (module, "_threshold" if name == "threshold" else name)
    short = module.removeprefix("torch.")
    return (f"torch._C._{short}", f"{short}_{name}") if short in C_NAMES else (module, name)


def settle(function, module, name):
    """Gives a function the name and the module of its home; returns it."""
    function.__module__, function.__name__ = home_of(module, name)
    function.__qualname__ = function.__name__
    return function


def settle_all(namespace, module):
    """The functions that a public module has defined or imported from its private parts."""
    for name, value in list(namespace.items()):
        defined = getattr(value, "__module__", None) or ""
        if type(value).__name__ == "function" and not name.startswith("_") and defined.startswith("torch"):
            settle(value, module, name)


def of_c(short):
    """The `__getattr__` of torch._C._linalg, _special or _fft: the functions of the public module under their C names."""

    def lookup(name):
        import importlib

        public = name.removeprefix(f"{short}_")
        if public == name or public not in C_NAMES[short]:
            raise AttributeError(f"module 'torch._C._{short}' has no attribute '{name}'")
        return getattr(importlib.import_module(f"torch.{short}"), public)

    return lookup
