/** Kernels defined by expressions: each element of an index space computes the values that it stores, on both devices. */
import { encodeFn } from '../dtype'
import { numel, tensorArg, type Dispatch, type Kernel, type KernelCall, type ReferenceMemory } from '../kernel'
import { Shader, WORKGROUP } from '../kernels/shader'
import { addressed, elements, names, unravel } from '../kernels/strided'
import { contiguousStrides } from '../strides'
import { type Expr, type Fold, given, type Store } from './expr'
import { schedule } from './schedule'
import { execute } from './to_js'
import { WgslPrinter } from './to_wgsl'

/** `body` for each index of `over`. */
export interface Program {
  readonly over: readonly number[]
  readonly body: (index: readonly Expr[]) => readonly (Store | Fold)[]
}

const scheduled = ({ over, body }: Program, prefix: string): ReturnType<typeof schedule> =>
  schedule(body(names(prefix, over.length).map((i) => given(i, 'whole'))))

function runPrograms(programs: readonly Program[], call: KernelCall, memory: ReferenceMemory): void {
  const laid = (name: string, values: (shape: readonly number[]) => Float32Array) => {
    const { shape } = tensorArg(call, name)
    return { values: values(shape), stride: contiguousStrides(shape) }
  }
  const read = memoized((name) => laid(name, () => memory.read(name)))
  const written = memoized((name) => laid(name, (shape) => new Float32Array(numel(shape))))
  for (const program of programs) {
    const over = program.over.map((n, d) => [`i${d}`, n] as const)
    execute(scheduled(program, 'i'), { over, load: read.get, store: written.get })
  }
  for (const [name, { values }] of written.made) memory.write(name, values)
}

function memoized<T>(make: (name: string) => T): { get(name: string): T; made: Map<string, T> } {
  const made = new Map<string, T>()
  return { made, get: (name) => made.get(name) ?? made.set(name, make(name)).get(name)! }
}

/** One thread per index of each program. */
function plan(label: string, programs: readonly Program[], call: KernelCall): Dispatch {
  const shader = new Shader(false)
  const setters = memoized((name) => {
    const { dtype } = tensorArg(call, name)
    const q = shader.scatter(name, dtype)
    const { args, at } = addressed(shader, call, name)
    shader.helper(encodeFn(`enc_${name}`, dtype, false))
    shader.helper(
      `fn set_${name}(v: f32${args && `, ${args}`}) { put_${q.index}(${at}, enc_${name}(bitcast<u32>(v))); }`,
    )
    return `set_${name}`
  })
  const printer = new WgslPrinter({
    shader,
    given: (name) => name,
    load: elements(shader, call),
    store: (name, at, value) => `${setters.get(name)}(${[value, ...at].join(', ')});`,
  })
  const parts = programs.map((program, p) => {
    const { over } = program
    const id = `${'ijk'[p]}`
    const count = shader.param(`count_${id}`, numel(over))
    const statements = printer.statements(scheduled(program, id), '    ')
    return `  if (e < ${count}) {
    ${over.length ? unravel(shader, `${id}u`, over, 'e') : ''}
    ${over.map((_, d) => `let ${id}${d} = i32(${id}u${d});`).join(' ')}
${statements}
    return;
  }
  e -= ${count};`
  })
  const total = programs.reduce((sum, { over }) => sum + numel(over), 0)
  return shader.print(
    label,
    `  var e = group * ${WORKGROUP}u + lid;\n${parts.join('\n')}`,
    Math.ceil(total / WORKGROUP),
  )
}

/** A kernel of up to three programs, which run in one dispatch. */
export const programKernel = (
  spec: Omit<Kernel, 'reference' | 'plan'> & { programs(call: KernelCall): readonly Program[] },
): Kernel => ({
  ...spec,
  reference: (call, memory) => runPrograms(spec.programs(call), call, memory),
  plan: (call) => [plan(spec.name, spec.programs(call), call)],
})
