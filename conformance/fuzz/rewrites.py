"""Small changes to the text of a function: other spellings of the same, and changes that engineers make by mistake."""
import re

# expression -> alternatives; some compute the same, some do not
SPELLINGS = [
    (r"\.float\(\)", [".to(torch.float32)", ".to(dtype=torch.float32)", ".type(torch.float32)", ".to(torch.float)", ".double()"]),
    (r"\.to\(torch\.float32\)", [".float()", ".to(torch.float64)", ".to(torch.float32, copy=True)"]),
    (r"\.to\((x\.)?dtype\)", [".type_as(x)", ".to(x.dtype)", ".to(x)", ".to(torch.bfloat16)", ".to(dtype=x.dtype)"]),
    (r"torch\.rsqrt\(([^()]*)\)", [r"(\1).rsqrt()", r"1.0 / torch.sqrt(\1)", r"torch.pow(\1, -0.5)", r"torch.sqrt(\1).reciprocal()", r"aten.rsqrt(\1)"]),
    (r"\.pow\(2\)", [".square()", " ** 2", ".pow(2.0)", ".pow(exponent=2)"]),
    (r"\.square\(\)", [".pow(2)", " ** 2.0"]),
    (r"keepdim=True", ["True", "keepdim=1", "keepdim=False"]),
    (r"dim=-1", ["-1", "dim=(-1)", "dim=x.dim() - 1", "dim=1"]),
    (r"\.reshape\(", [".view("]),
    (r"\.view\(", [".reshape("]),
    (r"\.mean\(-1", [".mean((-1,)", ".mean([-1]", ".mean(dim=-1", ".sum(-1"]),
    (r"F\.silu\((\w+)\)", [r"\1 * torch.sigmoid(\1)", r"nn.SiLU()(\1)", r"aten.silu(\1)", r"aten.silu.default(\1)", r"F.gelu(\1)", r"\1.sigmoid() * \1"]),
    (r"F\.gelu\((\w+)\)", [r"F.gelu(\1, approximate='tanh')", r"nn.GELU()(\1)", r"aten.gelu(\1)"]),
    (r"F\.relu\((\w+)\)", [r"torch.relu(\1)", r"\1.relu()", r"\1.clamp_min(0)", r"F.relu(\1, inplace=False)", r"aten.relu.default(\1)"]),
    (r"(\w+)\.t\(\)", [r"\1.T", r"\1.transpose(0, 1)", r"\1.mT", r"\1.permute(1, 0)", r"torch.t(\1)", r"\1.t().contiguous()"]),
    (r"\.transpose\(1, 2\)", [".permute(0, 2, 1, 3)", ".swapaxes(1, 2)", ".transpose(2, 1)", ".transpose(-2, -3)"]),
    (r"(\w+) @ (\w+)", [r"torch.matmul(\1, \2)", r"\1.matmul(\2)", r"torch.mm(\1, \2)"]),
    (r"F\.linear\((\w+), (\w+)\)", [r"\1 @ \2.t()", r"torch.matmul(\1, \2.transpose(-1, -2))", r"aten.linear(\1, \2)", r"F.linear(\1, \2, None)", r"F.linear(input=\1, weight=\2)"]),
    (r"\.chunk\(2, dim=-1\)", [".split(x.shape[-1] // 2, dim=-1)", ".tensor_split(2, -1)", ".chunk(2, -1)", ".chunk(2, 1)"]),
    (r"torch\.cat\(\(([^()]*)\), ", [r"torch.cat([\1], ", r"torch.concat((\1), ", r"torch.cat(tensors=(\1), "]),
    (r"torch\.softmax\(", ["F.softmax(", "torch.nn.functional.softmax(", "torch.special.softmax("]),
    (r"\.softmax\(-1\)", [".softmax(dim=-1)", ".softmax(-1, dtype=torch.float32)"]),
    (r"\b1e-6\b", ["1e-5", "1e-06", "0.000001"]),
    (r"\b1e-5\b", ["1e-6", "1e-05"]),
    (r"\b(0\.5|2\.0|127\.0|448\.0|30\.0|0\.1)\b", ["1.0", "0.25", r"(\1)", "3"]),
    (r"torch\.clamp\(([^(),]*), ", [r"\1.clamp(", r"torch.clip(\1, "]),
    (r"(\w+) \* (\w+)\b(?![.(\[])", [r"\2 * \1", r"torch.mul(\1, \2)", r"\1.mul(\2)", r"aten.mul.Tensor(\1, \2)", r"torch.multiply(\1, \2)"]),
    (r"(\w+) \+ (\w+)\b(?![.(\[])", [r"\2 + \1", r"torch.add(\1, \2)", r"\1.add(\2, alpha=1)", r"aten.add(\1, \2)", r"\1 - (-\2)"]),
    (r"(\w+) - (\w+)\b(?![.(\[])", [r"torch.sub(\1, \2)", r"\1 + (-\2)", r"torch.subtract(\1, \2)"]),
    (r"(\w+) / (\w+)\b(?![.(\[])", [r"torch.div(\1, \2)", r"torch.true_divide(\1, \2)", r"\1.div(\2, rounding_mode=None)"]),
    (r"torch\.round\(([^()]*)\)", [r"(\1).round()", r"torch.round(\1, decimals=0)", r"torch.floor(\1 + 0.5)"]),
    (r"\.unsqueeze\(-1\)", ["[..., None]", ".unsqueeze(dim=-1)"]),
    (r"\.flatten\(1\)", [".reshape(x.shape[0], -1)", ".flatten(start_dim=1)"]),
    (r"\.abs\(\)", [".abs().clone()", ".absolute()"]),
    (r"\.amax\(-1, keepdim=True\)", [".max(-1, keepdim=True)[0]", ".amax([-1], True)", ".max(dim=-1, keepdim=True).values"]),
    (r"x\.shape\[-1\]", ["x.size(-1)", "x.shape[x.ndim - 1]", "int(x.shape[-1])"]),
    (r"torch\.sigmoid\((\w+)\)", [r"\1.sigmoid()", r"F.sigmoid(\1)", r"1 / (1 + torch.exp(-\1))"]),
    (r"torch\.where\(", ["aten.where("]),
    (r"padding=1\b", ["padding=(1, 1)", "padding=[1, 1]"]),
    (r"\.contiguous\(\)", ["", ".contiguous(memory_format=torch.contiguous_format)", ".clone()"]),
]
# after an assignment: a call that looks as if it did nothing
AFTER = ["{0} = {0}.contiguous()", "{0} = {0}.clone()", "{0} = {0}.view({0}.shape)", "{0} = {0}.reshape({0}.shape)", "{0} = {0}.to({0}.dtype)",
         "{0} = {0} * 1", "{0} = {0} + 0", "{0} = {0}.detach()", "{0} = {0}.expand_as({0})", "{0} = {0}[:]", "{0} = {0}.unsqueeze(0).squeeze(0)",
         "{0} = {0}.to(torch.float32)", "{0} = torch.ops.aten.alias({0})", "{0} = F.dropout({0}, 0.1, False)", "{0} = nn.Identity()({0})",
         "{0} = {0}.flatten(0)", "{0} = {0}.permute(*range({0}.dim()))", "{0} = {0}.to({0}.device)", "{0} = torch.squeeze({0}, 0)", "{0} = {0}.view_as({0})"]


