/** Bitwise operators and shifts. */
import type { Kernels, Rules } from '../../operator'
import { binary } from './arithmetic'
import type { Formula } from './elementwise_kernel'
import { f, kernelsOf, OTHER, SELF } from './formula'

const BITWISE: Record<string, Formula> = {
  bitwise_and: f('F32(I32(self) & I32(other))', (a, b) => a & b),
  bitwise_or: f('F32(I32(self) | I32(other))', (a, b) => a | b),
  bitwise_xor: f('F32(I32(self) ^ I32(other))', (a, b) => a ^ b),
  __lshift__: f('F32(I32(self) << U32(other))', (a, b) => a << b),
  __rshift__: f('F32(I32(self) >> U32(other))', (a, b) => a >> b),
}

export const rules = (): Rules => ({
  'aten.bitwise_left_shift aten.bitwise_right_shift aten.__rshift__ aten.__lshift__': binary('default'),
  'aten.__and__ aten.__or__ aten.__xor__ aten.hypot aten.nextafter': binary('default'),
})

export const KERNELS: Kernels = kernelsOf(BITWISE, [{ ...SELF, scalar: true }, OTHER])
