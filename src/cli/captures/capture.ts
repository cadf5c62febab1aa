/** `fusescope match --capture`: PyTorch's verdict on each pass beside the engine's. And `fusescope capture-script`. */
import { readFileSync } from 'node:fs'
import { count } from '../../base/english'
import { compareCapture, type ComparedRun } from '../../engine/capture/compare'
import type { Capture } from '../../engine/capture/records'
import type { PyTorchVerdict, VerdictDifference } from '../../engine/capture/report_types'
import { formatProblem } from '../../fx'
import type { Command } from '../args'
import { captureOf } from './file'
import { bad, complain, named, show, write, writeJson } from '../output'
import { DONE, UNMET } from '../status'

export function captureCommand({ file, sniffed, run, json }: Extract<Command, { kind: 'capture' }>): number {
  const read = captureOf(file, sniffed)
  if (!read.ok || read.value === null)
    return bad(read.ok ? 'fusescope match: --pattern FILE is missing. See fusescope help.' : formatProblem(read.error))
  const { capture } = read.value
  for (const p of capture.problems) complain(formatProblem(p))
  const runs = compareCapture(capture, run)
  if (runs.length === 0)
    return bad(
      run === null
        ? `${file}:1:1: the capture holds no pass with its graph`
        : `${file}:1:1: the capture has no run ${run}; without --run, every run is compared`,
    )
  const agree = runs.every((r) => r.problems.length === 0 && r.passes.every((p) => p.agree))
  if (json) writeJson(jsonOf(capture, runs, agree))
  else show(1, linesOfRuns(capture, runs))
  return agree ? DONE : UNMET
}

/** Prints the script that records captures. */
export function captureScriptCommand(): number {
  write(1, readFileSync(new URL('../../../public/capture/fusescope_capture.py', import.meta.url), 'utf8'))
  return DONE
}

function jsonOf({ header, leftOut, notes, problems }: Capture, runs: readonly ComparedRun[], agree: boolean): object {
  return {
    torch: header.torch,
    packages: header.packages,
    agree,
    runs: runs.map((r) => ({
      run: r.run,
      compile: r.compile,
      nodes: r.nodes,
      passes: r.passes.map((p) => ({
        pass: p.pass,
        entries: p.entries,
        pytorch: p.pytorch.count,
        pytorch_error: p.pytorch.error,
        ours: p.ours,
        ours_error: p.oursError,
        attempts: p.pytorch.nodes.length,
        left_out: p.pytorch.leftOut,
        agree: p.agree,
        differences: p.pytorch.differences,
        reasons: reasonsOf(p.pytorch),
      })),
      problems: r.problems,
    })),
    left_out: leftOut,
    notes,
    problems,
  }
}

function linesOfRuns(capture: Capture, runs: readonly ComparedRun[]): string[] {
  const lines = [`PyTorch ${capture.header.torch}, recorded ${capture.header.time ?? ''}`.trimEnd()]
  for (const run of runs) {
    lines.push('', `run ${run.run}${run.compile ? ` (compilation ${run.compile})` : ''}, ${count(run.nodes, 'node')}`)
    for (const p of run.passes) {
      const own = p.oursError ? `raised ${p.oursError}` : p.ours
      const theirs = p.pytorch.count ?? p.pytorch.error ?? 'unknown'
      lines.push(`  ${named(p.pass)}: PyTorch ${theirs}, Fusescope ${own}${p.agree ? '' : ', which differ'}`)
      for (const d of p.pytorch.differences) lines.push(`    ${differenceLine(d)}`)
      const reasons = p.pytorch.count === 0 ? reasonsOf(p.pytorch) : []
      for (const r of reasons.slice(0, SHOWN)) lines.push(`    ${reasonLine(r)}`)
      if (reasons.length > SHOWN) lines.push(`    and ${count(reasons.length - SHOWN, 'more reason')}`)
      if (p.pytorch.leftOut > 0) lines.push(`    ${count(p.pytorch.leftOut, 'failed attempt')} left out of the capture`)
    }
    for (const p of run.problems) lines.push(`  ${p.message}`)
  }
  for (const note of capture.notes) lines.push(`The recorder failed once: ${note}`)
  return lines
}

/** Maximum number of reasons printed per pass. */
const SHOWN = 5
const LONGEST = 300

interface MissReason {
  reason: string
  times: number
  /** The first of its places. */
  entry: number
  node: string
}

/** PyTorch's reasons at the places that missed, those of stage two first, because they are nearer to a match. */
function reasonsOf({ nodes }: PyTorchVerdict): MissReason[] {
  const found = new Map<string, MissReason>()
  const missed = nodes.filter((n) => n.outcome !== 'replaced')
  const [later, first] = [missed.filter((n) => n.phase === 'specific'), missed.filter((n) => n.phase === 'initial')]
  for (const { entry, node, reason } of [...later, ...first]) {
    // Node names in different layers differ only in their numbers.
    const alike = `${entry} ${(reason ?? '').replaceAll(/_\d+\b/g, '')}`
    const known = found.get(alike)
    if (known) known.times++
    else found.set(alike, { reason: reason ?? '', times: 1, entry, node })
  }
  return [...found.values()]
}

function reasonLine({ reason, times, entry, node }: MissReason): string {
  const cut = reason.length > LONGEST ? `${reason.slice(0, LONGEST)}…` : reason
  return `${node}${times > 1 ? ` and ${count(times - 1, 'more place')}` : ''}, pattern ${entry}: PyTorch: ${cut}`
}

const differenceLine = ({ node, entry, pytorch, ours }: VerdictDifference): string =>
  `${node === null ? 'the pass' : `${node}, pattern ${entry}`}: PyTorch ${pytorch}; Fusescope ${ours}`
