/** Compares our result on a case with the recording of PyTorch. */
import type { CaseOutput, CasePass } from '../src/engine/cases/cases'

/** `expected` of a recorded case. */
export interface Expected {
  register_error?: string
  /** A case saved by a live page contains only the counts. */
  passes?: (Pick<CasePass, 'pass'> & Partial<CasePass>)[]
  graph_after_dce?: string
}

/** The recorder truncates errors to this length, in characters. */
const ERROR_LENGTH = 500

/** True when some reason of the case, or the text of an entry, can be compared by kind alone. */
export function comparesByKind(expected: Expected): boolean {
  return (expected.passes ?? []).some((p) => p.attempts?.some((a) => hasObjectRepr(a.reason)))
}

/** The first difference as a sentence; null if everything agrees. */
export function firstDifference(expected: Expected, actual: CaseOutput): string | null {
  if (expected.register_error !== undefined || actual.register_error !== null)
    return differ('register_error', cut(expected.register_error), cut(actual.register_error))
  const wanted = expected.passes ?? []
  const passes = wanted.length < actual.passes.length ? asCalled(actual.passes) : actual.passes
  if (wanted.length !== passes.length) return differ('number of passes', wanted.length, passes.length)
  for (const [i, pass] of wanted.entries()) {
    const found = comparePass(pass, passes[i]!)
    if (found) return `pass ${pass.pass}: ${found}`
  }
  // The recorder of other projects' tests leaves the graph after each pass to the test.
  if (expected.graph_after_dce === undefined) return null
  return differ('graph_after_dce', expected.graph_after_dce, actual.graph_after_dce)
}

/** The recorder calls each pass once: several applications by the pass's own `apply` are one entry in the recording. */
function asCalled(applications: readonly CasePass[]): CasePass[] {
  const called: CasePass[] = []
  for (const next of applications) {
    const last = called.at(-1)
    if (last?.pass !== next.pass) called.push(next)
    else
      called[called.length - 1] = {
        ...next,
        count: (last.count ?? 0) + (next.count ?? 0),
        attempts: [...last.attempts, ...next.attempts],
      }
  }
  return called
}

type ExpectedPass = NonNullable<Expected['passes']>[number]

function comparePass(want: ExpectedPass, got: CasePass): string | null {
  return (
    compareEntries(want.entries ?? got.entries, got) ??
    compareAttempts(want.attempts ?? got.attempts, got) ??
    differ('apply_error', cut(want.apply_error), cut(got.apply_error)) ??
    differ('count', want.count, got.count) ??
    (want.graph_after === undefined ? null : differ('graph_after', want.graph_after, got.graph_after))
  )
}

function compareEntries(entries: CasePass['entries'], got: CasePass): string | null {
  for (let i = 0; i < Math.max(entries.length, got.entries.length); i++) {
    const a = entries[i]
    const b = got.entries[i]
    const found =
      differ('entry', a && 'present', b && 'present') ??
      differ('pattern', a!.pattern, b!.pattern) ??
      differ('keys', a!.keys.join(' '), b!.keys.join(' '))
    if (found) return `entry ${i}: ${found}`
  }
  return null
}

function compareAttempts(attempts: CasePass['attempts'], got: CasePass): string | null {
  for (let i = 0; i < Math.max(attempts.length, got.attempts.length); i++) {
    const a = attempts[i]
    const b = got.attempts[i]
    const end = got.apply_error ? ` (ended by ${got.apply_error})` : ''
    if (!a || !b) return `attempt ${i}: ${differ('attempt', a && text(a), b && text(b))}${end}`
    const keys: (keyof typeof b)[] = ['entry', 'phase', 'node', 'ok', 'nodes']
    if (a.pattern !== undefined && a.pattern !== null) keys.push('pattern')
    for (const key of keys) {
      const found = differ(key, text(a[key]), text(b[key]))
      if (found) return `attempt ${i} at ${a.node}: ${found}`
    }
    const reason = differReason(a.reason, b.reason)
    if (reason) return `attempt ${i} at ${a.node}: ${reason}`
  }
  return null
}

/** A Python object's repr, which ends in a process-specific address. */
const OBJECT = /<[^<>]* at 0x[0-9a-f]+>/

/** True if a text contains object reprs: the comparison then uses its kind and the text around them. */
export const hasObjectRepr = (text: string | null): boolean => text !== null && OBJECT.test(text)

function differReason(want: string | null, got: string | null): string | null {
  // PyTorch 2.6 cannot say what was compared, because formatting its text raises a KeyError.
  if (want === 'constant_args: ' && got?.startsWith(want)) return null
  if (!hasObjectRepr(want)) return differ('reason', want, got)
  const plain = (s: string | null): string | undefined => s?.replaceAll(new RegExp(OBJECT, 'g'), '<object>')
  return differ('reason', plain(want), plain(got))
}

const text = (x: unknown): string => (typeof x === 'string' ? x : JSON.stringify(x))

/** An error without the parts that depend on the recording process: addresses, folders, its stack, its Python version. */
const cut = (s: string | null | undefined): string | undefined =>
  s
    ?.replaceAll(new RegExp(OBJECT, 'g'), '<object>')
    .replaceAll(/\(\/\S*\/(torch\/\S+\.py)\)/g, '($1)')
    .replace(/\n\n(fake mode from tracing context 0 allocated at|from user code):\n[^]*/, '')
    // Python 3.14; the recordings of PyTorch 2.6 are of 3.13.
    .replace(/\(expected (\d+), got \d+\)/, '(expected $1)')
    .slice(0, ERROR_LENGTH)

/** Describes where two texts diverge, with an excerpt of each. */
function differ(what: string, want: string | number | null | undefined, got: string | number | null | undefined) {
  if ((want ?? null) === (got ?? null)) return null
  const a = String(want)
  const b = String(got)
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const from = Math.max(0, at - 60)
  const show = (s: string): string => JSON.stringify(s.slice(from, at + 140))
  return `${what}: expected ${show(a)}, found ${show(b)}`
}
