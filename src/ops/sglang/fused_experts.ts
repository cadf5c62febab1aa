/** A whole mixture of experts in one dispatch: the router, both products of each chosen expert, SiLU and Mul, the sum. */
import { type DTypeName, encodeFn, roundTo } from '../dtype'
import { type Expr, type Fold, given, load } from '../expr/expr'
import { rounded, silu } from '../expr/functions'
import { schedule } from '../expr/schedule'
import { evaluate, execute } from '../expr/to_js'
import { functionOf, WgslPrinter } from '../expr/to_wgsl'
import { type Dispatch, type Kernel, type KernelCall, KernelRefusal, tensorArg } from '../kernel'
import { Shader } from '../kernels/shader'
import { names, place, reader } from '../kernels/strided'
import { inNamespace, type Kernels } from '../operator'
import { router } from './topk_softmax'

const THREADS = 256
/** Number of floats of an expert's activation in a workgroup's memory: 16 KiB minus the choices. */
const MAX_HIDDEN = 3968
const MAX_CHOICES = 32
/** Columns of the result that a thread keeps. */
const MAX_COLUMNS = 64

interface Sizes {
  readonly tokens: number
  readonly width: number
  readonly experts: number
  readonly hidden: number
  readonly choices: number
}

function sizesOf(call: KernelCall): Sizes {
  const shapes = ['x', 'up', 'down', 'logits'].map((name) => tensorArg(call, name).shape)
  const [x, up, down, logits] = shapes as [number[], number[], number[], number[]]
  const [tokens, width] = x as [number, number]
  const [experts, hidden] = down as [number, number]
  const choices = Number(call.attrs['choices'])
  const fits =
    String(up) === String([experts, width, 2 * hidden]) &&
    String(down) === String([experts, hidden, width]) &&
    String(logits) === String([tokens, experts])
  if (!fits)
    throw new KernelRefusal(
      `\`x\`, \`up\`, \`down\` and \`logits\` must be [tokens, d], [experts, d, 2 h], [experts, h, d] and [tokens, experts], found ${shapes.map((s) => `[${s.join(', ')}]`).join(', ')}`,
    )
  if (!(choices >= 1 && choices <= Math.min(experts, MAX_CHOICES)))
    throw new KernelRefusal(`\`choices\` must be 1 to ${Math.min(experts, MAX_CHOICES)}, found ${choices}`)
  return { tokens, width, experts, hidden, choices }
}

/**
 * The choices of topk_softmax without renormalizing; of each, T(x @ up[e]), T(T(silu(gate)) * up), T(… @ down[e]),
 * times the choice's weight as T, added up in float32: the operators that it replaces, with all between them on the chip.
 * The definition is the Python of the example sglang-fused-moe. Results: [tokens, d], and the experts as int32.
 */
export const fusedExperts: Kernel = {
  name: 'fused_experts',
  functional: true,
  params: [
    { name: 'x', kind: 'in', rows: true },
    { name: 'up', kind: 'in' },
    { name: 'down', kind: 'in' },
    { name: 'logits', kind: 'in', rows: true },
    { name: 'choices', kind: 'attr' },
    { name: 'result', kind: 'out' },
    { name: 'ids', kind: 'out' },
  ],
  outputs(call) {
    const { tokens, width, choices } = sizesOf(call)
    return {
      result: { shape: [tokens, width], dtype: tensorArg(call, 'x').dtype },
      ids: { shape: [tokens, choices], dtype: 'int32' },
    }
  },
  reference(call, memory) {
    const { tokens, width, experts, hidden, choices } = sizesOf(call)
    const [x, up, down, logits] = ['x', 'up', 'down', 'logits'].map((n) => memory.read(n)) as Float32Array[]
    const { dtype } = tensorArg(call, 'x')
    const [round, each] = [(v: number): number => roundTo(dtype, v), formulas(dtype)]
    const result = new Float32Array(tokens * width)
    const ids = new Float32Array(tokens * choices)
    const product = (row: (k: number) => number, w: Float32Array, from: number, inner: number, n: number): number[] => {
      const sums = new Array<number>(n).fill(0)
      for (let k = 0; k < inner; k++) {
        const v = row(k)
        for (let j = 0; j < n; j++) sums[j]! += v * w[from + k * n + j]!
      }
      return sums.map(round)
    }
    const weights = new Float32Array(tokens * choices)
    execute(schedule([chosen(call)]), {
      over: [['token', tokens]],
      load: () => ({ values: logits!, stride: [experts, 1] }),
      store: (out) => ({ values: out === 'ids' ? ids : weights, stride: [choices, 1] }),
    })
    for (let t = 0; t < tokens; t++) {
      for (let j = 0; j < choices; j++) {
        const [expert, weight] = [ids[t * choices + j]!, weights[t * choices + j]!]
        const rows = product((k) => x![t * width + k]!, up!, expert * width * 2 * hidden, width, 2 * hidden)
        const act = evaluate(hidden, each.act, (name) => (h) => rows[name === 'gate' ? h : h + hidden]!)
        const made = product((k) => act[k]!, down!, expert * hidden * width, hidden, width)
        const parts = evaluate(width, each.part, (name) => (c) => (name === 'made' ? made[c]! : weight))
        parts.forEach((v, c) => (result[t * width + c]! += v))
      }
    }
    memory.write('result', result)
    memory.write('ids', ids)
  },
  plan: (call) => [plan(call)],
}

