/** Factorizations and eigenvalues: shapes of the operators that LAPACK computes, and the composites over them. */
import { type Dim, dtype as dtypeArg, layout } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import { cpp } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { cppType, isComplexDtype, toReal } from '../../promote'
import { runtimeError } from '../../torch_error'
import { columns, ints, matricesOf, squareOf } from './matrices'

const tuple = (...items: DispatchArg[]): DispatchArg => ({ kind: 'tuple', items })
const toComplex = (dtype: string): string =>
  isComplexDtype(dtype) ? dtype : dtype === 'float64' ? 'complex128' : 'complex64'

/** A factor and an info tensor; the composite checks the info. */
export function checked(
  c: OpCall,
  out: DispatchArg,
  at: number,
  called: string,
  matrix = c.tensor(c.schema.args[0]!.name),
): FakeTensor {
  const items = itemsOf(out)!
  c.call('aten._linalg_check_errors.default', [items[at]!, called], { is_matrix: matrix.meta.shape.length === 2 })
  return items[0] as FakeTensor
}

/** `inv` and `cholesky`: the first result of the operator with an info, in the caller's tensor if there is one. */
const withChecks = (name: string, first: string, called: string): OpDef => ({
  implicit: (c) => {
    const x = c.tensor(c.schema.args[0]!.name)
    const given: Record<string, DispatchArg> = c.bool('upper') ? { upper: true } : {}
    const out = c.maybeTensor('out')
    if (!out) return checked(c, c.call(`${name}.default`, [x], given), 1, called)
    const options = { dtype: dtypeArg('int32'), layout: layout('strided'), device: x.meta.device ?? null }
    const info = c.call('aten.empty.memory_format', [[0n]], options)
    return checked(c, c.call(`${name}.${first}`, [x], { ...given, [first]: out, info }), 1, called)
  },
})

const item = (c: OpCall, name: string, args: readonly DispatchArg[], at: number): DispatchArg =>
  itemsOf(c.call(name, args))![at]!

const svd: OpDef = {
  meta: (c) => {
    const m = matricesOf(c, 'A', 'linalg.svd')
    const full = c.bool('full_matrices')
    const u = columns(c, m.x.meta.dtype, [...m.batch, m.rows, full ? m.rows : m.least], m.x)
    const s = c.fresh(toReal(m.x.meta.dtype), [...m.batch, m.least], m.x.meta.device)
    const shape = [...m.batch, full ? m.columns : m.least, m.columns]
    const onCpu = m.x.meta.device?.type === 'cpu'
    return tuple(u, s, onCpu ? columns(c, m.x.meta.dtype, shape, m.x) : c.fresh(m.x.meta.dtype, shape, m.x.meta.device))
  },
}

const qr: OpDef = {
  meta: (c) => {
    const m = matricesOf(c, 'A', 'linalg.qr')
    const mode = c.string('mode') ?? 'reduced'
    const { dtype, device } = m.x.meta
    const inner = mode === 'complete' ? m.rows : m.least
    const q = mode === 'r' ? c.fresh(dtype, [0], device) : columns(c, dtype, [...m.batch, m.rows, inner], m.x)
    return tuple(q, columns(c, dtype, [...m.batch, inner, m.columns], m.x))
  },
}

const eigh: OpDef = {
  meta: (c) => {
    const m = squareOf(c, 'A', 'linalg.eigh')
    const values = c.fresh(toReal(m.x.meta.dtype), [...m.batch, m.rows], m.x.meta.device)
    const vectors = c.bool('compute_v')
      ? columns(c, m.x.meta.dtype, m.x.meta.shape, m.x)
      : c.fresh(m.x.meta.dtype, [0], m.x.meta.device)
    return tuple(values, vectors)
  },
}

const factorWithInfo = (called: string, name = 'A'): OpDef => ({
  meta: (c) => {
    const m = squareOf(c, name, called)
    return tuple(columns(c, m.x.meta.dtype, m.x.meta.shape, m.x), ints(c, m.batch, m.x))
  },
})

