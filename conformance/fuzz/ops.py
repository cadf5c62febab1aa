"""The torch calls that people write patterns with, as text templates.

`{a}`, `{b}`, `{c}` are tensors made before; `{k}` a float constant, `{n}` a small int, `{d}` a dimension, `{t}` a
dtype. A template that fails on the values at hand is simply not taken.
"""

FLOATS = ["0.5", "2.0", "1e-05", "1e-06", "0.125", "3.0", "1.0", "-1.5", "1.702", "0.044715", "2", "3", "1", "-1"]
INTS = ["2", "1", "3", "4"]
DIMS = ["-1", "0", "1", "-2"]
DTYPES = ["torch.float32", "torch.float16", "torch.bfloat16", "torch.float64", "torch.int64", "torch.int32", "torch.bool", "torch.int8"]

POINTWISE = """
torch.relu({a})|F.relu({a})|{a}.relu()|torch.sigmoid({a})|{a}.sigmoid()|F.silu({a})|F.gelu({a})|F.gelu({a}, approximate="tanh")
torch.tanh({a})|{a}.tanh()|torch.exp({a})|{a}.exp()|torch.log({a})|torch.sqrt({a})|{a}.sqrt()|torch.rsqrt({a})|{a}.rsqrt()
torch.abs({a})|{a}.abs()|-{a}|torch.neg({a})|torch.sin({a})|torch.cos({a})|torch.erf({a})|torch.reciprocal({a})|1 / {a}|1.0 / {a}
{a}.pow(2)|{a} ** 2|torch.pow({a}, {k})|{a} ** 0.5|{k} ** {a}|torch.square({a})|{a}.pow(3)|{a}.square()|{a} ** {b}
F.softplus({a})|F.mish({a})|F.hardswish({a})|F.hardsigmoid({a})|F.leaky_relu({a}, 0.1)|F.elu({a})|F.relu6({a})|F.hardtanh({a})
F.logsigmoid({a})|F.selu({a})|F.leaky_relu({a})|torch.expm1({a})|torch.log1p({a})|torch.log2({a})|torch.exp2({a})|torch.sign({a})
{a}.clamp(min={k})|{a}.clamp(0, 1)|{a}.clamp(max=6.0)|torch.clamp({a}, -1.0, 1.0)|{a}.clamp_min(0)|torch.clamp_max({a}, {k})|{a}.clamp(-128, 127)
torch.floor({a})|torch.ceil({a})|torch.round({a})|{a}.round()|torch.trunc({a})|torch.isnan({a})|torch.nan_to_num({a})|torch.logical_not({a})|~{a}
{a} + {k}|{k} + {a}|{a} - {k}|{k} - {a}|{a} * {k}|{k} * {a}|{a} / {k}|{k} / {a}|torch.add({a}, {k})|torch.mul({a}, {k})|{a}.div({k})|{a}.add(1)
{a} + {b}|{a} - {b}|{a} * {b}|{a} / {b}|torch.add({a}, {b})|torch.sub({a}, {b})|torch.mul({a}, {b})|torch.div({a}, {b})|{a}.add({b})|{a}.mul({b})|{a} + {a}
torch.add({a}, {b}, alpha=2)|torch.sub({a}, {b}, alpha={k})|{a}.add({b}, alpha=0.5)|torch.rsub({a}, {b})|torch.rsub({a}, {k})
torch.maximum({a}, {b})|torch.minimum({a}, {b})|torch.fmod({a}, {k})|torch.remainder({a}, {b})|{a} % {n}|{a} // {n}|torch.div({a}, {b}, rounding_mode="floor")
torch.atan2({a}, {b})|torch.hypot({a}, {b})|torch.lerp({a}, {b}, 0.3)|torch.addcmul({a}, {b}, {c})|torch.addcmul({a}, {b}, {c}, value=0.5)|torch.addcdiv({a}, {b}, {c})
torch.where({a} > 0, {a}, {b})|torch.where({a} > {b}, {a}, {b})|torch.where({a} > 0, {a}, 0.0)|torch.where({a} < 0, 0.1 * {a}, {a})|torch.where({a} >= {k}, {b}, {c})
{a}.masked_fill({b} > 0, {k})|{a}.masked_fill({a} == 0, float("-inf"))|torch.where({a} != 0, 1.0, {a})|torch.where({a} > 0, {b}, {c}.float())
{a} > {b}|{a} < {k}|{a} >= 0|{a} == {b}|{a} != {n}|{a} <= {k}|torch.eq({a}, {k})|torch.gt({a}, {b})|torch.logical_and({a} > 0, {b} > 0)|({a} > 0) & ({b} < 0)|({a} > 0) | ({b} > 0)
torch.threshold({a}, 0.5, 0.0)|torch.copysign({a}, {b})|torch.clamp({a}, min={b})|torch.xlogy({a}, {b})|torch.frac({a})|torch.sinh({a})|torch.acos({a})|torch.special.erfinv({a})
""".replace("\n", "|").strip("|").split("|")

