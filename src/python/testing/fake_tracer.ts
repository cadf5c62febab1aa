/**
 * A tracer for the tests of the Python side: it records calls as they come, without decomposition, and knows the shape
 * of a few operators only. What Python sends is looked at here; what operators mean is src/trace's own matter.
 */
import { Graph, Node, type Arg, type ConstantValues, type TensorMeta } from '../../fx'
import {
  TorchError,
  type DispatchArg,
  type FakeTensor,
  type TraceInput,
  type Tracer,
  type DispatchTuple,
} from '../../trace/types'

type FakeImpl = Parameters<Tracer['registerFake']>[1]

export class FakeTracer implements Tracer {
  readonly inferredOps = new Set<string>()
  readonly defined: string[] = []
  /** Calls outside and inside traces: `aten.empty.memory_format`. */
  readonly calls: string[] = []
  private next = 1
  private graphs: Graph[] = []
  private nodes = new Map<number, Node>()
  private readonly fakes = new Map<string, FakeImpl>()

  fake(meta: TensorMeta): FakeTensor {
    return { kind: 'fake', id: this.next, meta, storage: this.next++ }
  }

  constant(meta: TensorMeta, _values: ConstantValues): FakeTensor {
    return this.fake(meta)
  }

  call(name: string, args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>): DispatchArg {
    this.calls.push(name)
    const impl = this.fakes.get(name) ?? this.fakes.get(`${name}.default`)
    const made = impl ? impl(args, kwargs) : this.shapeRule(name, args, kwargs)
    this.record(name, args, kwargs, made)
    return made
  }

  begin(inputs: readonly TraceInput[]): FakeTensor[] {
    const graph = new Graph()
    this.graphs.push(graph)
    return inputs.map(({ name, val }) => {
      const fake = this.fake(val.kind === 'tensor' ? val : plain([]))
      const node = graph.createNode('placeholder', name, [], new Map(), name)
      this.nodes.set(fake.id, node)
      return fake
    })
  }

  end(output: DispatchArg): Graph {
    const graph = this.graphs.pop()!
    graph.createNode('output', 'output', [this.arg(output)])
    return graph
  }

  abort(): void {
    this.graphs.pop()
  }

  define(ns: string, schema: string): void {
    const name = `${ns}.${schema.split('(')[0]}`
    if (!schema.includes('->')) throw new TorchError('RuntimeError', `no arrow in ${schema}`)
    if (this.defined.includes(name)) throw new TorchError('RuntimeError', `${name} is defined already`)
    this.defined.push(name)
  }

  registerFake(name: string, impl: FakeImpl): void {
    this.fakes.set(name, impl)
  }

  reset(): void {
    this.defined.length = 0
    this.calls.length = 0
    this.fakes.clear()
  }

  private record(
    name: string,
    args: readonly DispatchArg[],
    kwargs: ReadonlyMap<string, DispatchArg>,
    made: DispatchArg,
  ): void {
    const graph = this.graphs.at(-1)
    if (!graph) return
    const node = graph.createNode(
      'call_function',
      name.split('.').length === 2 && name.startsWith('aten.') ? `${name}.default` : name,
      args.map((a) => this.arg(a)),
      new Map([...kwargs].map(([k, v]) => [k, this.arg(v)])),
    )
    if (isFake(made)) this.nodes.set(made.id, node)
    for (const [i, item] of itemsOf(made).entries())
      if (isFake(item))
        this.nodes.set(item.id, graph.createNode('call_function', 'operator.getitem', [node, BigInt(i)]))
  }

  private arg(a: DispatchArg): Arg {
    if (isFake(a)) return this.nodes.get(a.id) ?? `fake ${a.id}`
    if (Array.isArray(a)) return (a as readonly DispatchArg[]).map((x) => this.arg(x))
    if (typeof a === 'object' && a !== null && 'kind' in a && a.kind === 'tuple')
      return { kind: 'tuple', items: (a.items as readonly DispatchArg[]).map((x) => this.arg(x)) }
    return a as Arg
  }