def changed(rng, body, labels=None):
    """The body with one or two changes."""
    body = list(body)
    for _ in range(rng.choice([1, 1, 2])):
        made = [(i, m[1]) for i, line in enumerate(body) if (m := re.match(r"(\w+) = ", line)) and m[1] != "dtype"]
        if made and rng.random() < 0.2:
            i, name = rng.choice(made)
            body.insert(i + 1, rng.choice(AFTER).format(name))
            label = f"after {body[i + 1]}"
        else:
            fit = [(i, m, new) for i, line in enumerate(body) for old, new in SPELLINGS for m in re.finditer(old, line)]
            if not fit:
                continue
            i, m, new = rng.choice(fit)
            to = m.expand(rng.choice(new))
            label = f"{m[0]} -> {to}"
            body[i] = body[i][: m.start()] + to + body[i][m.end() :]
        if labels is not None:
            labels.append(label)
    return body


def shortened(rng, body, labels):
    """Now and then other results: an inner value, one more, one less, another order."""
    body = list(body)
    made = [(i, m[1]) for i, line in enumerate(body) if (m := re.match(r"(\w+) = ", line)) and m[1] not in ("dtype", "m", "d", "info")]
    kind = rng.random()
    last = body[-1].removeprefix("return ")
    if made and kind < 0.15:
        i, name = rng.choice(made)
        body = [*body[: i + 1], f"return {name}"]
        labels.append("ends early")
    elif made and kind < 0.3 and body[-1].startswith("return "):
        body[-1] = f"return {last}, {rng.choice(made)[1]}" if rng.random() < 0.6 else f"return {rng.choice(made)[1]}, ({last})"
        labels.append("one more result")
    elif kind < 0.36 and re.fullmatch(r"return [\w.]+(, [\w.]+)+", body[-1]):
        parts = last.split(", ")
        body[-1] = "return " + ", ".join(reversed(parts) if rng.random() < 0.5 else parts[:-1])
        labels.append("results")
    elif kind < 0.4:
        body[-1] = f"return [{last}]" if rng.random() < 0.5 else f"return ({last},)"
    return body
