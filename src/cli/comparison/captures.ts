/** `fusescope compare` of two captures: the matches that PyTorch replaced in only one of the runs. */
import { basename } from 'node:path'
import { compareCaptures } from '../../engine/capture/compare_captures'
import { runsOf } from '../../engine/capture/runs'
import { formatProblem } from '../../fx'
import type { Command } from '../args'
import { captureOf } from '../captures/file'
import { complain, show, writeJson } from '../output'
import { BAD_INPUT, DONE } from '../status'
import { jsonOf, linesOf } from './report_text'

/** The exit status; null if one of the files is no capture. */
export function comparedCaptures(command: Extract<Command, { kind: 'compare' }>): number | null {
  const sides = [command.old, command.new].map((file) => ({ file, read: captureOf(file, true) }))
  const captures = sides.flatMap(({ file, read }) => (read.ok && read.value ? [{ file, ...read.value }] : []))
  if (captures.length === 0) return null
  const refuse = (message: string): number => {
    complain(message)
    return BAD_INPUT
  }
  const other = sides.find(({ read }) => !read.ok || read.value === null)
  if (other) {
    if (!other.read.ok) return refuse(formatProblem(other.read.error))
    return refuse(`${other.file}:1:1: this is not a capture; a capture is compared with another one`)
  }
  const runs = captures.map(({ capture }) => runsOf(capture).map((r) => r.run))
  const run = command.run ?? null
  const chosen = runs.map((list) => (run === null && list.length === 1 ? list[0] : list.find((r) => r === run)))
  const bad = chosen.findIndex((r) => r === undefined)
  if (bad >= 0) {
    const [file, list] = [captures[bad]!.file, runs[bad]!.join(', ')]
    if (list === '') return refuse(`${file}:1:1: the capture holds no pass with its graph`)
    return refuse(`${file}:1:1: the capture has the graphs ${list}: add --run with a number that both captures have`)
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
