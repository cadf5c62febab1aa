/**
 * Bounds a user's shader: static limits that refuse it, and a copy whose loops end. An endless loop on a GPU cannot be
 * stopped from outside, so the copy runs first, and the text itself only if no bound was reached.
 */
import type { Problem } from '../../fx'
import { wgslFunctions, type Loop, type WgslFunction } from './wgsl_scan'

/** Maximum number of characters of a kernel: some compilers take seconds for more. */
export const MAX_KERNEL_TEXT = 64_000
/** Maximum number of function calls in one invocation, counted after inlining, because some compilers inline every call. */
export const MAX_CALLS = 20_000
/** Number of iterations that a thread counts itself before it adds them to the counter of all threads. */
export const ITERATIONS_A_TICK = 1024
/** Maximum number of ticks of one thread: 67 million iterations. */
const MAX_THREAD_TICKS = 2 ** 16
/**
 * Maximum number of iterations of loops that contain a barrier, per call: their counter must be uniform, so threads cannot share
 * it.
 */
export const MAX_BARRIER_ITERATIONS = 2 ** 16

/** Added to the line of a stopped loop. */
export const STOPPED_BARRIER = 1e9
export const STOPPED_THREAD = 2e9

/** @returns the text's violations of the static limits */
export function boundProblems(file: { name: string; text: string }): Problem[] {
  const { name, text } = file
  const at = (line: number, message: string): Problem[] => [{ file: name, line, column: 1, message }]
  if (text.length > MAX_KERNEL_TEXT)
    return at(1, `This kernel has ${text.length} characters, more than the limit of ${MAX_KERNEL_TEXT}`)
  const functions = wgslFunctions(text)
  const main = functions.find((f) => f.name === 'main')
  const calls = main ? callsOf(main.name, new Map(functions.map((f) => [f.name, f]))) : 0
  if (calls === null)
    return at(main!.line, 'A function calls itself, directly or through others; WGSL has no recursion')
  if (calls > MAX_CALLS)
    return at(main!.line, `main makes more than ${MAX_CALLS} calls of functions, counting those inside the functions`)
  return []
}

/** Number of calls that a call of `name` makes, at most MAX_CALLS + 1; null for recursion. */
function callsOf(name: string, functions: ReadonlyMap<string, WgslFunction>): number | null {
  const known = new Map<string, number | null>()
  /** Not recursive, because a text can contain chains of thousands of functions. */
  const stack = [{ name, next: 0, sum: 0 }]
  const open = new Set([name])
  for (;;) {
    const top = stack.at(-1)!
    const call = functions.get(top.name)!.calls[top.next]
    if (call === undefined) {
      known.set(top.name, top.sum)
      open.delete(top.name)
      stack.pop()
      if (stack.length === 0) return top.sum
      continue
    }
    const of = known.get(call)
    if (typeof of === 'number') {
      top.next++
      top.sum = Math.min(MAX_CALLS + 1, top.sum + 1 + of)
    } else if (open.has(call)) return null
    else {
      open.add(call)
      stack.push({ name: call, next: 0, sum: 0 })
    }
  }
}

interface Insertion {
  at: number
  text: string
}

/**
 * The shader with a bound in each loop. `@group(1) @binding(0)` is a buffer of three words: the ticks of all threads,
 * each for ITERATIONS_A_TICK iterations; their limit; and the line of the first loop that was stopped, plus
 * 1,000,000,000 for a loop with a barrier, or plus 2,000,000,000 for the limit of one thread.
 */
export function boundedWgsl(wgsl: string): string {
  let prefix = 'fs_'
  while (wgsl.includes(prefix)) prefix = `fs${prefix}`
  const functions = wgslFunctions(wgsl)
  const insertions = functions.flatMap((f) => [...loopBounds(f, prefix), ...entryBound(f, functions, prefix)])
  // Equal offsets keep their order: an outer declaration comes before an inner one.
  insertions.sort((a, b) => a.at - b.at)
  let text = ''
  let from = 0
  for (const { at, text: inserted } of insertions) {
    text += wgsl.slice(from, at) + inserted
    from = at
  }
  return text + wgsl.slice(from) + library(prefix)
}

function loopBounds(f: WgslFunction, prefix: string): Insertion[] {
  const insertions = f.loops.flatMap((loop, i): Insertion[] => {
    if (!loop.uniform) return [{ at: loop.bodyAt, text: ` if (${prefix}tick(${loop.line}u)) { break; } ` }]
    const counter = `${prefix}n${outermost(f.loops, i)}`
    const body = {
      at: loop.bodyAt,
      text: ` ${counter} += 1u; if (${counter} > ${MAX_BARRIER_ITERATIONS}u) { ${prefix}stop(${STOPPED_BARRIER + loop.line}u); break; } `,
    }
    if (outermost(f.loops, i) !== i) return [body]
    return [{ at: loop.at, text: `{ var ${counter} = 0u; ` }, body, { at: loop.end, text: ' }' }]
  })
  // A `loop` that only returns ends its function; with a break it no longer does.
  if (f.returns && !f.returns.startsWith('@') && f.loops.some((l) => l.keyword === 'loop'))
    insertions.push({ at: f.end, text: ` return ${f.returns}(); ` })
  return insertions
}

/** The outermost of the loops with barriers around a loop: they share one counter, which stays uniform. */
function outermost(loops: readonly Loop[], i: number): number {
  let at = i
  for (let p = loops[i]!.parent; p >= 0; p = loops[p]!.parent) if (loops[p]!.uniform) at = p
  return at
}

/** Threads that start after the limit return. If the shader has a barrier they must not return: their loops end instead. */
const entryBound = (f: WgslFunction, functions: readonly WgslFunction[], prefix: string): Insertion[] =>
  f.name === 'main' && !functions.some((g) => g.uniform)
    ? [{ at: f.bodyAt, text: ` if (${prefix}over()) { return; } ` }]
    : []

const library = (prefix: string): string => `
@group(1) @binding(0) var<storage, read_write> ${prefix}state: array<atomic<u32>, 3>;
var<private> ${prefix}left: u32 = ${ITERATIONS_A_TICK}u;
var<private> ${prefix}ticks: u32 = 0u;
fn ${prefix}over() -> bool { return atomicLoad(&${prefix}state[0]) > atomicLoad(&${prefix}state[1]); }
fn ${prefix}stop(line: u32) { atomicMax(&${prefix}state[2], line); }
fn ${prefix}tick(line: u32) -> bool {
  ${prefix}left -= 1u;
  if (${prefix}left > 0u) { return false; }
  ${prefix}left = ${ITERATIONS_A_TICK}u;
  ${prefix}ticks += 1u;
  let used = atomicAdd(&${prefix}state[0], 1u);
  if (used < atomicLoad(&${prefix}state[1]) && ${prefix}ticks < ${MAX_THREAD_TICKS}u) { return false; }
  ${prefix}left = 1u;
  ${prefix}stop(select(line, ${STOPPED_THREAD}u + line, ${prefix}ticks >= ${MAX_THREAD_TICKS}u));
  return true;
}
`
