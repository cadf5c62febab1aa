/** Texts of graphs with a known number of layers and known differences, in a shuffled topological order. */

/** A change of one layer. */
export type Change =
  | 'no-residual'
  | 'mul-for-add'
  | 'extra-cast'
  | 'constant'
  | 'swapped'
  | 'swapped-gate'
  | 'escaping'
  | 'dtype'

export interface ModelOptions {
  layers: number
  /** Changes by layer. */
  changes?: Readonly<Record<number, Change>>
  /** Shuffles the nodes within their dependencies; 0 keeps the order of construction. */
  seed?: number
  /** Values of each layer that the graph returns, such as caches. */
  caches?: boolean
}

const pick = (seed: number): (() => number) => {
  let x = (seed * 2654435761 + 12345) >>> 0
  return () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) / 2 ** 32
  }
}

/** Collects the lines of a graph's text. */
export class GraphText {
  private readonly lines: { name: string; inputs: string[]; text: string }[] = []
  private readonly outputs: string[] = []
  private count = 0
  /** Stem of the names, which carry no meaning. */
  constructor(private readonly stem = 'n') {}

  input(): string {
    const name = `${this.stem}${this.count++}`
    this.lines.push({ name, inputs: [], text: `%${name} : [num_users=1] = placeholder[target=${name}]` })
    return name
  }

  /** `args` are texts in which node names have a `%`. */
  call(target: string, ...args: string[]): string {
    const name = `${this.stem}${this.count++}`
    const inputs = args.flatMap((a) => [...a.matchAll(/%(\w+)/g)].map((m) => m[1]!))
    const list = args.length === 1 ? `${args[0]!},` : args.join(', ')
    const text = `%${name} : [num_users=1] = call_function[target=${target}](args = (${list}), kwargs = {})`
    this.lines.push({ name, inputs, text })
    return name
  }

  aten(operator: string, ...args: string[]): string {
    return this.call(`torch.ops.aten.${operator}`, ...args)
  }

  returns(name: string): void {
    this.outputs.push(name)
  }

  text(seed = 0): string {
    const lines = seed === 0 ? this.lines : this.shuffled(pick(seed))
    const output = `return (${this.outputs.join(', ')}${this.outputs.length === 1 ? ',' : ''})`
    return `graph():\n${[...lines.map((l) => l.text), output].map((l) => `    ${l}\n`).join('')}`
  }

  private shuffled(random: () => number): typeof this.lines {
    const open = new Map(this.lines.map((l) => [l.name, new Set(l.inputs).size]))
    const users = new Map<string, typeof this.lines>()
    for (const l of this.lines) for (const i of new Set(l.inputs)) users.set(i, [...(users.get(i) ?? []), l])
    const placeholders = this.lines.filter((l) => l.text.includes('placeholder'))
    const ready = this.lines.filter((l) => l.inputs.length === 0 && !placeholders.includes(l))
    const order: typeof this.lines = []
    const done = (line: (typeof this.lines)[number]): void => {
      order.push(line)
      for (const u of users.get(line.name) ?? []) {
        open.set(u.name, open.get(u.name)! - 1)
        if (open.get(u.name) === 0) ready.push(u)
      }
    }
    for (const p of [...placeholders].sort(() => random() - 0.5)) done(p)
    while (ready.length > 0) done(ready.splice(Math.floor(random() * ready.length), 1)[0]!)
    return order
  }
}

function norm(g: GraphText, x: string, eps = '1e-06'): string {
  const cast = g.call('torch.ops.prims.convert_element_type.default', `%${x}`, 'torch.float32')
  const square = g.aten('pow.Tensor_Scalar', `%${cast}`, '2')
  const mean = g.aten('mean.dim', `%${square}`, '[-1]', 'True')
  const sum = g.aten('add.Tensor', `%${mean}`, eps)
  const scaled = g.aten('mul.Tensor', `%${cast}`, `%${g.aten('rsqrt.default', `%${sum}`)}`)
  const back = g.call('torch.ops.prims.convert_element_type.default', `%${scaled}`, 'torch.bfloat16')
  return g.aten('mul.Tensor', `%${g.input()}`, `%${back}`)
}

