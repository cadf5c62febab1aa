"""Derivatives of functions. The engine follows the calls of each level (src/trace/transforms); user code sees lifted tensors."""

import functools

from _fusescope import engine, wire
from torch._functorch.apis import level, vmap
from torch._tensor import Tensor
from torch.utils import _pytree

_JVP = "jvp(f, primals, tangents)"


def _lift(tree, tangents=None):
    leaves, spec = _pytree.tree_flatten(tree)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(leaf)}")
    given = [None] * len(leaves) if tangents is None else [wire.encode(t) for t in tangents]
    return spec.unflatten([wire.decode(engine.lift(x._id, t)) for x, t in zip(leaves, given)])


def _lowered(tree, number):
    def lowered(leaf):
        if not isinstance(leaf, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(leaf)}")
        return wire.decode(engine.lowered(leaf._id, number))

    return _pytree.tree_map(lowered, tree)


def _gradients(outputs, inputs, number, given=()):
    """torch.autograd.grad, with zeros for an input that no output depends on."""
    from torch import zeros_like

    (ends, starts) = [[t._id for t in tensors] for tensors in (outputs, inputs)]
    made = wire.decode(engine.gradients(ends, starts, wire.encode(list(given)))) if inputs else []
    return [zeros_like(wire.decode(engine.lowered(x._id, number))) if g is None else g for g, x in zip(made, inputs)]


def _positions(argnums, count):
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    for number in numbers:
        if not isinstance(number, int):
            raise RuntimeError(f"argnum must be int, got: {type(number)}")
        if not -count <= number < count:
            raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    if not numbers:
        raise RuntimeError("argnums must be non-empty")
    if len(set(numbers)) != len(numbers):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return [number % count for number in numbers]


def _with_lifted(args, argnums, tangents=None):
    """The arguments with those of `argnums` lifted, and these."""
    if argnums is None:
        lifted = _lift(args, tangents)
        return lifted, lifted
    places = _positions(argnums, len(args))
    lifted = _lift(tuple(args[i] for i in places), tangents)
    given = dict(zip(places, lifted))
    return tuple(given.get(i, arg) for i, arg in enumerate(args)), lifted


