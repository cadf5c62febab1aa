/**
 * Reads the graph of an exported program as torch.export.save writes it: models/NAME.json in a .pt2, where arguments are tagged
 * unions (`{"as_tensor": {"name": "x"}}`). Field names are those of torch/_export/serde/schema.py.
 */
import { fields, list, text as textOrNull, type Fields, type Json } from '../../base/json'
import { Graph } from '../graph/graph'
import { dict, tuple, type Arg, type Node, type SourceRef } from '../graph/node'
import { inferOutputs } from '../readers/infer_outputs'
import { targetFromText } from '../target'
import { device, dtype, layout, memoryFormat, opRef, sym, type Dim, type Val } from '../value'

const SCALAR_TYPES: Readonly<Record<number, string>> = {
  1: 'uint8',
  2: 'int8',
  3: 'int16',
  4: 'int32',
  5: 'int64',
  6: 'float16',
  7: 'float32',
  8: 'float64',
  9: 'complex32',
  10: 'complex64',
  11: 'complex128',
  12: 'bool',
  13: 'bfloat16',
  28: 'uint16',
  29: 'float8_e4m3fn',
  30: 'float8_e5m2',
  31: 'float8_e4m3fnuz',
  32: 'float8_e5m2fnuz',
  33: 'float8_e8m0fnu',
  34: 'uint32',
  35: 'uint64',
}
const LAYOUTS = ['', 'sparse_coo', 'sparse_csr', 'sparse_csc', 'sparse_bsr', 'sparse_bsc', '_mkldnn', 'strided']
const FORMATS = ['', 'contiguous_format', 'channels_last', 'channels_last_3d', 'preserve_format']

const text = (value: Json | undefined): string => textOrNull(value) ?? ''

/** The parts of an exported program's JSON; null for other JSON. */
export function exportedGraph(value: unknown): Graph | null {
  const graph = fields(fields(fields(value as Json).graph_module).graph)
  return Array.isArray(graph.nodes) ? new ExportedReader(graph).read() : null
}

class ExportedReader {
  private readonly graph = new Graph()
  private readonly names = new Map<string, Node>()
  private readonly vals = new Map<string, Val>()

  constructor(private readonly json: Fields) {}

  read(): Graph {
    const { graph, json } = this
    for (const [name, meta] of Object.entries(fields(json.tensor_values))) this.vals.set(name, tensorVal(fields(meta)))
    for (const [name, value] of Object.entries(fields(json.sym_int_values)))
      this.vals.set(name, { kind: 'scalar', value: symOf(value) as Extract<Val, { kind: 'scalar' }>['value'] })
    for (const input of list(json.inputs)) {
      const name = nameOf(input)
      if (name === '') continue
      const node = this.keep(name, graph.createNamed(name, 'placeholder', name))
      const [, constant] = Object.entries(fields(input))[0] ?? []
      if (constant !== undefined && node.meta.val === undefined && typeof constant !== 'object')
        node.args = [this.arg(input)]
    }
    for (const node of list(json.nodes)) this.readNode(fields(node))
    const outputs = list(json.outputs).map((o) => this.arg(o))
    graph.createNode('output', 'output', [
      json.is_single_tensor_return === true ? (outputs[0] ?? null) : tuple(outputs),
    ])
    inferOutputs(graph)
    return graph
  }

  private keep(name: string, node: Node): Node {
    this.names.set(name, node)
    const val = this.vals.get(name)
    if (val) node.meta.val = val
    return node
  }

  private readNode(json: Fields): void {
    const args: Arg[] = []
    const kwargs = new Map<string, Arg>()
    for (const input of list(json.inputs).map(fields)) {
      const value = this.arg(input.arg ?? null)
      if (input.kind === 2) kwargs.set(text(input.name), value)
      else args.push(value)
    }
    // The operands of a higher-order operator are a tuple, which the JSON writes as a list.
    if (text(json.target).includes('.higher_order.'))
      for (const [i, a] of args.entries()) if (Array.isArray(a)) args[i] = tuple(a)
    const outputs = list(json.outputs)
    const several = list(fields(outputs[0]).as_tensors)
    const names = several.length > 0 ? several.map((t) => text(fields(t).name)) : outputs.map(nameOf)
    const target = targetFromText(text(json.target)).replace(/^_operator\./, 'operator.')
    const single = several.length === 0 && outputs.length <= 1 && json.is_hop_single_tensor_return !== false
    const own = text(json.name) || (single ? (names[0] ?? '') : '')
    const node = this.graph.createNode('call_function', target, args, kwargs, own === '' ? undefined : own)
    const source = sourceOf(text(fields(json.metadata).stack_trace))
    if (source) node.meta.source = source
    const additional = moduleOf(text(fields(json.metadata).nn_module_stack))
    if (additional) node.meta.additional = additional
    if (single) {
      if (names[0]) this.keep(names[0], node)
      return
    }
    for (const [i, name] of names.entries()) {
      if (name === '') continue
      const item = this.graph.createNamed(name, 'call_function', 'operator.getitem', [node, BigInt(i)])
      if (source) item.meta.source = source
      if (additional) item.meta.additional = additional
      this.keep(name, item)
    }
  }

