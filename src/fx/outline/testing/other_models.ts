/** Texts of graphs in the operators of Dynamo: models other than a stack of decoder layers. */
import { GraphText } from './model_text'

class Model extends GraphText {
  linear(x: string): string {
    return this.call('torch._C._nn.linear', `%${x}`, `%${this.input()}`)
  }

  norm(x: string): string {
    return this.call('torch.nn.functional.layer_norm', `%${x}`, '(64,)', `%${this.input()}`, `%${this.input()}`)
  }

  add(x: string, y: string): string {
    return this.call('operator.add', `%${x}`, `%${y}`)
  }

  view(x: string): string {
    return this.call('torch.transpose', `%${this.call('torch.reshape', `%${x}`, '(2, 12, 4, 16)')}`, '1', '2')
  }

  attention(x: string, memory: string, ...more: string[]): string {
    const inputs = [x, memory, memory].map((input) => `%${this.view(this.linear(input))}`)
    const y = this.call('torch._C._nn.scaled_dot_product_attention', ...inputs, ...more)
    return this.linear(this.call('torch.reshape', `%${this.call('torch.transpose', `%${y}`, '1', '2')}`, '(2, 12, 64)'))
  }

  attend(x: string, memory?: string, ...more: string[]): string {
    const normed = this.norm(x)
    return this.add(x, this.attention(normed, memory ?? normed, ...more))
  }

  mlp(x: string): string {
    const wide = this.call('torch._C._nn.gelu', `%${this.linear(this.norm(x))}`)
    return this.add(x, this.linear(wide))
  }

  gated(x: string): string {
    const normed = this.norm(x)
    const gate = this.call('torch.nn.functional.silu', `%${this.linear(normed)}`)
    return this.add(x, this.linear(this.call('operator.mul', `%${gate}`, `%${this.linear(normed)}`)))
  }

  embedding(): string {
    return this.call('torch.nn.functional.embedding', `%${this.input()}`, `%${this.input()}`)
  }

  done(...outputs: string[]): string {
    for (const o of outputs) this.returns(o)
    return this.text()
  }
}

/** An encoder of `encoder` layers, whose result each of `decoder` layers attends to. */
export function speech(encoder: number, decoder: number): string {
  const g = new Model()
  let memory = g.call('torch._C._nn.gelu', `%${g.call('torch.conv1d', `%${g.input()}`, `%${g.input()}`)}`)
  for (let i = 0; i < encoder; i++) memory = g.mlp(g.attend(memory))
  memory = g.norm(memory)
  let x = g.add(g.embedding(), g.input())
  for (let i = 0; i < decoder; i++) x = g.mlp(g.attend(g.attend(x), memory))
  return g.done(g.norm(x))
}

/** An encoder and a decoder. The first layer of each computes a distance bias that the other layers reuse, as in T5. */
export function biased(encoder: number, decoder: number): string {
  const g = new Model()
  const distance = (): string => {
    const range = (): string => g.call('torch.arange', '12')
    return g.call('operator.sub', `%${range()}`, `%${range()}`)
  }
  const bucket = (near: string): string => {
    let far = g.call('torch.log', `%${near}`)
    for (let i = 0; i < 8; i++) far = g.call('operator.mul', `%${far}`, '2')
    const chosen = g.call('torch.where', `%${near}`, `%${near}`, `%${g.call('torch.clamp', `%${far}`, '15')}`)
    return g.call('torch.permute', `%${g.call('torch.nn.functional.embedding', `%${g.input()}`, `%${chosen}`)}`, '2')
  }
  const table = (own: () => string): (() => string) => {
    let known: string | null = null
    return () => (known ??= own())
  }
  const attend = (x: string, bias: () => string): string => {
    const normed = g.norm(x)
    return g.add(x, g.attention(normed, normed, `%${bias()}`))
  }
  const both = table(() => bucket(g.call('torch.abs', `%${distance()}`)))
  const past = table(() => bucket(g.call('torch.minimum', `%${distance()}`, '0')))
  let memory = g.embedding()
  for (let i = 0; i < encoder; i++) memory = g.mlp(attend(memory, both))
  memory = g.norm(memory)
  let x = g.embedding()
  for (let i = 0; i < decoder; i++) x = g.mlp(g.attend(attend(x, past), memory))
  return g.done(g.norm(x))
}