def _with_aux(made, has_aux, api):
    if not has_aux:
        return made, None
    if not (isinstance(made, tuple) and len(made) == 2):
        raise RuntimeError(f"{api}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return made


def grad_and_value(func, argnums=0, has_aux=False):
    api = "grad_and_value(f)(*args)"

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        with level("grad") as number:
            given, lifted = _with_lifted(args, argnums)
            output, aux = _with_aux(func(*given, **kwargs), has_aux, api)
            if not isinstance(output, Tensor):
                raise RuntimeError(f"{api}: Expected f(*args) to return a Tensor, got {type(output)}")
            if output.dim() != 0:
                raise RuntimeError(
                    f"{api}: Expected f(*args) to return a scalar Tensor, got tensor with {output.dim()} dims. "
                    "Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            leaves, spec = _pytree.tree_flatten(lifted if isinstance(argnums, tuple) else lifted[0])
            made = _lowered(spec.unflatten(_gradients([output], leaves, number)), number)
            output = _lowered(output, number)
            return (made, (output, _lowered(aux, number))) if has_aux else (made, output)

    return wrapper


def grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        made, value = both(*args, **kwargs)
        return (made, value[1]) if has_aux else made

    return wrapper


def vjp(func, *primals, has_aux=False):
    return _vjp(func, primals, None, has_aux)


def _vjp(func, primals, argnums, has_aux):
    api = "vjp(f, *primals)"
    with level("grad") as number:
        given, lifted = _with_lifted(primals, argnums)
        made, aux = _with_aux(func(*given), has_aux, api)
        if has_aux:
            aux = _lowered(aux, number)
        outputs, spec = _pytree.tree_flatten(made)
        _tensors(outputs, api)
        results = _lowered(made, number)
        for output in outputs:
            if not (output.is_floating_point() or output.is_complex()):
                raise RuntimeError(
                    "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor "
                    f"with dtype {output.dtype}"
                )
    inputs, inputs_spec = _pytree.tree_flatten(lifted if argnums is None or isinstance(argnums, tuple) else lifted[0])

    def wrapper(cotangents, retain_graph=True, create_graph=None):
        given, given_spec = _pytree.tree_flatten(cotangents)
        if given_spec != spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {given_spec}, primal output: {spec}"
            )
        made = _gradients(outputs, inputs, number, given)
        return inputs_spec.unflatten(made)

    return (results, wrapper, aux) if has_aux else (results, wrapper)


def _tensors(outputs, api):
    if not outputs or (len(outputs) == 1 and outputs[0] is None):
        raise RuntimeError(f"{api}: Expected f to be a function that has non-empty output (got output = {outputs})")
    for output in outputs:
        if not isinstance(output, Tensor):
            raise RuntimeError(
                f"{api}: expected f(*primals) to return only tensors, got unsupported type {type(output)}"
            )


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    return _jvp(func, primals, tangents, None, strict, has_aux)


def _jvp(func, primals, tangents, argnums, strict, has_aux):
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{_JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    chosen = primals if argnums is None else tuple(primals[i] for i in _positions(argnums, len(primals)))
    (flat, spec), (given, given_spec) = _pytree.tree_flatten(chosen), _pytree.tree_flatten(tangents)
    if spec != given_spec:
        raise RuntimeError(
            f"{_JVP}: Expected primals and tangents to have the same python structure. For example, if primals is a "
            f"tuple of 3 tensors, tangents also must be. Got primals with structure {spec} and tangents with structure {given_spec}"
        )
    for leaves, name in ((flat, "primals"), (given, "tangents")):
        if not leaves:
            raise RuntimeError(f"{_JVP}: Expected {name} to contain at least one Tensor.")
        for leaf in leaves:
            if not isinstance(leaf, Tensor):
                raise RuntimeError(f"{_JVP}: Expected {name} to only contain Tensors, got {type(leaf)}")
    with level("jvp") as number:
        duals, _ = _with_lifted(primals, argnums, given)
        made, aux = _with_aux(func(*duals), has_aux, _JVP)
        if has_aux:
            aux = _lowered(aux, number)
        outputs, spec = _pytree.tree_flatten(made)
        _tensors(outputs, _JVP)
        pairs = [_unpacked(output, number, strict) for output in outputs]
        results = tuple(spec.unflatten([pair[i] for pair in pairs]) for i in (0, 1))
    return (*results, aux) if has_aux else results


def _unpacked(dual, number, strict):
    from torch import zeros_like

    primal = wire.decode(engine.lowered(dual._id, number))
    tangent = wire.decode(engine.tangent(dual._id, number))
    if tangent is None:
        if strict:
            raise RuntimeError(
                "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is not "
                "allowed with strict=True."
            )
        tangent = zeros_like(primal)
    return primal, tangent


def _basis(tensors):
    """The rows of an identity matrix, a part of its columns for each tensor."""
    numels = [t.numel() for t in tensors]
    total = sum(numels)
    parts = [t.new_zeros(total, n) for t, n in zip(tensors, numels)]
    at = 0
    for part, n in zip(parts, numels):
        part.diagonal(at).fill_(1)
        at -= n
    return [part.view(total, *t.shape) for part, t in zip(parts, tensors)]


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    if chunk_size is not None:
        raise NotImplementedError("Fusescope's torch.func.jacrev does not support chunk_size")

    @functools.wraps(func)
    def wrapper(*args):
        from torch import split

        output, pull, *aux = _vjp(func, args, argnums, has_aux)
        flat, spec = _pytree.tree_flatten(output)
        numels = [t.numel() for t in flat]
        places = _positions(argnums, len(args))
        inputs, inputs_spec = _pytree.tree_flatten(tuple(args[i] for i in places))
        rows = _pytree.tree_leaves(vmap(pull)(spec.unflatten(_basis(flat))))
        parts = [split(made, numels, dim=0) for made in rows]
        blocks = [[part.view(o.shape + x.shape) for part, o in zip(row, flat)] for row, x in zip(parts, inputs)]
        made = [inputs_spec.unflatten(list(block)) for block in zip(*blocks)]
        result = spec.unflatten([block if isinstance(argnums, tuple) else block[0] for block in made])
        return (result, *aux) if has_aux else result

    return wrapper


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    @functools.wraps(func)
    def wrapper(*args):
        from torch import split

        places = _positions(argnums, len(args))
        inputs, inputs_spec = _pytree.tree_flatten(tuple(args[i] for i in places))
        numels = [t.numel() for t in inputs]

        def push(basis):
            made = _jvp(func, args, basis, argnums, False, has_aux)
            return made[1:] if has_aux else made[1]

        results = vmap(push, randomness=randomness)(inputs_spec.unflatten(_basis(inputs)))
        if has_aux:
            results, aux = results
            aux = _pytree.tree_map(lambda value: value[0], aux)
        outputs, spec = _pytree.tree_flatten(results)
        made = []
        for output in outputs:
            parts = split(output.movedim(0, -1), numels, dim=-1)
            block = inputs_spec.unflatten([_unflattened(part, x.shape) for part, x in zip(parts, inputs)])
            made.append(block if isinstance(argnums, tuple) else block[0])
        return (spec.unflatten(made), aux) if has_aux else spec.unflatten(made)

    return wrapper


def _unflattened(part, shape):
    return part.unflatten(-1, shape) if len(shape) else part.squeeze(-1)


def hessian(func, argnums=0):
    return jacfwd(jacrev(func, argnums), argnums)
