/** For tests: the program in a separate folder, as a process and in this process. */
import { spawnSync } from 'node:child_process'
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { RUNNERS } from '../../base/runner_commands'
import { releasePython } from '../../python/testing/shared_python'
import { fusescope as inThisProcess } from '../fusescope'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
/** The example that the commands run on. */
export const example = join(root, 'public/examples/rms-norm-int8')
export const graph = join(example, 'graph.txt')
export const pattern = join(example, 'fusion.py')
/** The graph with shapes, which stage two needs for tracing. */
export const readable = join(example, 'fx_graph_readable.py')
let folder = ''

/** Gives each test file its own folder, which commands use as the current one. */
export function ownFolder(): void {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fusescope-cli-'))
    vi.stubEnv('INIT_CWD', folder)
    for (const name of RUNNERS) vi.stubEnv(name, '')
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Writes a file into the folder. */
export function file(name: string, text: string | Uint8Array): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
  return name
}

export interface Outcome {
  status: number | null
  out: string
  err: string
}

/** Starts it from its bundle, as users do: the sources take seven times as long to load. */
export function asProcess(...args: string[]): Outcome {
  const run = spawnSync(process.execPath, [join(root, 'scripts/cli.mjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return { status: run.status, out: run.stdout, err: run.stderr }
}

/** The same in this process, because starting a process takes most of the time. */
export async function fusescope(...args: string[]): Promise<Outcome> {
  const written: Record<number, Uint8Array[]> = { 1: [], 2: [] }
  const keep = (fd: number, bytes: Uint8Array, at: number, length: number): number => {
    written[fd]!.push(bytes.slice(at, at + length))
    return length
  }
  const spy = vi.spyOn(fs, 'writeSync').mockImplementation(keep as typeof fs.writeSync)
  syncBuiltinESMExports()
  try {
    const status = await inThisProcess(args)
    return { status, out: Buffer.concat(written[1]!).toString(), err: Buffer.concat(written[2]!).toString() }
  } finally {
    spy.mockRestore()
    syncBuiltinESMExports()
    releasePython()
  }
}

/** Exit status 2, nothing on stdout, one line on stderr. */
export function complaintOf({ status, out, err }: Outcome): string {
  expect({ status, out, lines: err.trimEnd().split('\n').length }).toEqual({ status: 2, out: '', lines: 1 })
  return err.trimEnd()
}
export const complaint = async (...args: string[]): Promise<string> => complaintOf(await fusescope(...args))
