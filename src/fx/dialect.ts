/**
 * ExecuTorch's dialects: an operator of the edge or backend dialect is an object of its own, not the torch.ops operator that it
 * calls, so a pass can tell them apart. Its target keeps the path that `print(graph)` shows.
 */

const PATH = 'python:executorch.exir.dialects.'
const DIALECT = /^python:executorch\.exir\.dialects\.(edge|backend)\._ops\.(.+)$/
/** The same path in FX's code, where it is one global name. */
const IN_CODE = /^executorch_exir_dialects_(edge|backend)__ops_(\w+)$/

/** Namespaces whose names contain `_`; FX code joins the namespace and the operator with `_`. */
const NAMESPACES = ['dim_order_ops', 'quantized_decomposed', 'executorch_prim', 'cortex_m', 'et_vk', 'qnn_op']
/** Overload names that contain `_`, as in schemas; any other overload name is one word. */
const OVERLOADS = [
  ...['dim_IntList', 'dim_int', 'dim_max', 'dim_min', 'Tensor_Scalar', 'Scalar_Tensor', 'Tensor_Tensor', 'Tensor_mode'],
  ...['Scalar_mode', 'Tensor_Tensor_out', 'start_step', 'Scalar_out', 'Tensor_out', 'dim_out', 'names_dim', 'self_out'],
  ...[
    'ScalarOpt_dim',
    'ScalarOpt_dim_dtype',
    'generator_out',
    'Tensor_Scalar_out',
    'correction_names',
    'dim_IntList_out',
  ],
]

/** `aten.add.Tensor` for a dialect's operator; any other target unchanged. */
export function operatorBehind(target: string): string {
  return target.startsWith(PATH) ? (DIALECT.exec(target)?.[2] ?? target) : target
}

/** `edge.aten.add.Tensor`, the display name of a dialect's operator; any other target unchanged. */
export const dialectText = (target: string): string =>
  DIALECT.test(target) ? target.slice(PATH.length).replace('._ops.', '.') : target

/** The dialect of an operator: `edge`; null for any other target. */
export const dialectOf = (target: string): string | null => DIALECT.exec(target)?.[1] ?? null

/** The dialect's operator that calls an operator of torch.ops. */
export const inDialect = (target: string, dialect: string): string => `${PATH}${dialect}._ops.${target}`

/** The target for `executorch_exir_dialects_edge__ops_aten_add_Tensor`; null for another name. */
export function dialectFromCode(name: string): string | null {
  const [, dialect, joined] = IN_CODE.exec(name) ?? []
  if (!dialect || !joined) return null
  const namespace = NAMESPACES.find((each) => joined.startsWith(`${each}_`)) ?? /^_*[^_]+/.exec(joined)![0]
  const rest = joined.slice(namespace.length + 1)
  const overload = OVERLOADS.find((each) => rest.endsWith(`_${each}`)) ?? /[^_]+$/.exec(rest)?.[0]
  if (!overload || overload.length + 1 >= rest.length) return null
  return `${PATH}${dialect}._ops.${namespace}.${rest.slice(0, -overload.length - 1)}.${overload}`
}
