/** higher_order.auto_functionalized and _v2 over fake tensors (torch/_higher_order_ops/auto_functionalize.py). */
import { isFake, isKind, itemsOf, toDim, type DispatchArg, type FakeTensor } from '../ops/fake'
import { mutatedArgs, type OpSchema } from '../ops/schema'
import { stridesOf } from '../ops/strides'
import { TorchError } from '../ops/torch_error'

export interface FunctionalizeContext {
  /** Null for an undeclared operator. */
  schemaOf(target: string): OpSchema | null
  /** The schema to assume for an undeclared operator in this call. */
  infer(target: string, kwargs: ReadonlyMap<string, DispatchArg>): OpSchema
  /** Runs the operator on fake tensors without tracing it. */
  run(schema: OpSchema, kwargs: ReadonlyMap<string, DispatchArg>): DispatchArg
  fresh(meta: FakeTensor['meta']): FakeTensor
}

/** @throws TorchError for the errors that PyTorch raises */
export function autoFunctionalized(
  w: FunctionalizeContext,
  v2: boolean,
  args: readonly DispatchArg[],
  kwargs: ReadonlyMap<string, DispatchArg>,
): DispatchArg {
  const op = args[0]
  const target = isKind(op, 'op') ? (op as { name: string }).name : null
  const schema =
    target === null || target.split('.').length !== 3 ? null : (w.schemaOf(target) ?? w.infer(target, kwargs))
  if (!schema || !canAutoFunctionalize(schema))
    throw new TorchError('AssertionError', `Cannot auto-functionalize op ${target ?? String(op)}`)
  const { call, mutated } = v2 ? fromBases(w, schema, kwargs) : withClones(w, schema, kwargs)
  const out = w.run(schema, call)
  const items = isKind(out, 'tuple') ? (itemsOf(out) ?? [out]) : [out]
  return { kind: 'tuple', items: [...items, ...mutated] }
}

/** True for mutable custom operators whose results alias none of their inputs. */
function canAutoFunctionalize(schema: OpSchema): boolean {
  if (/^(aten|prims|prim)\./.test(schema.name) || !schema.mutable) return false
  if (schema.args.some((a) => a.type.write && a.type.base !== 'Tensor')) return false
  return schema.returns.every((r) => r.alias === null && r.base === 'Tensor' && r.list === null)
}

const clone = (w: FunctionalizeContext, t: DispatchArg): DispatchArg => {
  if (isFake(t)) return w.fresh(t.meta)
  const items = itemsOf(t)
  return items ? items.map((x) => clone(w, x)) : t
}

function withClones(
  w: FunctionalizeContext,
  schema: OpSchema,
  kwargs: ReadonlyMap<string, DispatchArg>,
): { call: Map<string, DispatchArg>; mutated: DispatchArg[] } {
  const call = new Map(kwargs)
  const mutated: DispatchArg[] = []
  for (const name of mutatedArgs(schema)) {
    if (!kwargs.has(name)) throw new TorchError('KeyError', `'${name}'`)
    const cloned = clone(w, kwargs.get(name)!)
    call.set(name, cloned)
    mutated.push(cloned)
  }
  return { call, mutated }
}

function fromBases(
  w: FunctionalizeContext,
  schema: OpSchema,
  kwargs: ReadonlyMap<string, DispatchArg>,
): { call: Map<string, DispatchArg>; mutated: DispatchArg[] } {
  const call = new Map(kwargs)
  const bases = (itemsOf(call.get('_all_bases')) ?? []).map((b) => clone(w, b))
  call.delete('_all_bases')
  const take = (name: string): DispatchArg => {
    if (!call.has(name)) throw new TorchError('KeyError', `'${name}'`)
    const v = call.get(name)!
    call.delete(name)
    return v
  }
  const regenerate = (prefix: string): DispatchArg => {
    const index = take(`${prefix}_base_index`)
    if (index === null) return null
    const base = bases[Number(toDim(index))]
    if (call.has(`${prefix}_alias`)) {
      take(`${prefix}_alias`)
      return base ?? null
    }
    if (!isFake(base)) throw new TorchError('IndexError', 'list index out of range')
    if (call.has(`${prefix}_storage_offset`)) {
      const shape = (itemsOf(take(`${prefix}_size`)) ?? []).map(toDim)
      const stride = (itemsOf(take(`${prefix}_stride`)) ?? []).map(toDim)
      take(`${prefix}_storage_offset`)
      return { ...base, meta: { ...base.meta, shape, stride } }
    }
    if (call.has(`${prefix}_slice_dim`)) {
      const dim = Number(toDim(take(`${prefix}_slice_dim`)))
      const start = Number(toDim(take(`${prefix}_slice_start`)))
      const end = Number(toDim(take(`${prefix}_slice_end`)))
      const shape = base.meta.shape.map((d, i) => (i === dim && typeof d === 'number' ? Math.min(end, d) - start : d))
      return { ...base, meta: { ...base.meta, shape, stride: stridesOf(base.meta) } }
    }
    return base
  }
  for (const arg of schema.args) {
    if (!arg.type.write) continue
    if (arg.type.list === null) call.set(arg.name, regenerate(`_${arg.name}`))
    else {
      const length = take(`_${arg.name}_length`)
      call.set(
        arg.name,
        length === null
          ? null
          : Array.from({ length: Number(toDim(length)) }, (_, i) => regenerate(`_${arg.name}_${i}`)),
      )
    }
  }
  return { call, mutated: bases }
}
