/** The hostile corpus on Node's Pyodide: nothing escapes from the box, and in an open Pyodide the attacks succeed. */
import { loadPyodide } from 'pyodide'
import { describe, expect, it } from 'vitest'
import { nodeAssets } from '../../node_assets'
import { start } from '../start'
import { DENIALS } from './denials'
import { ESCAPES, escapesFile } from './escapes'

const gains = (printed: string): string[] =>
  [...printed.matchAll(/^GAIN (\d+)$/gm)].map(([, i]) => ESCAPES[Number(i)]!.name)

describe('the corpus', () => {
  it('of escapes gains nothing in the box', async () => {
    const py = await start()
    const run = py.run(escapesFile())
    expect(run.failure).toBeNull()
    const printed = run.console.map((c) => c.text).join('\n')
    expect(printed).toContain(`ATTACKS ${ESCAPES.length}`)
    expect(gains(printed)).toEqual([])
  })

  it('attacks: in an open Pyodide, each that is marked gains something', async () => {
    const lines: string[] = []
    const pyodide = await loadPyodide({ indexURL: nodeAssets().indexURL, stdout: (line) => lines.push(line) })
    pyodide.runPython(escapesFile(ESCAPES.map((e) => (e.open ? e : { ...e, body: 'return None' }))))
    expect(gains(lines.join('\n'))).toEqual(ESCAPES.filter((e) => e.open).map((e) => e.name))
  })
})

describe('denial', () => {
  it.each(DENIALS.filter((d) => d.node !== false))('$code', async ({ code, ends }) => {
    const host = await start()
    const { failure } = host.run(code)
    if (ends === null) expect(failure).toBeNull()
    else {
      expect(`${failure?.type}: ${failure?.message}`).toMatch(ends)
      expect(failure!.message.length).toBeLessThan(10_100)
      expect(failure!.message).not.toMatch(/wasm|NoGil|PyProxy|undefined/)
    }
    if (!host.host.broken) expect(host.run('print(1)')).toMatchObject({ failure: null, console: [{ text: '1' }] })
  })
})
