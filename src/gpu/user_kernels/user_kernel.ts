/** User kernels: a `.wgsl` file replaces an operator's shader, or defines a new operator. */
import type { Problem } from '../../fx'
import { decodeFn, encodeFn, type DTypeName, DTYPES } from '../../ops/dtype'
import { KernelRefusal, type Dispatch, type Kernel, type KernelCall, type Param } from '../../ops/kernel'
import { boundProblems } from './bounded_wgsl'
import { ExprError } from './kernel_expr'
import { readHeader, type Header, type KernelFile, type Placed } from './kernel_header'
import { NoDefinition } from '../device/reference'
import { builtInKernel } from '../device/registry'

/** maxComputeWorkgroupsPerDimension, the same on every device. */
const MAX_WORKGROUPS = 65535

/** Maximum number of workgroups in a dispatch: with 64 threads each, a billion threads. */
const MAX_ALL_WORKGROUPS = 2 ** 24

export interface OwnKernel {
  kernel: Kernel
  /** `ns.name` of the operator. */
  op: string
  file: string
  /** False: the operator is new, and the kernel is its only definition. */
  defined: boolean
}

/** Files with a problem yield no kernel. A second file for the same operator is a problem. */
export function ownKernels(files: readonly KernelFile[]): { kernels: Map<string, OwnKernel>; problems: Problem[] } {
  const kernels = new Map<string, OwnKernel>()
  const all: Problem[] = []
  for (const file of files) {
    const { header, base, problems } = readKernel(file)
    const taken = header && kernels.get(header.op)
    if (taken)
      problems.push({
        file: file.name,
        line: header.opLine,
        column: 1,
        message: `${taken.file} computes ${header.op} already`,
      })
    all.push(...problems)
    if (header && problems.length === 0)
      kernels.set(header.op, {
        kernel: kernelOf(file, header, base),
        op: header.op,
        file: file.name,
        defined: base !== null,
      })
  }
  return { kernels, problems: all }
}

/** The header of a kernel whose text is within the static limits. */
function readKernel(file: KernelFile): ReturnType<typeof readHeader> {
  const problems = boundProblems(file)
  if (problems.length > 0) return { header: null, base: null, problems }
  return readHeader(file, (op) => builtInKernel(op)?.kernel ?? null)
}

/** The text that is compiled to check the file, before any call provides values for its constants. */
export function draftOf(file: KernelFile): string | null {
  const { header, problems } = readKernel(file)
  return header && problems.length === 0
    ? file.text + appendix(header, new Map(header.constants.map((c) => [c.name, 1])))
    : null
}

function kernelOf(file: KernelFile, header: Header, base: Kernel | null): Kernel {
  const plan = (call: KernelCall): Dispatch[] => [dispatchOf(file, header, call)]
  return base ? { ...base, plan } : newKernel(file, header, plan)
}

/** An operator known only by its header: its inputs and outputs, and the shapes of the outputs. */
function newKernel(file: KernelFile, header: Header, plan: Kernel['plan']): Kernel {
  const outs = new Map(header.outs.map((o) => [o.name, o]))
  const bound = new Set(header.bindings.map((b) => b.name))
  const names = header.args.length > 0 ? header.args : header.bindings.map((b) => b.name)
  const returned = header.outs.filter((o) => !names.includes(o.name))
  const param = (name: string): Param => {
    const out = outs.get(name)
    if (out) return { name, kind: 'out', ...(out.dtype ? { dtype: out.dtype } : {}) }
    return bound.has(name) ? { name, kind: 'in' } : { name, kind: 'attr', default: null }
  }
  return {
    name: header.op.split('.')[1]!,
    functional: returned.length > 0,
    params: [...names, ...returned.map((o) => o.name)].map(param),
    outputs: (call) => {
      const constants = constantsOf(file, header, call)
      return Object.fromEntries(
        header.outs.map((o) => [
          o.name,
          { shape: o.shape.map((s) => size(file, s, call, constants, 'a size')), dtype: o.dtype },
        ]),
      )
    },
    reference: () => {
      throw new NoDefinition(`${header.op} is known by ${file.name} alone, which needs WebGPU`)
    },
    plan,
  }
}

