/** `fusescope compare` of two captures: the matches that PyTorch replaced in only one of the runs. */
import { basename } from 'node:path'
import { compareCaptures } from '../../engine/capture/compare_captures'
import { runsOf } from '../../engine/capture/runs'
import { formatProblem } from '../../fx'
import type { Command } from '../args'
import { captureOf } from '../captures/file'
import { bad, show, writeJson } from '../output'
import { DONE } from '../status'
import { jsonOf, linesOf } from './report_text'

/** The exit status; null if one of the files is no capture. */
export function comparedCaptures(command: Extract<Command, { kind: 'compare' }>): number | null {
  const sides = [command.old, command.new].map((file) => ({ file, read: captureOf(file, true) }))
  const captures = sides.flatMap(({ file, read }) => (read.ok && read.value ? [{ file, ...read.value }] : []))
  if (captures.length === 0) return null
  const other = sides.find(({ read }) => !read.ok || read.value === null)
  if (other) {
    if (!other.read.ok) return bad(formatProblem(other.read.error))
    return bad(`${other.file}:1:1: this is not a capture; a capture is compared with another one`)
  }
  const runs = captures.map(({ capture }) => runsOf(capture).map((r) => r.run))
  const run = command.run ?? null
  const chosen = runs.map((list) => (run === null && list.length === 1 ? list[0] : list.find((r) => r === run)))
  const wrong = chosen.findIndex((r) => r === undefined)
  if (wrong >= 0) {
    const [file, list] = [captures[wrong]!.file, runs[wrong]!.join(', ')]
    if (list === '') return bad(`${file}:1:1: the capture holds no pass with its graph`)
    return bad(`${file}:1:1: the capture has the graphs ${list}: add --run with a number that both captures have`)
  }
  const same = basename(command.old) === basename(command.new)
  const [old, now] = captures.map(({ file, capture }, i) => ({
    name: same ? file : basename(file),
    capture,
    run: chosen[i]!,
  }))
  const compared = compareCaptures(old!, now!)
  if (command.json) writeJson(jsonOf(compared))
  else show(1, linesOf(compared))
  return DONE
}