const luFactor: OpDef = {
  meta: (c) => {
    const m = matricesOf(c, 'A', 'linalg.lu_factor')
    const factor = columns(c, m.x.meta.dtype, m.x.meta.shape, m.x)
    return tuple(factor, ints(c, [...m.batch, m.least], m.x), ints(c, m.batch, m.x))
  },
}

/** U, S and V of A = U S V^H, as torch.svd returns them. */
function oldSvd(c: OpCall): DispatchArg {
  const [u, s, vh] = itemsOf(c.call('aten._linalg_svd.default', [c.tensor('self'), !c.bool('some')]))!
  return tuple(u!, s!, c.op('aten.mH.default', vh!))
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten._linalg_check_errors': { meta: () => null },
  'aten.linalg_cholesky': withChecks('aten.linalg_cholesky_ex', 'L', 'linalg.cholesky'),
  'aten.linalg_cholesky_ex': factorWithInfo('linalg.cholesky', 'self'),
  'aten.cholesky aten.cholesky_inverse': {
    meta: (c) => columns(c, c.tensor('self').meta.dtype, c.tensor('self').meta.shape, c.tensor('self')),
  },
  'aten.linalg_ldl_factor_ex': {
    called: false,
    meta: (c) => {
      const m = squareOf(c, 'self', 'torch.linalg.ldl_factor_ex')
      const factor = columns(c, m.x.meta.dtype, m.x.meta.shape, m.x)
      return tuple(factor, ints(c, [...m.batch, m.rows], m.x), ints(c, m.batch, m.x))
    },
  },
  'aten.linalg_ldl_factor': {
    called: false,
    implicit: (c) => {
      const given: Record<string, DispatchArg> = c.bool('hermitian') ? { hermitian: true } : {}
      const out = c.call('aten.linalg_ldl_factor_ex.default', [c.tensor('self')], given)
      return tuple(checked(c, out, 2, 'torch.linalg.ldl_factor'), itemsOf(out)![1]!)
    },
  },
  'aten.lu_unpack': {
    called: false,
    meta: (c) => {
      const m = matricesOf(c, 'LU_data', 'torch.lu_unpack')
      const make = (flag: string, ...shape: Dim[]): FakeTensor =>
        c.fresh(m.x.meta.dtype, c.bool(flag) ? [...m.batch, ...shape] : [0], m.x.meta.device)
      return tuple(
        make('unpack_pivots', m.rows, m.rows),
        make('unpack_data', m.rows, m.least),
        make('unpack_data', m.least, m.columns),
      )
    },
  },
  'aten.geqrf': {
    called: false,
    meta: (c) => {
      const m = matricesOf(c, 'self', 'torch.geqrf')
      const factor = columns(c, m.x.meta.dtype, m.x.meta.shape, m.x)
      return tuple(factor, c.fresh(m.x.meta.dtype, [...m.batch, m.least], m.x.meta.device))
    },
  },
  'aten.linalg_householder_product': {
    meta: (c) => columns(c, c.tensor('input').meta.dtype, c.tensor('input').meta.shape, c.tensor('input')),
  },
  'aten.ormqr': {
    meta: (c) => columns(c, c.tensor('input3').meta.dtype, c.tensor('input3').meta.shape, c.tensor('input3')),
  },
  'aten.linalg_inv aten.inverse': withChecks('aten.linalg_inv_ex', 'inverse', 'linalg.inv'),
  'aten.linalg_inv_ex': factorWithInfo('linalg.inv_ex'),
  'aten._linalg_svd': svd,
  'aten.linalg_svd': { implicit: cpp('_linalg_svd(A, full_matrices, driver=driver)') },
  'aten.linalg_svdvals': { implicit: (c) => item(c, 'aten._linalg_svd.default', [c.tensor('A')], 1) },
  'aten.svd': { implicit: oldSvd },
  'aten._linalg_eigh': eigh,
  'aten.linalg_eigh': { implicit: (c) => c.call('aten._linalg_eigh.default', [c.tensor('self'), c.get('UPLO')]) },
  'aten.linalg_eigvalsh': {
    implicit: (c) => item(c, 'aten._linalg_eigh.default', [c.tensor('self'), c.get('UPLO')], 0),
  },
  'aten.linalg_eig': {
    meta: (c) => {
      const m = squareOf(c, 'self', 'linalg.eig')
      const dtype = toComplex(m.x.meta.dtype)
      return tuple(c.fresh(dtype, [...m.batch, m.rows], m.x.meta.device), columns(c, dtype, m.x.meta.shape, m.x))
    },
  },
  'aten.linalg_eigvals': { implicit: (c) => item(c, 'aten.linalg_eig.default', [c.tensor('self')], 0) },
  'aten.linalg_lu': {
    meta: (c) => {
      const m = matricesOf(c, 'A', 'linalg.lu')
      const make = (rows: Dim, width: Dim): FakeTensor =>
        c.fresh(m.x.meta.dtype, [...m.batch, rows, width], m.x.meta.device)
      const p = c.bool('pivot') ? make(m.rows, m.rows) : c.fresh(m.x.meta.dtype, [0], m.x.meta.device)
      return tuple(p, make(m.rows, m.least), make(m.least, m.columns))
    },
  },
  'aten.linalg_qr': qr,
  'aten.qr': {
    implicit: (c) => c.call('aten.linalg_qr.default', [c.tensor('self'), c.bool('some') ? 'reduced' : 'complete']),
  },
  'aten.linalg_lu_factor_ex': luFactor,
  'aten.linalg_lu_factor': {
    implicit: (c) => {
      const out = c.call('aten.linalg_lu_factor_ex.default', [c.tensor('A')])
      return tuple(checked(c, out, 2, 'torch.linalg.lu_factor'), itemsOf(out)![1]!)
    },
  },
  'aten._linalg_det': {
    meta: (c) => {
      const m = squareOf(c, 'A', 'linalg.det')
      const lu = columns(c, m.x.meta.dtype, m.x.meta.shape, m.x)
      return tuple(c.fresh(m.x.meta.dtype, m.batch, m.x.meta.device), lu, ints(c, [...m.batch, m.rows], m.x))
    },
  },
  'aten._linalg_slogdet': {
    meta: (c) => {
      const m = squareOf(c, 'A', 'linalg.slogdet')
      const { dtype, shape, device } = m.x.meta
      const [sign, log] = [c.fresh(dtype, m.batch, device), c.fresh(toReal(dtype), m.batch, device)]
      return tuple(sign, log, columns(c, dtype, shape, m.x), ints(c, [...m.batch, m.rows], m.x))
    },
  },
  'aten.linalg_det aten.det': {
    implicit: (c) => item(c, 'aten._linalg_det.default', [c.tensor(c.schema.args[0]!.name)], 0),
  },
  'aten.linalg_slogdet aten.slogdet': {
    implicit: (c) => {
      const [sign, log] = itemsOf(c.call('aten._linalg_slogdet.default', [c.tensor(c.schema.args[0]!.name)]))!
      return tuple(sign!, log!)
    },
  },
  'aten.logdet': {
    implicit: (c, x) => {
      const [sign, log] = itemsOf(c.call('aten._linalg_slogdet.default', [x]))!
      if (isComplexDtype(x.meta.dtype)) return c.op('aten.add.Tensor', c.op('aten.log.default', sign!), log!)
      return c.op('aten.where.ScalarSelf', c.op('aten.eq.Scalar', sign!, -1), NaN, log!)
    },
  },
  'aten.linalg_matrix_power aten.matrix_power': {
    implicit: (c) => matrixPower(c, c.tensor('self'), c.int('n')),
  },
  'aten.chain_matmul aten.linalg_multi_dot': {
    implicit: (c) => {
      const [first, ...rest] = c.tensors(c.schema.args[0]!.name)
      const other = rest.findIndex((t) => t.meta.dtype !== first!.meta.dtype)
      if (other >= 0)
        throw runtimeError(
          `multi_dot(): all tensors must have be the same dtype but tensor 0 is ${cppType(first!.meta.dtype)} and tensor ${other + 1} ${cppType(rest[other]!.meta.dtype)}`,
        )
      if (rest.length === 0 || rest.length > 2) return undefined
      const made = product(c, first!, rest)
      return c.op('aten.view.default', made, dimArgs(made.meta.shape))
    },
  },
  'aten.linalg_matmul': { implicit: (c) => c.call('aten.matmul.default', [c.tensor('self'), c.tensor('other')]) },
  'aten.linalg_diagonal': {
    implicit: (c) => c.call('aten.diagonal.default', [c.tensor('A'), c.get('offset'), c.get('dim1'), c.get('dim2')]),
  },
  'aten.linalg_cond': {
    implicit: (c) => {
      if (c.has('p') && Math.abs(c.number('p') ?? 0) !== 2) return undefined
      const values = c.op('aten.linalg_svdvals.default', c.tensor('self'))
      const last = BigInt(Number(values.meta.shape.at(-1)))
      const part = (from: bigint, to: bigint): FakeTensor => c.op('aten.slice.Tensor', values, -1n, from, to)
      const [largest, least] = [part(0n, 1n), part(last - 1n, last)]
      const ratio =
        c.number('p') === -2 ? c.op('aten.div.Tensor', least, largest) : c.op('aten.div.Tensor', largest, least)
      return c.op('aten.squeeze.dim', ratio, -1n)
    },
  },
  'aten.pinverse': {
    implicit: (c, x) => {
      const number = (value: DispatchArg): DispatchArg =>
        c.call('aten.full.default', [[], value], {
          dtype: dtypeArg('float64'),
          layout: layout('strided'),
          device: x.meta.device!,
        })
      const options = { atol: number(0), rtol: number(c.get('rcond')) }
      return c.call('aten.linalg_pinv.atol_rtol_tensor', [x], options)
    },
  },
  'aten.linalg_pinv.atol_rtol_tensor': {
    meta: (c) => {
      const m = matricesOf(c, 'self', 'linalg.pinv')
      return c.fresh(m.x.meta.dtype, [...m.batch, m.columns, m.rows], m.x.meta.device)
    },
  },
})

