/** Time limits of the GPU's answers, and the failures that a run turns into one sentence. */
import { formatProblem, type Problem } from '../../fx'

/** The GPU was lost or rejected the work; `message` is one plain sentence. */
export class GpuFailure extends Error {}

/** A user's shader does not compile, or it reached a bound. */
export class KernelFailure extends GpuFailure {
  constructor(readonly kernelProblems: Problem[]) {
    super(`the kernel cannot be used: ${kernelProblems.slice(0, 1).map(formatProblem).join()}`)
  }
}

/**
 * The compiler's errors with their positions; an error in generated code after the text is reported at its last line.
 */
export function problemsOf(file: string, messages: readonly GPUCompilationMessage[], lines: number): Problem[] {
  return messages
    .filter((m) => m.type === 'error')
    .map((m) => ({
      file,
      line: Math.min(Math.max(1, m.lineNum), lines),
      column: m.lineNum > lines ? 1 : Math.max(1, m.linePos),
      message: m.message,
    }))
}

/** The GPU does not answer. Its worker must be replaced; its process may still be busy. */
export class GpuStuck extends GpuFailure {}

/** Time limit for a user's kernel, its compilation, and opening a device, in ms. */
export const ANSWER_LIMIT_MS = 8000

/** Rejects with GpuStuck if `work` takes longer than the limit. */
export async function within<T>(work: Promise<T>, what: string, limitMs = ANSWER_LIMIT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GpuStuck(stuck(what, limitMs))), limitMs)
  })
  // The loser of the race may reject later.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const stuck = (what: string, ms: number): string =>
  `${what} took longer than ${ms / 1000} s and was stopped; if the next run finds no GPU, reload the page`

/** Why no device opens in time: the GPU's process is still running a kernel. */
export const GPU_BUSY =
  "The browser's GPU process does not answer, so only the reference (CPU) results are shown: reload the page, and restart the browser if that does not help."