/**
 * Attention and MLP on the same norm, added together, as in GPT-J.
 * @param saves true for norms with one weight, and to return the values that the backward graph takes
 */
export function parallel(layers: number, saves = false): string {
  const g = new Model()
  let x = g.embedding()
  const saved: string[] = []
  for (let i = 0; i < layers; i++) {
    const normed = saves ? g.call('torch.nn.functional.rms_norm', `%${x}`, `%${g.input()}`) : g.norm(x)
    const wide = g.linear(normed)
    saved.push(normed, wide)
    x = g.add(g.add(x, g.attention(normed, normed)), g.linear(g.call('torch._C._nn.gelu', `%${wide}`)))
  }
  return g.done(g.linear(g.norm(x)), ...(saves ? saved : []))
}

/** Stages of blocks, with a norm and a convolution between them, as in ConvNeXt. */
export function staged(stages: readonly number[]): string {
  const g = new Model()
  const convolution = (input: string, ...more: string[]): string =>
    g.call('torch.conv2d', `%${input}`, `%${g.input()}`, `%${g.input()}`, ...more)
  let x = g.norm(convolution(g.input(), '(4, 4)'))
  for (const [i, blocks] of stages.entries()) {
    if (i > 0) x = convolution(g.norm(x), '(2, 2)')
    for (let k = 0; k < blocks; k++) {
      const wide = g.call('torch._C._nn.gelu', `%${g.linear(g.norm(convolution(x, '(1, 1)')))}`)
      x = g.add(x, g.call('operator.mul', `%${g.linear(wide)}`, `%${g.input()}`))
    }
  }
  return g.done(g.linear(g.norm(x)))
}

/** Every fourth layer has attention; the others have a gated product of two projections. */
export function hybrid(layers: number): string {
  const g = new Model()
  let x = g.embedding()
  for (let i = 0; i < layers; i++) {
    if (i % 4 === 3) x = g.mlp(g.attend(x))
    else {
      const normed = g.norm(x)
      const gate = g.call('torch.nn.functional.silu', `%${g.linear(normed)}`)
      const mixed = g.call('torch.cumsum', `%${g.call('operator.mul', `%${gate}`, `%${g.linear(normed)}`)}`, '1')
      x = g.mlp(g.add(x, g.linear(mixed)))
    }
  }
  return g.done(g.norm(x))
}

/** Layers that attend globally and to a window in turn. */
export function alternating(layers: number): string {
  const g = new Model()
  let x = g.embedding()
  const mask = g.call('torch.triu', `%${g.call('torch.ones', '(12, 12)')}`, '1')
  for (let i = 0; i < layers; i++) {
    if (i % 2) x = g.mlp(g.attend(x, undefined, `%${mask}`))
    else {
      const near = g.call('torch.tril', `%${g.call('torch.ones_like', `%${mask}`)}`, '-8')
      x = g.mlp(g.attend(x, undefined, `%${g.call('torch.where', `%${near}`, `%${mask}`, '0')}`))
    }
  }
  return g.done(g.norm(x))
}

/** Two towers of layers; those of the second have a gate in the MLP. Each tower has its own output. */
export function towers(text: number, image: number): string {
  const g = new Model()
  const tower = (layers: number, layer: (x: string) => string): string => {
    let x = g.add(g.embedding(), g.input())
    for (let i = 0; i < layers; i++) x = layer(x)
    return g.linear(g.norm(x))
  }
  const a = tower(text, (x) => g.mlp(g.attend(x)))
  const b = tower(image, (x) => g.gated(g.attend(x)))
  return g.done(g.call('operator.matmul', `%${a}`, `%${b}`))
}

/** Linear and ReLU, one after the other. */
export function perceptron(layers: number): string {
  const g = new Model()
  let x = g.input()
  for (let i = 0; i < layers; i++) x = g.call('torch.nn.functional.relu', `%${g.linear(x)}`)
  return g.done(x)
}

/** Lookups side by side, joined. */
export function lookups(count: number): string {
  const g = new Model()
  const found = Array.from({ length: count }, () => `%${g.embedding()}`)
  return g.done(g.linear(g.call('torch.cat', `[${found.join(', ')}]`, '1')))
}