function dispatchOf(file: KernelFile, header: Header, call: KernelCall): Dispatch {
  const constants = constantsOf(file, header, call)
  const grid = header.dispatch.map((d) => size(file, d, call, constants, 'a number of workgroups'))
  const wide = grid.find((n) => n > MAX_WORKGROUPS)
  if (wide !== undefined)
    throw new KernelRefusal(
      `${file.name}:${header.dispatch[0]!.line}: ${wide} workgroups are more than the ${MAX_WORKGROUPS} of one dimension; give two sizes`,
    )
  for (const { name } of header.bindings)
    if (!call.tensors[name]) throw new KernelRefusal(`${file.name} binds \`${name}\`, which this call does not give`)
  const groups = grid.reduce((a, b) => a * b, 1)
  if (groups > MAX_ALL_WORKGROUPS)
    throw new KernelRefusal(
      `${file.name}:${header.dispatch[0]!.line}: ${groups} workgroups are more than the limit of ${MAX_ALL_WORKGROUPS}; compute more elements in each`,
    )
  return {
    label: file.name,
    wgsl: file.text + appendix(header, constants),
    bindings: header.bindings.map(({ name, access }) => ({ tensor: name, access })),
    params: [],
    workgroups: 1,
    own: { grid: [grid[0] ?? 1, grid[1] ?? 1, grid[2] ?? 1], lines: file.text.split('\n').length },
  }
}

function constantsOf(file: KernelFile, header: Header, call: KernelCall): Map<string, number> {
  const constants = new Map<string, number>()
  for (const { name, value } of header.constants) constants.set(name, evaluate(file, value, call, constants))
  return constants
}

function evaluate(
  file: KernelFile,
  { expr, line }: Placed,
  call: KernelCall,
  constants: ReadonlyMap<string, number>,
): number {
  try {
    return expr(call, constants)
  } catch (e) {
    if (e instanceof ExprError) throw new KernelRefusal(`${file.name}:${line}: ${e.message}`)
    throw e
  }
}

function size(
  file: KernelFile,
  at: Placed,
  call: KernelCall,
  constants: ReadonlyMap<string, number>,
  what: string,
): number {
  const n = evaluate(file, at, call, constants)
  if (!Number.isInteger(n) || n < 1 || n > 2 ** 31)
    throw new KernelRefusal(`${file.name}:${at.line}: ${n} is not ${what}; use ceil() or floor() around a division`)
  return n
}

/** Appended after the file's text, so that its line numbers stay valid; WGSL allows any order. */
function appendix(header: Header, constants: ReadonlyMap<string, number>): string {
  const lines = [...constants].map(([name, v]) => `const ${name} = ${literal(v)};`)
  for (const dtype of new Set(header.uses)) lines.push(conversions(dtype))
  return `\n${lines.join('\n')}\n`
}

function literal(v: number): string {
  if (Number.isInteger(v) && v >= 0 && v < 2 ** 32) return `${v}u`
  if (Number.isInteger(v) && Math.abs(v) < 2 ** 31) return `${v}i`
  return `f32(${v})`
}

/** `bf16_to_f32(code)` and `f32_to_bf16(x)`: exact, and rounded to nearest even, like all conversions here. */
function conversions(dtype: DTypeName): string {
  const { short } = DTYPES[dtype]
  return `${decodeFn(`dec_${short}`, dtype, false)}${encodeFn(`enc_${short}`, dtype, false)}
fn ${short}_to_f32(code: u32) -> f32 { return bitcast<f32>(dec_${short}(code)); }
fn f32_to_${short}(x: f32) -> u32 { return enc_${short}(bitcast<u32>(x)); }`
}
