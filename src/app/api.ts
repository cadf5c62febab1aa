/**
 * `window.fusescope`: the page's scripting API, for e2e tests and for pages that embed the app. Documented in
 * docs/api.md; existing members never change.
 */
import type { PassReport, Report } from '../engine/protocol'
import type { OpRequest, OpResult } from '../gpu'
import type { Distribution, RunReport } from '../gpu/types'
import { workspaceSchema, type Workspace } from '../workspace'
import { shapesOf, tokensOf, withTokens } from './features/run/run_sizes'
import { openWorkspace } from './session/open_workspace'
import { requireCode } from './session/consent'
import { useRun } from './session/run_store'
import { isOf } from './session/section'
import { newOrigin, useWorkspace } from './session/workspace_store'
import { gpuClient, kernelFiles } from './features/run/gpu_runs'
import { engine, settled } from './session/runner'
import { currentSession } from './session/session'

export interface CompareRequest {
  /** Index of a match in the first pass that has any, or pass and index. */
  match?: number | { pass: string; index: number }
  /**
   * Instead of `match`: an entry, by its title or by its index in the first pass. Runs its first match; without a
   * match, or with `shapes`, runs the pattern and its replacement.
   */
  variant?: string | number
  /** `tokens` replaces the token count; for a variant, `inputs` are shapes by argument of its search function. */
  shapes?: { tokens?: number; inputs?: Record<string, number[]> }
  inputs?: { distribution?: Distribution; seed?: number }
  /** Timed samples per side; 0: no timing. */
  samples?: number
  device?: 'webgpu' | 'reference'
}

export interface FusescopeApi {
  /** Resolves when the first report or the first failure is available. */
  ready: Promise<void>
  /**
   * Loads a workspace and resolves when its report is available. Rejects if the workspace is invalid, could not be
   * run, or was replaced by another one.
   */
  open(workspace: Workspace): Promise<Report>
  /** The newest report; null before the first. */
  report(): Report | null
  /** Runs one operator on given tensors. Rejects with a one-sentence reason. */
  runOp(request: OpRequest): Promise<OpResult>
  /** Runs a match's subgraph and its replacement from the same inputs, and compares them. */
  compare(request: CompareRequest): Promise<RunReport>
}

declare global {
  interface Window {
    fusescope?: FusescopeApi
  }
}

export function installApi(ready: Promise<void>): void {
  window.fusescope = { ready, open, report: () => useRun.getState().result.value, runOp, compare }
}

async function open(workspace: Workspace): Promise<Report> {
  const read = workspaceSchema.safeParse(workspace)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new Error(`This is not a workspace: ${issue?.path.join('.') || 'it'} ${issue?.message ?? 'is not one'}`)
  }
  // The caller provides the Python by script, so it runs without consent.
  openWorkspace({ workspace: read.data, origin: newOrigin() })
  const { signal } = currentSession()
  await Promise.race([settled(), ended(signal)])
  if (signal.aborted) throw new Error('Another workspace was opened before the report of this one was available')
  requireCode('The report appears')
  return current()
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

/** The report of the current workspace. */
function current(): Report {
  const { result, outcome } = useRun.getState()
  if (!isOf(result, useWorkspace.getState().version)) throw new Error(outcome.value.failure ?? 'There is no report')
  return result.value!
}

async function runOp(request: OpRequest): Promise<OpResult> {
  return (await gpuClient()).runOp(request)
}

async function compare(request: CompareRequest): Promise<RunReport> {
  await settled()
  requireCode('Values are compared')
  const report = current()
  const { samples, device, shapes, inputs } = request
  const entry = request.variant === undefined ? null : entryOf(report, request.variant)
  const match = entry ? entry.pass.matches.find((m) => m.entry === entry.index) : undefined
  const options = { ...inputs, samples, device, kernels: kernelFiles() }
  const e = await engine()
  const gpu = await gpuClient()
  if (entry && (!match || shapes?.inputs)) {
    const given = shapesOf(report, entry.pass, entry.pass.entries[entry.index]!, shapes?.inputs ?? {})
    const sizes = shapes?.tokens === undefined ? given : withTokens(given, shapes.tokens)
    const programs = await e.variantProgram(entry.pass.name, entry.index, sizes)
    return gpu.run(programs, { ...options, tokens: tokensOf(sizes) })
  }
  const at = entry ? { pass: entry.pass.name, index: match!.index } : matchOf(report, request.match)
  return gpu.run(await e.program(at.pass, at.index), { ...options, ...(shapes?.tokens && { tokens: shapes.tokens }) })
}

function matchOf(report: Report, match: CompareRequest['match']): { pass: string; index: number } {
  if (typeof match === 'object') return match
  const first = report.passes.find((p) => p.matches.length > 0)
  if (!first) throw new Error('There is no match to compare; name a variant instead')
  return { pass: first.name, index: match ?? 0 }
}

function entryOf(report: Report, variant: string | number): { pass: PassReport; index: number } {
  for (const pass of typeof variant === 'number' ? report.passes.slice(0, 1) : report.passes) {
    const index = pass.entries.findIndex((e, i) => e.title === variant || i === variant)
    if (index >= 0) return { pass, index }
  }
  throw new Error(`There is no variant ${variant}`)
}