/** Two or three matrices; with three, the cheaper product is computed first. */
function product(c: OpCall, a: FakeTensor, [b, d]: readonly FakeTensor[]): FakeTensor {
  const mm = (x: FakeTensor, y: FakeTensor): FakeTensor => c.op('aten.mm.default', x, y)
  if (!d) return mm(a, b!)
  const [rows, inner, middle, width] = [a.meta.shape[0], b!.meta.shape[0], d.meta.shape[0], d.meta.shape[1]].map(Number)
  const leftFirst = rows! * middle! * (inner! + width!)
  const rightFirst = width! * inner! * (rows! + middle!)
  return leftFirst <= rightFirst ? mm(mm(a, b!), d) : mm(a, mm(b!, d))
}

/** Repeated squaring, in the order of at::linalg_matrix_power. */
function matrixPower(c: OpCall, x: FakeTensor, exponent: number): FakeTensor | undefined {
  if (exponent === 0) return undefined
  const times = (a: FakeTensor, b: FakeTensor): FakeTensor => c.op('aten.matmul.default', a, b)
  const base = exponent < 0 ? c.op('aten.linalg_inv.default', x) : x
  let n = Math.abs(exponent)
  if (n === 1) return exponent < 0 ? base : c.op('aten.clone.default', x)
  if (n === 2) return times(base, base)
  if (n === 3) return times(times(base, base), base)
  let square: FakeTensor | null = null
  let out: FakeTensor | null = null
  while (n > 0) {
    square = square ? times(square, square) : base
    if (n % 2 === 1) out = out ? times(out, square) : square
    n = Math.floor(n / 2)
  }
  return out!
}
