/** Errors of in-place operators whose result dtype cannot be cast to their tensor's. */
import { isFake, type DispatchArg } from './fake'
import type { OpCall } from './op_call'
import { categoryOf as rank, elementwiseDtype } from './promote'
import type { OpSchema } from './schema'
import { broadcastShapes, sizeRepr } from './strides'
import { sameDims } from './sym'
import { runtimeError } from './torch_error'

/** Unary operators whose result is a float. */
const TO_FLOAT = new Set(
  `exp exp2 expm1 log log2 log10 log1p sigmoid tanh sin cos tan sqrt rsqrt reciprocal erf erfc sinh cosh asin acos atan`
    .split(/\s+/)
    .map((n) => `aten.${n}_`),
)

/** @throws TorchError RuntimeError like FakeTensorMode */
export function checkInPlace(schema: OpSchema, c: OpCall): void {
  const packet = schema.name.slice(0, schema.name.lastIndexOf('.'))
  const self = c.get('self')
  if (!isFake(self)) return
  const { dtype } = self.meta
  const other = c.get('other')
  if (isFake(other)) {
    const shape = broadcastShapes([self.meta.shape, other.meta.shape])
    if (!sameDims(shape, self.meta.shape))
      throw runtimeError(
        `output with shape ${sizeRepr(self.meta.shape)} doesn't match the broadcast shape (${shape.join(', ')}${shape.length === 1 ? ',' : ''})`,
      )
  }
  if (packet === 'aten.add_' || packet === 'aten.sub_') {
    if (rank(promoted(self, c)) <= rank(dtype)) return
    const [own, other] = dtype === 'bool' ? ['bool', 'others'] : ['int', 'float']
    throw runtimeError(
      `Promotion of ${own}.add/sub_(${other}) in in-place ops are not possible due to element size change.`,
    )
  }
  if (packet === 'aten.div_' && !c.has('rounding_mode') && rank(dtype) < 2)
    throw runtimeError(`result type torch.float32 can't be cast to the desired output type torch.${dtype}`)
  if (TO_FLOAT.has(packet) && rank(dtype) < 2)
    throw runtimeError(
      `Attempting to cast from torch.float32 to out tensor with dtype torch.${dtype}, but this can't be cast because it is not safe!`,
    )
}

const promoted = (self: DispatchArg, c: OpCall): string => elementwiseDtype([self, c.get('other')])