CASTS = """
{a}.to({t})|{a}.float()|{a}.half()|{a}.bfloat16()|{a}.double()|{a}.to(torch.float32)|{a}.type_as({b})|{a}.to({b}.dtype)|{a}.to({b})|{a}.long()|{a}.int()
{a}.to(torch.float32).to({a}.dtype)|{a}.type(torch.float32)|{a}.to(dtype={t})|{a}.bool()|({a} > 0).to({a}.dtype)|({a} > 0).float()|torch.ops.prims.convert_element_type.default({a}, {t})
{a}.to({t}).float()|{a}.to("cpu")|{a}.to(torch.float32, copy=True)|{a}.contiguous()|{a}.clone()|torch.clone({a})|{a}.detach()
""".replace("\n", "|").strip("|").split("|")

REDUCTIONS = """
{a}.sum({d})|{a}.sum({d}, keepdim=True)|{a}.mean({d}, keepdim=True)|{a}.mean({d})|torch.sum({a}, dim={d})|{a}.sum()|{a}.mean()|torch.mean({a}, ({d}, 0))|{a}.mean([0, 1], keepdim=True)
torch.amax({a}, {d})|{a}.amax({d}, keepdim=True)|{a}.amin({d}, keepdim=True)|{a}.max({d})[0]|{a}.max({d}, keepdim=True)[0]|{a}.max({d}).values|torch.max({a}, dim={d}).indices|{a}.max()|{a}.min({d})[0]
{a}.argmax({d})|torch.argmin({a}, dim={d}, keepdim=True)|{a}.var({d})|{a}.var({d}, keepdim=True)|{a}.var({d}, unbiased=False, keepdim=True)|{a}.std({d})|torch.var_mean({a}, {d})[0]|torch.var_mean({a}, {d}, keepdim=True)[1]
torch.logsumexp({a}, {d})|torch.logsumexp({a}, {d}, keepdim=True)|{a}.norm(dim={d})|{a}.norm(p=2, dim={d}, keepdim=True)|torch.linalg.vector_norm({a}, dim={d})|F.normalize({a}, dim={d})|{a}.prod({d})|{a}.cumsum({d})|torch.cumsum({a}, dim={d})
{a}.any({d})|{a}.all({d})|({a} > 0).any()|torch.any({a} > 0, dim={d})|({a} > 0).sum({d})|{a}.abs().max()|{a}.abs().amax({d}, keepdim=True)|{a}.sum({d}, dtype=torch.float32)|{a}.pow(2).mean(-1, keepdim=True)|{a}.square().sum({d})
torch.softmax({a}, {d})|F.softmax({a}, dim={d})|{a}.softmax({d})|F.log_softmax({a}, dim={d})|torch.softmax({a}, dim=-1, dtype=torch.float32)|{a}.softmax(-1).to({a}.dtype)|F.softmax({a}.float(), dim=-1).type_as({a})
torch.topk({a}, 2)[0]|torch.topk({a}, 2, dim={d})[1]|torch.sort({a}, dim={d})[0]|{a}.sort({d}).values|torch.argsort({a}, dim={d})|{a}.max({b})|torch.count_nonzero({a}, dim={d})|torch.cumprod({a}, {d})|torch.median({a}, {d})[0]
""".replace("\n", "|").strip("|").split("|")

