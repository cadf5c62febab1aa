/** The order in which the overloads of a packet are tried. */
import type { OpSchema } from './schema/types'

/** The order in which overloads are tried, where it matters; the others follow in catalog order. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  'aten.copy_': ['default'],
  'aten.div': ['Tensor', 'Tensor_mode', 'Scalar', 'Scalar_mode'],
  'aten.arange': ['default', 'start', 'start_step'],
  'aten.var': ['default', 'dim', 'correction'],
  'aten.std': ['default', 'dim', 'correction'],
  'aten.var_mean': ['default', 'dim', 'correction'],
  'aten.std_mean': ['default', 'dim', 'correction'],
  'aten.to': ['dtype', 'device', 'dtype_layout', 'other'],
  'aten.norm': ['Scalar', 'ScalarOpt_dim', 'ScalarOpt_dtype', 'ScalarOpt_dim_dtype'],
  'aten.pow': ['Tensor_Tensor', 'Scalar', 'Tensor_Scalar'],
  'aten.split': ['Tensor', 'sizes'],
  'aten.linalg_pinv': ['atol_rtol_tensor', 'atol_rtol_float', 'default', 'rcond_tensor'],
  'aten.max': ['default', 'dim', 'other'],
  'aten.min': ['default', 'dim', 'other'],
}

const USUAL = ['Tensor', 'default', 'Scalar', 'self', 'int', 'dim']

/** The overloads of a packet in the order a call tries them. */
export function ordered(packet: string, schemas: readonly OpSchema[]): OpSchema[] {
  const first = FIRST[packet] ?? USUAL
  const rank = (s: OpSchema): number => {
    const overload = s.name.slice(s.name.lastIndexOf('.') + 1)
    const at = first.indexOf(overload)
    if (at >= 0) return at
    if (overload.startsWith('prim_')) return 2000
    return s.args.some((a) => a.name === 'out' || (a.kwargOnly && a.type.write)) ? 1000 : 100
  }
  return [...schemas].sort((a, b) => rank(a) - rank(b))
}
