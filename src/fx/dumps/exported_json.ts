/**
 * Reads the graph of an exported program as torch.export.save writes it: models/NAME.json of a .pt2, whose nodes have
 * arguments as tagged unions (`{"as_tensor": {"name": "x"}}`). Field names are those of torch/_export/serde/schema.py.
 */
import { Graph } from '../graph/graph'
import { dict, tuple, type Arg, type Node, type SourceRef } from '../graph/node'
import { inferOutputs } from '../readers/infer_outputs'
import { targetFromText } from '../target'
import { device, dtype, layout, memoryFormat, opRef, sym, type Dim, type Val } from '../value'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Fields = { [key: string]: Json }

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

const fields = (value: Json | undefined): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

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
    const [kind, inner] = Object.entries(fields(value))[0] ?? ['as_none', null]
    const items = list(inner)
    switch (kind) {
      case 'as_tensor':
      case 'as_custom_obj':
        return this.names.get(text(fields(inner).name)) ?? null
      case 'as_tensors':
        return items.map((t) => this.names.get(text(fields(t).name)) ?? null)
      case 'as_nested_tensors':
        return items.map((l) => list(l).map((t) => this.names.get(text(fields(t).name)) ?? null))
      case 'as_optional_tensor':
        return this.arg(inner)
      case 'as_optional_tensors':
      case 'as_sym_ints':
      case 'as_sym_floats':
      case 'as_sym_bools':
        return items.map((t) => this.arg(t))
      case 'as_sym_int':
      case 'as_sym_float':
      case 'as_sym_bool':
        return this.arg(inner)
      case 'as_name':
        return this.names.get(text(inner)) ?? null
      case 'as_string_to_argument':
        return dict(new Map(Object.entries(fields(inner)).map(([k, v]) => [k, this.arg(v)])))
      case 'as_graph':
        return this.subgraph(fields(inner))
      default:
        return constantOf(kind, inner) ?? (kind === 'as_none' ? null : { kind: 'opaque', text: JSON.stringify(value) })
    }
  }

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

/** The value of an Argument without nodes; undefined for other kinds. */
function constantOf(kind: string, inner: Json): Arg | undefined {
  const items = list(inner)
  switch (kind) {
    case 'as_int':
      return intOf(inner)
    case 'as_ints':
      return items.map(intOf)
    case 'as_int_lists':
      return items.map((l) => list(l).map(intOf))
    case 'as_float':
      return floatOf(inner)
    case 'as_floats':
      return items.map(floatOf)
    case 'as_float_lists':
      return items.map((l) => list(l).map(floatOf))
    case 'as_bool':
      return inner === true
    case 'as_bools':
      return items.map((b) => b === true)
    case 'as_string':
      return text(inner)
    case 'as_strings':
      return items.map(text)
    case 'as_scalar_type':
      return dtype(SCALAR_TYPES[Number(inner)] ?? 'float32')
    case 'as_layout':
      return layout(LAYOUTS[Number(inner)] || 'strided')
    case 'as_memory_format':
      return memoryFormat(FORMATS[Number(inner)] || 'contiguous_format')
    case 'as_device':
      return deviceOf(fields(inner))
    case 'as_complex':
      return { kind: 'complex', re: Number(fields(inner).real), im: Number(fields(inner).imag) }
    case 'as_operator':
      return opRef(text(inner).replace(/^torch\.ops\./, ''))
    default:
      return undefined
  }
}

function nameOf(output: Json): string {
  const [, inner] = Object.entries(fields(output))[0] ?? []
  return text(fields(inner).name) || text(fields(inner).as_name)
}

/**
 * The innermost entry of a module stack, which is text: `KEY,PATH,TYPE;…`. Its path has those around it, and the entries
 * of all nodes would be as long as the graph.
 */
function moduleOf(stack: string): Record<string, unknown> | undefined {
  const [key, path, type] = stack.split(';').at(-1)!.split(',')
  return path === undefined ? undefined : { nn_module_stack: { [key!]: [path, type ?? ''] } }
}

const floatOf = (value: Json | undefined): number =>
  value === 'Infinity' ? Infinity : value === '-Infinity' ? -Infinity : Number(value)

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
