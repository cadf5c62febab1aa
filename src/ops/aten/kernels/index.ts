/** Kernels of PyTorch's own operators. A name without overload stands for all of them. */
import { ATTENTION } from '../../attention/aten'
import type { Kernel } from '../../kernel'
import { EXPERTS } from './experts'
import { FILLED } from './filled'
import { ELEMENTWISE } from './formulas'
import { GATHERS } from './gather'
import { LINE_OVERLOADS, LINES } from './lines'
import { MATMULS } from './matmul'
import { SORTS } from './sort'
import { WINDOWS } from './windows'

const BY_NAME = new Map<string, Kernel>([
  ...ELEMENTWISE,
  ...LINES,
  ...LINE_OVERLOADS,
  ...MATMULS,
  ...GATHERS,
  ...ATTENTION,
  ...SORTS,
  ...WINDOWS,
  ...EXPERTS,
  ...FILLED,
])

/** @param name `add`, and the overload `Tensor`. `out` variants have none; random numbers cannot be compared. */
export function torchKernel(name: string, overload = 'default'): Kernel | undefined {
  if (/(?:^|_)out$/.test(overload)) return undefined
  return BY_NAME.get(`${name}.${overload}`) ?? BY_NAME.get(name)
}

export { indexOne } from './gather'
export { indexPutOne } from './experts'
export { copyKernel } from './formulas'