const linear = (g: GraphText, x: string): string =>
  g.aten('mm.default', `%${x}`, `%${g.aten('permute.default', `%${g.input()}`, '[1, 0]')}`)

function rope(g: GraphText, x: string, [cos, sin]: readonly [string, string]): string {
  const turned = g.aten(
    'cat.default',
    `[%${g.aten('neg.default', `%${g.aten('slice.Tensor', `%${x}`, '3', '32', '64')}`)}, %${g.aten('slice.Tensor', `%${x}`, '3', '0', '32')}]`,
    '-1',
  )
  return g.aten(
    'add.Tensor',
    `%${g.aten('mul.Tensor', `%${x}`, `%${cos}`)}`,
    `%${g.aten('mul.Tensor', `%${turned}`, `%${sin}`)}`,
  )
}

function table(g: GraphText): readonly [string, string] {
  const angle = g.aten('mul.Tensor', `%${g.aten('unsqueeze.default', `%${g.input()}`, '0')}`, `%${g.input()}`)
  return [g.aten('cos.default', `%${angle}`), g.aten('sin.default', `%${angle}`)]
}

function mlp(g: GraphText, x: string, swapped = false): string {
  const gate = g.aten('silu.default', `%${linear(g, x)}`)
  const operands = [`%${gate}`, `%${linear(g, x)}`]
  return linear(g, g.aten('mul.Tensor', ...(swapped ? operands.reverse() : operands)))
}

/** Layers with a norm before attention and MLP, as in Llama; weights, rotary tables and a mask are inputs. */
export function decoder({ layers, changes = {}, seed = 0, caches = false }: ModelOptions): string {
  const g = new GraphText()
  let x = g.aten('embedding.default', `%${g.input()}`, `%${g.input()}`)
  const angles = table(g)
  for (let layer = 0; layer < layers; layer++) x = decoderLayer(g, x, angles, changes[layer], caches)
  g.returns(linear(g, norm(g, x)))
  return g.text(seed)
}

function decoderLayer(
  g: GraphText,
  x: string,
  angles: readonly [string, string],
  change: Change | undefined,
  caches: boolean,
): string {
  const normed = norm(g, x, change === 'constant' ? '1e-05' : '1e-06')
  const [q, k, v] = [rope(g, linear(g, normed), angles), rope(g, linear(g, normed), angles), linear(g, normed)]
  if (caches) for (const kept of [k, v]) g.returns(g.aten('clone.default', `%${kept}`))
  const scores = g.aten('scaled_dot_product_attention.default', `%${q}`, `%${k}`, `%${v}`)
  const out = linear(g, scores)
  if (change === 'escaping') g.returns(scores)
  const sum =
    change === 'mul-for-add' ? g.aten('mul.Tensor', `%${x}`, `%${out}`) : g.aten('add.Tensor', `%${x}`, `%${out}`)
  let wide = mlp(g, norm(g, sum), change === 'swapped-gate')
  if (change === 'no-residual') return wide
  if (change === 'extra-cast')
    wide = g.call('torch.ops.prims.convert_element_type.default', `%${wide}`, 'torch.float32')
  return change === 'swapped'
    ? g.aten('add.Tensor', `%${wide}`, `%${sum}`)
    : g.aten('add.Tensor', `%${sum}`, `%${wide}`)
}

/** Layers in which a fused kernel adds the residual and normalizes; the first layer only normalizes. */
export function fused({ layers, seed = 0 }: ModelOptions): string {
  const g = new GraphText()
  let x = g.aten('embedding.default', `%${g.input()}`, `%${g.input()}`)
  let residual: string | null = null
  const normed = (): string => {
    if (residual === null) {
      residual = x
      return g.call('torch.ops._C.rms_norm.default', `%${x}`, `%${g.input()}`)
    }
    const both = g.call('torch.ops._C.fused_add_rms_norm.default', `%${x}`, `%${residual}`, `%${g.input()}`)
    residual = g.call('operator.getitem', `%${both}`, '1')
    return g.call('operator.getitem', `%${both}`, '0')
  }
  for (let layer = 0; layer < layers; layer++) {
    const split = g.aten('split_with_sizes.default', `%${linear(g, normed())}`, '[256, 128, 128]', '-1')
    const parts = [0, 1, 2].map((i) => `%${g.call('operator.getitem', `%${split}`, String(i))}`)
    x = linear(g, g.call('torch.ops.vllm.unified_attention.default', ...parts))
    x = linear(g, g.call('torch.ops._C.silu_and_mul.default', `%${linear(g, normed())}`))
  }
  g.returns(linear(g, normed()))
  return g.text(seed)
}

