/** Reads captures: .fusescope files, which may be gzipped. */
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { err, ok, type Problem, type Result } from '../../base/result'
import { isCapture, readCapture } from '../../engine/capture/read'
import { runsOf } from '../../engine/capture/runs'
import type { Capture } from '../../engine/capture/records'
import { workspaceOfCapture } from '../../engine/capture/workspace'
import type { Workspace } from '../../workspace/types'
import { LARGEST_FILE, readBytes, textOf } from '../input'

const EXPECTED = 'a .fusescope file that fusescope_capture.py wrote'

/** @param sniffed true if the file may be something else: then null */
export function captureOf(file: string, sniffed: boolean): Result<{ capture: Capture; text: string } | null, Problem> {
  const bytes = readBytes(file, EXPECTED)
  if (!bytes.ok) return bytes
  const text = textOf(unzipped(bytes.value), file, EXPECTED)
  if (!text.ok) return text
  if (sniffed && !isCapture(text.value)) return ok(null)
  const capture = readCapture(text.value, basename(file))
  return capture.ok ? ok({ capture: capture.value, text: text.value }) : err({ ...capture.error, file })
}

/** The workspace of one graph of a capture; null for a file that is not a capture. @param run null: the only one */
export function capturedWorkspace(file: string, run: number | null): Result<Workspace> | null {
  const read = captureOf(file, true)
  if (!read.ok || read.value === null) return null
  return chosenRun(read.value.capture, read.value.text, file, run)
}

/** The same, for a file that is given as a capture. */
export function workspaceOf(file: string, run: number | null): Result<Workspace> {
  const read = captureOf(file, false)
  return read.ok ? chosenRun(read.value!.capture, read.value!.text, file, run) : read
}

/** The workspace of the first graph of a capture's text. @param name in messages */
export function firstRunOf(text: string, name: string): Result<Workspace> {
  const capture = readCapture(text, name)
  return capture.ok ? chosenRun(capture.value, text, name, runsOf(capture.value)[0]?.run ?? null) : capture
}

function chosenRun(capture: Capture, text: string, file: string, run: number | null): Result<Workspace> {
  const problem = (message: string) => err({ file, line: 1, column: 1, message })
  const runs = runsOf(capture)
  if (runs.length === 0) return problem('the capture holds no pass with its graph')
  const numbers = runs.map((r) => r.run).join(', ')
  if (run === null && runs.length > 1)
    return problem(`the capture has several graphs: add --run with one of ${numbers}`)
  const found = run === null ? runs[0] : runs.find((r) => r.run === run)
  if (!found) return problem(`the capture has no run ${run}, only ${numbers}`)
  return ok(workspaceOfCapture(capture, text, found.run))
}

const unzipped = (bytes: Buffer): Buffer => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST_FILE })
  } catch {
    return bytes
  }
}
