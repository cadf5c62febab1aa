/** Bitwise operators and shifts. */
import { fn } from '../../expr/expr'
import { isFake } from '../../fake'
import type { Kernels, OpDef, Rules } from '../../operator'
import { isIntDtype } from '../../promote'
import { runtimeError } from '../../torch_error'
import { binary } from './arithmetic'
import { type Formula, kernelsOf, OTHER, SELF } from './elementwise_kernel'

const BITWISE: Record<string, Formula> = {
  bitwise_and: fn('F32(I32($0) & I32($1))', (a, b) => a! & b!),
  bitwise_or: fn('F32(I32($0) | I32($1))', (a, b) => a! | b!),
  bitwise_xor: fn('F32(I32($0) ^ I32($1))', (a, b) => a! ^ b!),
  __lshift__: fn('F32(I32($0) << U32($1))', (a, b) => a! << b!),
  __rshift__: fn('F32(I32($0) >> U32($1))', (a, b) => a! >> b!),
}

/** @param name in the error for a tensor that is not of integers */
const shift = (name: string): OpDef => {
  const plain = binary('default')
  return {
    ...plain,
    meta: (c) => {
      const x = c.get('self')
      if (isFake(x) && !isIntDtype(x.meta.dtype))
        throw runtimeError(`${name}: Expected input tensor to have an integral dtype. Got torch.${x.meta.dtype}`)
      return c.by(plain.meta)!
    },
  }
}

export const rules = (): Rules => ({
  'aten.bitwise_left_shift aten.bitwise_right_shift': binary('default'),
  'aten.__lshift__': shift('lshift'),
  'aten.__rshift__': shift('rshift'),
  'aten.__and__ aten.__or__ aten.__xor__ aten.hypot aten.nextafter': binary('default'),
})

export const KERNELS: Kernels = kernelsOf(BITWISE, [{ ...SELF, scalar: true }, OTHER])