/** An encoder, and a decoder that also attends to its result. */
export function encoderDecoder({ layers, seed = 0 }: ModelOptions, decoderLayers: number): string {
  const g = new GraphText()
  const attention = (x: string, memory: string): string => {
    const [q, k, v] = [linear(g, x), linear(g, memory), linear(g, memory)]
    return linear(g, g.aten('scaled_dot_product_attention.default', `%${q}`, `%${k}`, `%${v}`))
  }
  const add = (x: string, y: string): string => g.aten('add.Tensor', `%${x}`, `%${y}`)
  let memory = g.aten('embedding.default', `%${g.input()}`, `%${g.input()}`)
  for (let i = 0; i < layers; i++) {
    const normed = norm(g, memory)
    memory = add(memory, attention(normed, normed))
    memory = add(memory, mlp(g, norm(g, memory)))
  }
  memory = norm(g, memory)
  let x = g.aten('embedding.default', `%${g.input()}`, `%${g.input()}`)
  for (let i = 0; i < decoderLayers; i++) {
    const normed = norm(g, x)
    x = add(x, attention(normed, normed))
    x = add(x, attention(norm(g, x), memory))
    x = add(x, mlp(g, norm(g, x)))
  }
  g.returns(linear(g, norm(g, x)))
  return g.text(seed)
}

/** Layers with `experts` experts, one after the other; the first `dense` layers have one MLP. */
export function experts({ layers, seed = 0 }: ModelOptions, count: number, dense = 0): string {
  const g = new GraphText()
  let x = g.aten('embedding.default', `%${g.input()}`, `%${g.input()}`)
  for (let layer = 0; layer < layers; layer++) {
    const normed = norm(g, x)
    const [q, k, v] = [linear(g, normed), linear(g, normed), linear(g, normed)]
    const out = linear(g, g.aten('scaled_dot_product_attention.default', `%${q}`, `%${k}`, `%${v}`))
    x = g.aten('add.Tensor', `%${x}`, `%${out}`)
    const wide = norm(g, x)
    if (layer < dense) {
      x = g.aten('add.Tensor', `%${x}`, `%${mlp(g, wide)}`)
      continue
    }
    const routed = g.aten('softmax.int', `%${linear(g, wide)}`, '-1')
    let sum = g.aten('zeros_like.default', `%${wide}`)
    for (let e = 0; e < count; e++) {
      const share = g.aten('select.int', `%${routed}`, '-1', String(e))
      const weighted = g.aten('mul.Tensor', `%${mlp(g, wide)}`, `%${share}`)
      sum = g.aten('add.Tensor', `%${sum}`, `%${weighted}`)
    }
    x = g.aten('add.Tensor', `%${x}`, `%${sum}`)
  }
  g.returns(linear(g, norm(g, x)))
  return g.text(seed)
}

/** A chain without residuals: linear, bias, relu. */
export function chain({ layers, seed = 0 }: ModelOptions): string {
  const g = new GraphText()
  let x = g.input()
  for (let i = 0; i < layers; i++) {
    const wide = g.aten(
      'addmm.default',
      `%${g.input()}`,
      `%${x}`,
      `%${g.aten('permute.default', `%${g.input()}`, '[1, 0]')}`,
    )
    x = g.aten('relu.default', `%${g.aten('mul.Tensor', `%${wide}`, '0.5')}`)
  }
  g.returns(x)
  return g.text(seed)
}
