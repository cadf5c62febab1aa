/** `fusescope match --capture` on captures of real PyTorch, whole, cut and changed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { complaint, file, fusescope, graph, ownFolder, root } from '../testing/program'

ownFolder()

const recorded = join(root, 'conformance/captures/compiled-model.fusescope.gz')
const text = gunzipSync(readFileSync(recorded)).toString()

interface Output {
  torch: string
  agree: boolean
  runs: { run: number; passes: { pass: string; pytorch: number; ours: number; differences: { node: string }[] }[] }[]
}

describe('fusescope match --capture', () => {
  it('prints both counts, and exits with 0 where they agree', async () => {
    const printed = await fusescope('match', '--capture', recorded)
    expect(printed.status).toBe(0)
    expect(printed.out).toContain('LinearSiluPass: PyTorch 4, Fusescope 4')
    const { status, out } = await fusescope('match', '--capture', recorded, '--json')
    const { torch, agree, runs } = JSON.parse(out) as Output
    expect([status, agree, torch.slice(0, 6)]).toEqual([0, true, '2.14.1'])
    expect(runs[0]!.passes).toMatchObject([{ pass: 'LinearSiluPass', pytorch: 4, ours: 4, differences: [] }])
  })

  it('recognizes a capture given as a graph', async () => {
    const plain = file('run.fusescope', text)
    expect((await fusescope('match', '--graph', plain)).out).toContain('PyTorch 4, Fusescope 4')
    expect(await complaint('match', '--graph', graph)).toMatch(/--pattern FILE is missing/)
  })

  it('exits with 1 and names the node where they differ', async () => {
    const changed = file('changed.fusescope', text.replaceAll('multiple_users ', 'single_user '))
    const { status, out } = await fusescope('match', '--capture', changed)
    expect(status).toBe(1)
    expect(out).toMatch(
      /relu_8, pattern 0: PyTorch fails in stage one: single_user .*Fusescope fails in stage one: multiple_users/,
    )
  })

  it('reads what is there of a cut file, and names the line', async () => {
    const cut = file('cut.fusescope', text.slice(0, text.indexOf('"record":"applied"') - 100))
    const { out, err } = await fusescope('match', '--capture', cut)
    expect(err).toMatch(/^cut\.fusescope:\d+:1: The last line is cut/)
    expect(out).toContain('PyTorch did not finish: the capture ends inside the pass, Fusescope 4')
  })

  it('refuses other files', async () => {
    expect(await complaint('match', '--capture', graph)).toMatch(/graph\.txt:1:1: This is not a capture/)
    expect(await complaint('match', '--capture', file('v.fusescope', text.replace('"v":1', '"v":7')))).toMatch(
      /v\.fusescope:1:1: This capture has version 7/,
    )
    expect(await complaint('match', '--capture', recorded, '--run', '9')).toMatch(/has no run 9/)
    expect(await complaint('match', '--capture', recorded, '--pattern', 'a.py')).toMatch(/does not go with --capture/)
  })
})

it('prints the script', async () => {
  const { out } = await fusescope('capture-script')
  expect(out).toBe(readFileSync(join(root, 'public/capture/fusescope_capture.py'), 'utf8'))
})

describe('fusescope export of a capture', () => {
  it('writes the recorded patterns as a script', async () => {
    const { status, out } = await fusescope('export', '--workspace', recorded, '--as', 'script')
    expect(status).toBe(0)
    expect(out).toContain("'captured_graph.py.txt': {'LinearSiluPass': 4}")
    expect(out).toContain('def trace_0(build):')
    expect(out).not.toContain('USER_FILES')
  })

  it('asks for one of several graphs', async () => {
    const streams = join(root, 'conformance/captures/ascend-streams.fusescope.gz')
    expect(await complaint('export', '--workspace', streams)).toMatch(/several graphs: add --run with one of 0, 1/)
    expect(await complaint('export', '--workspace', streams, '--run', '7')).toMatch(/no run 7, only 0, 1/)
    const { out } = await fusescope('export', '--workspace', streams, '--run', '1', '--as', 'patterns')
    expect(out).toContain('CallFunction(')
  })
})

describe('a capture given to other commands', () => {
  const streams = join(root, 'conformance/captures/ascend-streams.fusescope.gz')

  it('is explained, with the lines of its files', async () => {
    const { status, out } = await fusescope('explain', '--capture', recorded, '--quick')
    expect(status).toBe(0)
    // Its files register the recorded patterns, so the cause names their line and values.
    expect(out).toMatch(/misses: extra-check: .*columns <= rows is 128 <= 32 \(compiled_model\.py:33\)/)
    expect((await fusescope('explain', '--graph', recorded, '--quick')).out).toBe(out)
    expect(await complaint('explain', '--graph', graph)).toMatch(/--pattern FILE is missing/)
    expect(await complaint('explain', '--capture', graph)).toMatch(/graph\.txt:1:1: This is not a capture/)
    expect(await complaint('explain', '--capture', recorded, '--pattern', 'a.py')).toMatch(/does not go with --capture/)
    expect(await complaint('explain', '--capture', streams)).toMatch(/several graphs: add --run with one of 0, 1/)
  })

  it('is printed, exported and linked', async () => {
    expect((await fusescope('print', '--graph', recorded, '--as', 'fx')).out).toContain('%addmm_7 : [num_users=1]')
    expect(await complaint('print', '--graph', streams, '--as', 'fx')).toMatch(/several graphs: add --run/)
    expect((await fusescope('print', '--graph', streams, '--run', '1', '--as', 'fx')).out).toContain('graph():')
    const link = await fusescope('link', '--capture', recorded)
    expect(link.out).toBe((await fusescope('link', '--workspace', recorded)).out)
    expect((await fusescope('export', '--capture', recorded)).out).toContain('def trace_0(build):')
  })

  it('prints PyTorch’s reasons where a pass matched nothing', async () => {
    const none = text
      .replaceAll(/,"applied":true,"outputs":\[[^\]]*\],"replacement":\d+/g, ',"dropped":{"why":"extra-check"}')
      .replace('"count":4', '"count":0')
    const { out } = await fusescope('match', '--capture', file('none.fusescope', none))
    expect(out).toMatch(/relu_8, pattern 0: PyTorch: multiple_users/)
  })
})