NORMS = """
F.layer_norm({a}, ({a}.shape[-1],))|F.layer_norm({a}, {a}.shape[-1:], eps=1e-6)|F.rms_norm({a}, ({a}.shape[-1],))|F.rms_norm({a}, ({a}.shape[-1],), eps=1e-6)|F.layer_norm({a}, ({a}.shape[-1],), {w}, {w})|F.layer_norm({a}, ({a}.shape[-1],), {w})|F.rms_norm({a}, ({a}.shape[-1],), {w}, 1e-6)
{a} * torch.rsqrt({a}.pow(2).mean(-1, keepdim=True) + 1e-6)|{a} / torch.sqrt({a}.pow(2).mean(-1, keepdim=True) + 1e-5)|({a}.float() * torch.rsqrt({a}.float().pow(2).mean(-1, keepdim=True) + 1e-6)).to({a}.dtype) * {w}|({a} - {a}.mean(-1, keepdim=True)) / ({a}.std(-1, keepdim=True) + 1e-6)
F.group_norm({a}, 2)|F.linear({a}, {m})|F.linear({a}, {m}, {w})|{a} @ {m}|torch.mm({a}, {m})|torch.matmul({a}, {m}.t())|torch.addmm({w}, {a}, {m})|{a} @ {m} + {w}|torch.matmul({a}, {b}.transpose(-1, -2))|torch.bmm({a}, {b}.transpose(1, 2))|torch.einsum("ij,jk->ik", {a}, {m})|{a} @ {w}
F.dropout({a}, 0.1, training=False)|F.glu({a}, -1)|F.embedding({a}.long().abs() % 8, {m})|F.cosine_similarity({a}, {b}, dim=-1)|F.mse_loss({a}, {b})|F.batch_norm({a}, {w}.float(), {w}.float().abs())|torch.outer({w}, {w})|torch.baddbmm({a}, {a}, {a})|F.scaled_dot_product_attention({a}, {b}, {b})|F.scaled_dot_product_attention({a}, {a}, {b}, is_causal=True)|F.one_hot({a}.long().abs() % 4, 4)
""".replace("\n", "|").strip("|").split("|")