/**
 * Layers with experts; the first expert of a layer has no addition, and routing precedes the experts.
 * @param checked true for checks of the expert indices, whose results are unused
 */
export function mixture(layers: number, experts: number, checked = false): string {
  const g = new Model()
  let x = g.embedding()
  for (let i = 0; i < layers; i++) {
    x = g.attend(x)
    const normed = g.norm(x)
    const routed = g.call('torch.topk', `%${g.call('torch.softmax', `%${g.linear(normed)}`, '-1')}`, '2')
    const [share, which] = [0, 1].map((k) => g.call('operator.getitem', `%${routed}`, String(k))) as [string, string]
    for (const compare of checked ? ['operator.lt', 'operator.ge'] : []) {
      let test = g.call(compare, `%${which}`, '0')
      for (let k = 0; k < 3; k++) test = g.call('torch.logical_not', `%${test}`)
      g.call('torch._assert_async', `%${test}`)
    }
    let sum: string | null = null
    for (let e = 0; e < experts; e++) {
      const wide = g.call(
        'operator.mul',
        `%${g.call('torch.nn.functional.silu', `%${g.linear(normed)}`)}`,
        `%${g.linear(normed)}`,
      )
      const own = g.call('operator.mul', `%${share}`, `%${g.call('operator.eq', `%${which}`, String(e))}`)
      const weighted = g.call('operator.mul', `%${g.linear(wide)}`, `%${g.call('torch.sum', `%${own}`, '-1')}`)
      sum = sum === null ? weighted : g.add(sum, weighted)
    }
    x = g.add(x, sum!)
  }
  return g.done(g.norm(x))
}

/** Layers that update a state step by step, each step with its index. */
export function scans(layers: number, steps: number): string {
  const g = new Model()
  let x = g.embedding()
  for (let i = 0; i < layers; i++) {
    const mixed = g.call('torch.conv1d', `%${g.linear(g.norm(x))}`, `%${g.input()}`)
    const decay = g.call('torch.nn.functional.softplus', `%${g.linear(mixed)}`)
    let state = g.call('torch.zeros', '(2, 64)')
    const outs: string[] = []
    for (let t = 0; t < steps; t++) {
      const [d, u] = [decay, mixed].map((v) => g.call('torch.select', `%${v}`, '1', String(t))) as [string, string]
      const kept = g.call('operator.mul', `%${g.call('torch.exp', `%${d}`)}`, `%${state}`)
      state = g.add(kept, g.call('operator.mul', `%${d}`, `%${u}`))
      outs.push(`%${g.call('torch.sum', `%${state}`, '-1')}`)
    }
    x = g.add(x, g.linear(g.call('torch.stack', `[${outs.join(', ')}]`, '1')))
  }
  return g.done(g.norm(x))
}

/** Blocks of convolutions; the first block of a stage has another convolution beside it. */
export function residualBlocks(count: number): string {
  const g = new Model()
  const convolution = (x: string): string =>
    g.call('torch.batch_norm', `%${g.call('torch.conv2d', `%${x}`, `%${g.input()}`)}`, `%${g.input()}`, `%${g.input()}`)
  const relu = (x: string): string => g.call('torch.relu', `%${x}`)
  let x = g.call('torch.max_pool2d', `%${relu(convolution(g.input()))}`, '3')
  for (let i = 0; i < count; i++) {
    const y = convolution(relu(convolution(relu(convolution(x)))))
    x = relu(g.add(y, i === 0 ? convolution(x) : x))
  }
  return g.done(g.linear(x))
}

/** Two layers that add a mask; a call without a result checks the mask. */
export function checkedMask(layers: number): string {
  const g = new Model()
  let x = g.embedding()
  const wide = g.call('torch.unsqueeze', `%${g.input()}`, '1')
  g.call('torch._check_mask', `%${wide}`)
  const mask = g.call('operator.mul', `%${wide}`, '-10000.0')
  for (let i = 0; i < layers; i++) x = g.mlp(g.attend(x, undefined, `%${mask}`))
  return g.done(g.norm(x))
}
