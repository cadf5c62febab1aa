/** Rules shared by elementwise operators: broadcasting, type promotion, and Inductor's casts around half precision. */
import { dtype as dtypeArg } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor, isFake } from '../../fake'
import { formula, type Formula, type Helpers } from '../../formula/formula'
import { commonDevice, type OpCall } from '../../op_call'
import type { OpDef } from '../../operator'
import { computationDtype, elementwiseDtype, type Promotion } from '../../promote'
import { broadcastShapes, elementwiseStrides } from '../../strides'
import { sameDims } from '../../sym'

/** The result tensor of an elementwise operator on these operands (numbers only take part in promotion). */
export function elementwise(
  c: OpCall,
  operands: readonly DispatchArg[],
  kind: Promotion = 'default',
  dtype: string = elementwiseDtype(operands, kind),
): FakeTensor {
  const tensors = operands.filter(isFake)
  const metas = tensors.map((t) => t.meta)
  const shape = broadcastShapes(metas.map((m) => m.shape))
  return c.fresh(dtype, shape, commonDevice(tensors), elementwiseStrides(metas, shape))
}

/** torch._refs._maybe_broadcast: tensors expanded to their common shape; one that already has it is unchanged. */
export function broadcastTogether(c: OpCall, tensors: readonly FakeTensor[]): FakeTensor[] {
  const size = broadcastShapes(tensors.map((t) => t.meta.shape))
  return tensors.map((t) => (sameDims(t.meta.shape, size) ? t : c.op('aten.expand.default', t, dimArgs(size))))
}

/** `x.to(dtype)` as in decompositions: nothing if it already has that dtype. */
export function cast(c: OpCall, x: FakeTensor, dtype: string): FakeTensor {
  return x.meta.dtype === dtype ? x : c.op('prims.convert_element_type.default', x, dtypeArg(dtype))
}

/**
 * pw_cast_for_opmath: half precision is computed in float32 and cast back.
 * @param scalars numbers that take part in promotion (pw_cast_for_opmath_non_tensor_args)
 */
export function inOpmath(
  c: OpCall,
  tensors: readonly FakeTensor[],
  body: (...xs: FakeTensor[]) => FakeTensor | undefined,
  kind: Promotion = 'default',
  scalars: readonly DispatchArg[] = [],
): FakeTensor | undefined {
  const result = elementwiseDtype([...tensors, ...scalars], kind)
  const compute = computationDtype(kind === 'int_to_float' ? result : elementwiseDtype([...tensors, ...scalars]))
  const out = body(...tensors.map((t) => cast(c, t, compute)))
  return out && cast(c, out, result)
}

type Body = (c: OpCall, ...xs: FakeTensor[]) => FakeTensor | undefined

/**
 * A decomposition in the dtype of the computation.
 * @param tensors names of the arguments, such as `self target`
 * @param body a text is a formula of Python (formula/formula.ts)
 */
export function pointwise(
  tensors: string,
  body: Body | string,
  kind: Promotion = 'default',
  helpers: Helpers = {},
): OpDef {
  const names = tensors.split(' ')
  const run = typeof body === 'string' ? ofTensors(names, formula(body, { cpp: false, helpers })) : body
  return {
    decomp: (c) =>
      inOpmath(
        c,
        names.map((name) => c.tensor(name)),
        (...xs) => run(c, ...xs),
        kind,
      ),
  }
}

const ofTensors =
  (names: readonly string[], made: Formula): Body =>
  (c, ...xs) =>
    made(c, (name) => xs[names.indexOf(name)]) as FakeTensor