  private shapeRule(name: string, args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>): DispatchArg {
    const dtype = kwargs.get('dtype') as { name: string } | undefined
    const [first, second] = args
    if (/^aten\.(empty|zeros|ones|full|rand|randn)\./.test(name)) return this.fake(plain(dims(first!), dtype?.name))
    if (name === 'aten.arange.default') return this.fake(plain(dims([first!]), dtype?.name ?? 'int64'))
    if (name.startsWith('higher_order.auto_functionalized')) {
      const tensors = [...kwargs.values()]
        .flatMap((v) => (Array.isArray(v) ? (v as DispatchArg[]) : [v]))
        .filter(isFake)
      return { kind: 'tuple', items: [null, ...tensors.map((t) => this.fake(t.meta))] }
    }
    if (name === 'aten.mm' || name === 'aten.mm.default') {
      const [a, b] = [(first as FakeTensor).meta, (second as FakeTensor).meta]
      if (a.shape[1] !== b.shape[0])
        throw new TorchError(
          'RuntimeError',
          `mat1 and mat2 shapes cannot be multiplied (${a.shape.join('x')} and ${b.shape.join('x')})`,
        )
      return this.fake({ ...a, shape: [a.shape[0]!, b.shape[1]!], stride: [b.shape[1]!, 1] })
    }
    const tensor = args.flatMap((a) => (Array.isArray(a) ? (a as DispatchArg[]) : [a])).find(isFake)
    if (!tensor) return null
    const { meta } = tensor
    if (name === 'aten.new_empty.default')
      return this.fake({ ...plain(dims(second!)), dtype: dtype?.name ?? meta.dtype })
    if (name === 'aten.split.Tensor') {
      const size = Number(second)
      const dim = (Number(args[2] ?? 0) + meta.shape.length) % meta.shape.length
      const pieces = Math.ceil(Number(meta.shape[dim]) / size)
      return Array.from({ length: pieces }, () =>
        this.fake({ ...meta, shape: meta.shape.map((d, i) => (i === dim ? size : d)) }),
      )
    }
    if (name === 'aten.slice.Tensor') {
      const [dim, start, stop, step] = [Number(second), Number(args[2]), Number(args[3]), Number(args[4])]
      const size = Number(meta.shape[dim])
      const at = (i: number): number => Math.max(0, Math.min(size, i < 0 ? i + size : i))
      const length = Math.ceil((at(stop) - at(start)) / step)
      return this.fake({ ...meta, shape: meta.shape.map((d, i) => (i === dim ? length : d)) })
    }
    if (name === 'aten.select.int')
      return this.fake({
        ...meta,
        shape: meta.shape.filter((_, i) => i !== Number(second)),
        stride: meta.stride?.filter((_, i) => i !== Number(second)) ?? null,
      })
    if (name === 'aten.unsqueeze.default')
      return this.fake({
        ...meta,
        shape: meta.shape.toSpliced(Number(second), 0, 1),
        stride: meta.stride?.toSpliced(Number(second), 0, 1) ?? null,
      })
    if (name === 'aten.max' && args.length > 1 && typeof second === 'bigint')
      return { kind: 'tuple', items: [this.fake(meta), this.fake({ ...meta, dtype: 'int64' })] }
    return this.fake(dtype ? { ...meta, dtype: dtype.name } : meta)
  }
}

const isFake = (a: DispatchArg): a is FakeTensor =>
  typeof a === 'object' && a !== null && 'kind' in a && a.kind === 'fake'

function itemsOf(made: DispatchArg): readonly DispatchArg[] {
  if (Array.isArray(made)) return made as readonly DispatchArg[]
  return typeof made === 'object' && made !== null && 'kind' in made && made.kind === 'tuple'
    ? ((made as DispatchTuple).items as readonly DispatchArg[])
    : []
}

const dims = (sizes: DispatchArg): number[] => (sizes as readonly bigint[]).map(Number)

function plain(shape: number[], dtype = 'float32'): TensorMeta {
  let step = 1
  const stride = shape.toReversed().map((d) => {
    const at = step
    step *= d
    return at
  })
  return {
    kind: 'tensor',
    dtype,
    shape,
    stride: stride.reverse(),
    device: { kind: 'device', type: 'cpu', index: null },
  }
}