/**
 * An expert's activation, computed from the two halves of its first product; and the contribution of its second product to the
 * result.
 */
function formulas(dtype: DTypeName): { act: Expr; part: Expr } {
  const round = (x: Expr): Expr => rounded(dtype, x)
  return {
    act: round(round(silu(round(given('gate')))).times(round(given('linear')))),
    part: round(round(given('made')).times(round(given('weight')))),
  }
}

/** Stores the experts of a token in `ids`, and the weights of its choices. */
function chosen(call: KernelCall): Fold {
  const { experts, choices } = sizesOf(call)
  const token = given('token', 'whole')
  return router(
    (e) => load('logits', token, e),
    experts,
    choices,
  )((j, expert, weight) => [
    { out: 'ids', at: [token, j], value: expert },
    { out: 'weights', at: [token, j], value: weight },
  ])
}

type Load = (...index: string[]) => string

/** A WGSL function that reads one element of a tensor; returns its call. */
function loadOf(shader: Shader, call: KernelCall, name: string): Load {
  const t = tensorArg(call, name)
  const args = names('a', t.shape.length)
  const read = reader(shader, name, t)
  shader.helper(
    `fn at_${name}(${args.map((a) => `${a}: u32`).join(', ')}) -> f32 { return ${read(place(shader, name, t.offset, t.stride, args))}; }`,
  )
  return (...index) => `at_${name}(${index.join(', ')})`
}

/** One workgroup per token. */
function plan(call: KernelCall): Dispatch {
  const { tokens, width, hidden, choices } = sizesOf(call)
  const columns = Math.ceil(width / THREADS)
  if (hidden > MAX_HIDDEN || columns > MAX_COLUMNS)
    throw new KernelRefusal(
      `one workgroup holds an expert's activation: at most ${MAX_HIDDEN} of them and ${MAX_COLUMNS * THREADS} columns, found ${hidden} and ${width}`,
    )
  const shader = new Shader(false)
  const { dtype } = tensorArg(call, 'x')
  const [x, up, down, logits] = ['x', 'up', 'down', 'logits'].map((n) => loadOf(shader, call, n)) as Load[]
  const { act, part } = formulas(dtype)
  shader.helper(encodeFn('enc_out', dtype, false))
  shader.helper(functionOf(shader, 'act_of', ['gate', 'linear'], act))
  shader.helper(functionOf(shader, 'part_of', ['made', 'weight'], part))
  const store = (name: string, row: string, col: string, code: string): string => {
    const t = tensorArg(call, name)
    const q = shader.scatter(name, t.dtype)
    return `put_${q.index}(${place(shader, name, t.offset, t.stride, [row, col])}, ${code})`
  }
  const printer = new WgslPrinter({
    shader,
    given: (name) => `i32(${name})`,
    load: (_, at) => logits!(...at.map((i) => `u32(${i})`)),
    store: (out, [, j], value) =>
      out === 'ids'
        ? `chosen[${j}] = u32(${value}); ${store('ids', 'token', `u32(${j})`, `chosen[${j}]`)};`
        : `weights[${j}] = ${value};`,
  })
  return shader.print(
    'fused_experts',
    `  let token = group;
  if (token >= ${shader.param('tokens', tokens)}) { return; }
  if (lid == 0u) {
${printer.statements(schedule([chosen(call)]))}
  }
  var sums: array<f32, ${columns}>;
  for (var j = 0u; j < ${choices}u; j++) {
${expertSums({ width, hidden, columns }, [x!, up!, down!])}
  }
  for (var i = 0u; i < ${columns}u; i++) {
    let c = lid + i * ${THREADS}u;
    if (c < ${width}u) { ${store('result', 'token', 'c', 'enc_out(bitcast<u32>(sums[i]))')}; }
  }`,
    tokens,
    `var<workgroup> act: array<f32, ${hidden}>;
var<workgroup> chosen: array<u32, ${choices}>;
var<workgroup> weights: array<f32, ${choices}>;`,
    THREADS,
  )
}

/** Statements that add choice `j` to `sums`: both products of the expert, with the activation between them. */
function expertSums(
  { width, hidden, columns }: { width: number; hidden: number; columns: number },
  [x, up, down]: readonly [x: Load, up: Load, down: Load],
): string {
  return `    workgroupBarrier();
    let expert = chosen[j];
    for (var h = lid; h < ${hidden}u; h += ${THREADS}u) {
      var gate = 0.0;
      var linear = 0.0;
      for (var k = 0u; k < ${width}u; k++) {
        let v = ${x('token', 'k')};
        gate += v * ${up('expert', 'k', 'h')};
        linear += v * ${up('expert', 'k', `h + ${hidden}u`)};
      }
      act[h] = act_of(gate, linear);
    }
    workgroupBarrier();
    for (var i = 0u; i < ${columns}u; i++) {
      let c = min(lid + i * ${THREADS}u, ${width - 1}u);
      var made = 0.0;
      for (var h = 0u; h < ${hidden}u; h++) { made += act[h] * ${down('expert', 'h', 'c')}; }
      sums[i] += part_of(made, weights[j]);
    }`
}

export const KERNELS: Kernels = inNamespace('sglang', [fusedExperts])