  /** An Argument: an object with one key that says what the value is. */
  private arg(value: Json): Arg {
    const [key, inner] = Object.entries(fields(value))[0] ?? ['as_none', null]
    const kind = key.replace(/^as_/, '')
    const own = this.forms.get(kind)
    if (own) return own(inner)
    const item = this.forms.get(kind.replace(/^nested_|_lists$|s$/g, ''))
    if (!item) return { kind: 'opaque', text: JSON.stringify(value) }
    return list(inner).map(/^nested_|_lists$/.test(kind) ? (items) => list(items).map(item) : item)
  }

  private readonly named = (name: Json | undefined): Arg => this.names.get(text(name)) ?? null
  private readonly inner = (value: Json): Arg => this.arg(value)
  /** `ints`, `int_lists` and `nested_tensors` hold lists of these. */
  private readonly forms: ReadonlyMap<string, (value: Json) => Arg> = new Map([
    ...CONSTANTS,
    ['tensor', (v) => this.named(fields(v).name)],
    ['custom_obj', (v) => this.named(fields(v).name)],
    ['name', this.named],
    ['optional_tensor', this.inner],
    ['sym_int', this.inner],
    ['sym_float', this.inner],
    ['sym_bool', this.inner],
    ['string_to_argument', (v) => dict(new Map(Object.entries(fields(v)).map(([k, x]) => [k, this.arg(x)])))],
    ['graph', (v) => this.subgraph(fields(v))],
  ])

  private subgraph(json: Fields): Arg {
    const name = text(json.name)
    this.graph.subgraphs.set(name, new ExportedReader(fields(json.graph)).read())
    return this.names.get(name) ?? this.keep(name, this.graph.createNamed(name, 'get_attr', name))
  }
}

/** The integer part; null if the value is not a finite number. */
function intOf(value: Json): bigint | null {
  const n = Math.trunc(Number(value))
  return Number.isFinite(n) ? BigInt(n) : null
}

/** Arguments without nodes. */
const CONSTANTS: ReadonlyMap<string, (value: Json) => Arg> = new Map<string, (value: Json) => Arg>([
  ['none', () => null],
  ['int', intOf],
  ['float', Number],
  ['bool', (v) => v === true],
  ['string', text],
  ['scalar_type', (v) => dtype(SCALAR_TYPES[Number(v)] ?? 'float32')],
  ['layout', (v) => layout(LAYOUTS[Number(v)] || 'strided')],
  ['memory_format', (v) => memoryFormat(FORMATS[Number(v)] || 'contiguous_format')],
  ['device', (v) => deviceOf(fields(v))],
  ['complex', (v) => ({ kind: 'complex', re: Number(fields(v).real), im: Number(fields(v).imag) })],
  ['operator', (v) => opRef(text(v).replace(/^torch\.ops\./, ''))],
])

function nameOf(output: Json): string {
  const [, inner] = Object.entries(fields(output))[0] ?? []
  return text(fields(inner).name) || text(fields(inner).as_name)
}

/**
 * The innermost entry of a module stack, which is the text `KEY,PATH,TYPE;…`. Its path contains the outer entries; keeping all
 * entries of all nodes would take as much space as the graph.
 */
function moduleOf(stack: string): Record<string, unknown> | undefined {
  const [key, path, type] = stack.split(';').at(-1)!.split(',')
  return path === undefined ? undefined : { nn_module_stack: { [key!]: [path, type ?? ''] } }
}

const deviceOf = (json: Fields) => device(text(json.type), typeof json.index === 'number' ? json.index : null)

function tensorVal(json: Fields): Val {
  const dims = (value: Json | undefined): Dim[] => list(value).map(dimOf)
  return {
    kind: 'tensor',
    dtype: SCALAR_TYPES[Number(json.dtype)] ?? 'float32',
    shape: dims(json.sizes),
    stride: dims(json.strides),
    device: deviceOf(fields(json.device)),
  }
}

function dimOf(value: Json): Dim {
  const { as_int: int, as_expr: expr } = fields(value)
  return typeof int === 'number' ? int : symbols(text(fields(expr).expr_str))
}

function symOf(value: Json): bigint | ReturnType<typeof sym> {
  const dim = dimOf(value)
  return typeof dim === 'number' ? BigInt(dim) : sym(dim)
}

/** `Mul(Integer(2), Symbol('s72', positive=True, integer=True))`, sympy's srepr, as print_readable prints it: `2*s72`. */
function symbols(srepr: string): string {
  let out = srepr.replace(/Symbol\('(\w+)'[^)]*\)/g, '$1').replace(/Integer\((-?\d+)\)/g, '$1')
  const INFIX: Readonly<Record<string, string>> = { Mul: '*', Add: ' + ', Pow: '**' }
  for (let i = 0; i < 50; i++) {
    const next = out.replace(/\b(Mul|Add|Pow)\(([^()]*)\)/g, (_, name: string, args: string) =>
      args
        .split(/,\s*/)
        .map((a) => (name !== 'Add' && / [+] /.test(a) ? `{${a}}` : a))
        .join(INFIX[name]),
    )
    if (next === out) break
    out = next
  }
  return out.replaceAll('{', '(').replaceAll('}', ')')
}

/** The innermost frame of a stack trace. */
function sourceOf(trace: string): SourceRef | undefined {
  const frames = [...trace.matchAll(/File "([^"]+)", line (\d+), in (\S+)\n\s*(.*)/g)]
  const last = frames.at(-1)
  return last && { file: last[1]!, line: Number(last[2]), fn: last[3]!, code: last[4]! }
}