VIEWS = """
{a}.t()|{a}.transpose(0, 1)|{a}.transpose(-1, -2)|torch.transpose({a}, 0, -1)|{a}.T|{a}.mT|{a}.permute(1, 0)|torch.permute({a}, (1, 0))|{a}.permute(0, 2, 1)|{a}.permute(0, 2, 1, 3)
{a}.unsqueeze({d})|{a}[None]|{a}[:, None]|{a}[..., None]|{a}.unsqueeze(0).squeeze(0)|{a}.squeeze()|{a}.squeeze({d})|{a}.view(-1)|{a}.reshape(-1)|{a}.flatten()|{a}.flatten(0, 1)|torch.flatten({a}, 1)
{a}.view({a}.shape[0], -1)|{a}.view(*{a}.shape[:-1], 2, -1)|{a}.reshape({a}.shape[0], 2, -1)|{a}.view({a}.shape[0], 1, {a}.shape[1])|{a}.view({a}.shape)|{a}.reshape({b}.shape)|{a}.view_as({b})|{a}.unflatten(-1, (2, -1))|{a}.view(torch.int32)|{a}.reshape(1, -1)
{a}.expand(4, 8)|{a}.expand(2, -1, -1)|{a}.unsqueeze(0).expand(3, *{a}.shape)|{a}.expand_as({b})|torch.broadcast_to({a}, (4, 8))|{a}.repeat(2, 1)|{a}.repeat(1, 1, 2)|{a}.repeat_interleave(2, dim={d})|torch.tile({a}, (2,))|{a}.unsqueeze(1).expand(-1, 2, -1).reshape(-1, {a}.shape[-1])
{a}[0]|{a}[:, 0]|{a}[..., 0]|{a}[:, :2]|{a}[1:]|{a}[:, 1:3]|{a}[..., ::2]|{a}[..., :{a}.shape[-1] // 2]|{a}[..., {a}.shape[-1] // 2:]|{a}[-1]|{a}[..., -1:]|{a}[:, -2:]|{a}[:2, 1:]|{a}.narrow({d}, 0, 2)|{a}.select({d}, 1)|{a}[::2]|{a}[:, :]|{a}[0:4]
{a}.chunk(2, dim={d})[0]|{a}.chunk(2, dim={d})[1]|torch.chunk({a}, 2, -1)[1]|torch.split({a}, 2, dim={d})[0]|{a}.split({a}.shape[-1] // 2, dim=-1)[1]|{a}.split([1, {a}.shape[{d}] - 1], dim={d})[1]|torch.split({a}, [2, 2], 0)[0]|torch.unbind({a}, {d})[0]|{a}.unbind(0)[1]|torch.tensor_split({a}, 2)[0]|torch.split({a}, 3, dim=-1)[-1]
torch.cat([{a}, {b}], dim={d})|torch.cat([{a}, {a}], -1)|torch.cat(({a}, {b}, {c}), 0)|torch.stack([{a}, {b}])|torch.stack([{a}, {b}], dim={d})|torch.cat([-{a}[..., {a}.shape[-1] // 2:], {a}[..., :{a}.shape[-1] // 2]], dim=-1)|torch.concat([{a}, {b}], dim=-1)|torch.hstack([{a}, {b}])
torch.flip({a}, [0])|torch.roll({a}, 1, 0)|torch.tril({a})|torch.triu({a}, 1)|{a}.diagonal()|torch.diag({a})|F.pad({a}, (1, 1))|F.pad({a}, (0, 1), value=1.0)|{a}.contiguous().view(-1, 2)|{a}.movedim(0, 1)|{a}.swapaxes(0, 1)
torch.index_select({a}, 0, torch.tensor([0, 1]))|{a}[torch.arange(2)]|torch.gather({a}, {d}, {a}.argmax(-1, keepdim=True))|{a}[{a} > 0]|{a}.take_along_dim({a}.argmax(-1, keepdim=True), -1)|{a}.unfold(-1, 2, 2)|torch.select({a}, 0, 1)|{a}.as_strided((2, 2), (1, 2))|{a}[:, [0, 1]]
""".replace("\n", "|").strip("|").split("|")

FACTORIES = """
torch.empty_like({a})|torch.zeros_like({a})|torch.ones_like({a})|torch.full_like({a}, {k})|torch.zeros({a}.shape, dtype={a}.dtype, device={a}.device)|torch.full({a}.shape, {k}, dtype={a}.dtype, device={a}.device)|{a}.new_zeros({a}.shape)|{a}.new_empty({a}.shape[0], 2)|{a}.new_full((4,), 1.0)|{a}.new_ones({a}.shape)
{a} + torch.zeros_like({a})|{a} * torch.ones_like({a})|{a} + torch.full(({a}.shape[-1],), 1.0, dtype={a}.dtype)|{a} + torch.arange({a}.shape[-1])|{a} * torch.arange({a}.shape[-1], dtype={a}.dtype, device={a}.device)|torch.arange({a}.shape[0])[:, None] + {a}|{a} + torch.ones({a}.shape[-1])|torch.zeros_like({a}, dtype=torch.float32) + {a}|torch.empty_like({a}, dtype=torch.int8)|torch.empty({a}.shape, dtype=torch.bfloat16)
torch.empty_strided({a}.shape, {a}.stride(), dtype={a}.dtype)|torch.arange(0, {a}.shape[-1], 2)|{a} * torch.tensor(2.0)|{a} + torch.tensor([1.0])|torch.arange(1, 5).float()|torch.linspace(0, 1, {a}.shape[-1]) * {a}|torch.eye({a}.shape[-1])|torch.ones({a}.shape[-1], {a}.shape[-1]).tril()|torch.where(torch.ones_like({a}, dtype=torch.bool), {a}, 0.0)|torch.scalar_tensor(2.0) * {a}|torch.full((), 0.5) * {a}
""".replace("\n", "|").strip("|").split("|")

