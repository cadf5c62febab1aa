/** Python starts from a memory snapshot, or cold where it cannot be loaded, with the same results. */
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Console } from '../console'
import { nodeAssets } from '../node_assets'
import type { PythonAssets } from '../types'
import { startPython } from './interpreter'
import { LateLibrary } from './late_library'
import { LATER } from './load'

// Nothing has imported mailbox before.
const PROBE = `import inspect, sys, torch, vllm.platforms, mailbox
print(len(sys.modules), sys.path, inspect.getsource(torch.nn.functional.silu)[:8])
print(sorted(n for n in sys.modules if sys.modules[n] is None), hash("a"), {*"abc"})
# The snapshot's code has lines and no columns.
functions = [f for m in (inspect, torch._inductor.pattern_matcher) for f in vars(m).values() if inspect.isfunction(f)]
print(hash(tuple(line for f in functions for line, *_ in f.__code__.co_positions())))
`

async function probe(assets: PythonAssets): Promise<unknown[]> {
  const output = new Console()
  const python = await startPython(assets, output, () => '{"ok": null}')
  const run = (): unknown => [python.call(JSON.stringify(['run', [['p.py', PROBE, null]], null])), output.drain()]
  const first = run()
  python.reset()
  expect(run()).toEqual(first)
  return first as unknown[]
}

/** Pyodide's folder with another zip of the same standard library, in which all files lie 7 bytes later. */
function withOtherZip(assets: PythonAssets): PythonAssets {
  const folder = mkdtempSync(join(tmpdir(), 'fusescope-pyodide-'))
  for (const name of ['pyodide.asm.mjs', 'pyodide.asm.wasm'])
    symlinkSync(join(assets.indexURL, name), join(folder, name))
  const zip = readFileSync(join(assets.indexURL, 'python_stdlib.zip'))
  writeFileSync(join(folder, 'python_stdlib.zip'), Buffer.concat([Buffer.from('1234567'), zip]))
  return { ...assets, indexURL: `${folder}/` }
}

/** Pyodide's folder with the empty file that stands for the library. */
function withLater(assets: PythonAssets): string {
  const folder = mkdtempSync(join(tmpdir(), 'fusescope-pyodide-'))
  for (const name of ['pyodide.asm.mjs', 'pyodide.asm.wasm'])
    symlinkSync(join(assets.indexURL, name), join(folder, name))
  writeFileSync(join(folder, LATER), '')
  return `${folder}/`
}

describe('Python', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('is the same from a snapshot and cold; a snapshot that cannot be loaded is one line in the console', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const assets = nodeAssets()
    const quick = await probe(assets)
    expect(warned).not.toHaveBeenCalled()
    expect(JSON.parse(quick[0] as string)).toMatchObject({ ok: { failure: null } })
    expect(await probe(withOtherZip(assets))).toEqual(quick)
    expect(warned).not.toHaveBeenCalled()
    const damaged = new Uint8Array(31_457_408)
    expect(await probe({ ...assets, snapshot: () => Promise.resolve(damaged) })).toEqual(quick)
    expect(await probe({ ...assets, snapshot: () => Promise.reject(new Error('status 404')) })).toEqual(quick)
    expect(warned.mock.calls.map(([text]) => text as string)).toEqual([
      expect.stringMatching(/^Fusescope: Python starts without its memory snapshot \(.*magic/),
      'Fusescope: Python starts without its memory snapshot (status 404).',
    ])
  })

  it('starts before its library has arrived, says that code missed it, and is whole afterwards', async () => {
    const assets = nodeAssets()
    const late = new LateLibrary()
    const output = new Console()
    const python = await startPython({ ...assets, indexURL: withLater(assets), late }, output, () => '{"ok": null}')
    const run = (text: string): unknown[] => {
      python.reset()
      return [python.call(JSON.stringify(['run', [['p.py', text, null]], null])), output.drain()]
    }
    expect(run('import torch, inspect, collections, json, re\nprint(len(sys.modules) if 0 else 1)')[1]).toEqual([
      { stream: 'stdout', text: '1' },
    ])
    expect(late).toMatchObject({ needed: true, missed: false })
    run('import inspect, torch\ninspect.getsource(torch.nn.functional.silu)')
    expect(late.missed).toBe(true)
    late.missed = false
    run(PROBE)
    expect(late.missed).toBe(true)
    late.receive(readFileSync(join(assets.indexURL, 'python_stdlib.zip')))
    const whole = run(PROBE)
    expect(JSON.parse(whole[0] as string)).toMatchObject({ ok: { failure: null } })
    expect(whole).toEqual(await probe(assets))
    expect(run(PROBE)).toEqual(whole)
  })
})