INPLACE = """
{a}.clone().add_({k})|{a}.clone().mul_({b})|torch.empty_like({a}).copy_({b})|torch.zeros_like({a}).add_({b})|{a}.exp().add_(1)|{a}.abs().clamp_(min=1e-5)|{a}.clone().zero_()|{a}.float().mul_(2.0).sub_(1.0)|{a}.clone().fill_(0.5)|({a} * 1.5).relu_()|{a}.mean(-1, keepdim=True).add_(1e-6).rsqrt()|F.relu({a} + 1, inplace=True)|{a}.neg().masked_fill_({a} > 0, 0.0)|{a}.sin().div_({k})|{a}.cos().sigmoid_()
""".replace("\n", "|").strip("|").split("|")

ATEN = """
aten.add.Tensor({a}, {b})|aten.mul.Tensor({a}, {b})|aten.mul.Tensor({a}, {k})|aten.add.Tensor({a}, {b}, alpha=2)|aten.sub.Tensor({a}, {b})|aten.div.Tensor({a}, {b})|aten.relu.default({a})|aten.exp.default({a})|aten.maximum.default({a}, {b})|aten.permute.default({a}, [1, 0])|aten.view.default({a}, [-1])|aten.reshape.default({a}, [-1])|aten.sum.dim_IntList({a}, [{d}], True)|aten.mean.dim({a}, [{d}])|aten.amax.default({a}, [{d}], True)|aten.pow.Tensor_Scalar({a}, 2)|aten.add.Scalar({a}, 1)|aten.clone.default({a})|aten.slice.Tensor({a}, 0, 0, 2)|aten.unsqueeze.default({a}, 0)|aten.expand.default({a}, [4, 8])|aten.cat.default([{a}, {b}], {d})|aten.mm.default({a}, {m})|aten.where.self({a} > 0, {a}, {b})|aten.gt.Scalar({a}, 0)|aten._softmax.default({a}, {d}, False)|aten.sigmoid({a})|aten.add({a}, {b})|aten.mul({a}, {k})|aten.silu.default({a})|aten.gelu.default({a}, approximate="tanh")|aten._to_copy.default({a}, dtype=torch.float16)|aten.t.default({a})|aten.transpose.int({a}, 0, 1)|aten.select.int({a}, 0, 1)|aten.split.Tensor({a}, 2)[1]|aten.squeeze.dims({a}, [0])|aten.clamp.default({a}, 0.0, 1.0)|aten.clamp_min.default({a}, 0)|aten.native_layer_norm.default({a}, [{a}.shape[-1]], None, None, 1e-5)[0]|aten.addmm.default({w}, {a}, {m})|aten.rsub.Scalar({a}, 1.0)|aten.full.default([4, 8], {k})|aten.full_like.default({a}, {k})|aten.empty_like.default({a})|aten.arange.default(4)|aten.index.Tensor({a}, [torch.arange(2)])
""".replace("\n", "|").strip("|").split("|")

GROUPS = [(POINTWISE, 8), (CASTS, 2), (REDUCTIONS, 3), (NORMS, 2), (VIEWS, 4), (FACTORIES, 1), (INPLACE, 1), (ATEN, 2)]
