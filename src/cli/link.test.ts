/** `fusescope link` and `fusescope print --link`, as a script uses them. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, example, file, fusescope, graph, ownFolder, pattern, readable, root } from './testing/program'

ownFolder()

describe('fusescope link', () => {
  it('prints a link that print --link reads back, byte for byte', async () => {
    const { status, out } = await fusescope('link', '--graph', graph, '--readable', readable, '--pattern', pattern)
    expect([status, out]).toEqual([0, expect.stringMatching(/^#v2\.[A-Za-z0-9_-]+\n$/)])
    for (const link of [out.trim(), file('link.txt', `https://example.org/${out}`)]) {
      expect((await fusescope('print', '--link', link, '--as', 'fx')).out).toBe(readFileSync(graph, 'utf8').trimEnd())
      const printed = await fusescope('print', '--link', link, '--as', 'readable')
      expect(printed.out).toBe((await fusescope('print', '--graph', readable, '--as', 'readable')).out)
    }
  })

  it('of an example is short', async () => {
    const { out } = await fusescope('link', '--workspace', join(example, 'workspace.json'))
    expect(out.length).toBeLessThan(100)
    expect((await fusescope('print', '--link', out, '--as', 'fx')).out).toBe(readFileSync(graph, 'utf8').trimEnd())
  })

  it('leaves source comments out of a long link, and says so', async () => {
    const llama = ['--graph', join(root, 'conformance/graphs/llama.readable.txt')]
    const { out, err } = await fusescope('link', ...llama)
    expect(out.length).toBeLessThan(2000)
    expect(err).toMatch(/^Source comments are left out/)
    expect((await fusescope('link', ...llama, '--comments', 'keep')).out.length).toBeGreaterThan(2000)
  })

  it('of a capture is what the capture script writes too, without PyTorch', async () => {
    const capture = join(root, 'conformance/captures/compiled-model.fusescope.gz')
    const { out } = await fusescope('link', '--workspace', capture)
    const printed = (await fusescope('print', '--link', out.trim(), '--as', 'readable')).out
    expect(printed).toContain('torch.ops.aten')
    const script = join(root, 'public/capture/fusescope_capture.py')
    const python = spawnSync('python3', [script, '--link', capture], { encoding: 'utf8' })
    // A machine without Python.
    if (python.error) return
    expect(python.stdout).toMatch(/^#v1\.[\w-]*[A-Za-z0-9]\n$/)
    expect((await fusescope('print', '--link', python.stdout.trim(), '--as', 'readable')).out).toBe(printed)
  })

  it('reports what is wrong in one sentence', async () => {
    expect(await complaint('link', '--graph', 'none.txt')).toMatch(/^none\.txt:1:1: the file does not exist/)
    expect(await complaint('link', '--graph', graph, '--comments', 'some')).toMatch(/needs keep or drop, found "some"/)
    expect(await complaint('print', '--link', '#v2.dEthJAFq', '--as', 'fx')).toMatch(/cut off after/)
    expect(
      await complaint('print', '--link', '#v2.dEthJAFqSu1lraOWEbfbLxcJNk5ovqifFv0P-ykNCr28LqnCQsbolg', '--as', 'fx'),
    ).toMatch(/is damaged/)
    expect(await complaint('print', '--as', 'fx')).toMatch(/--graph FILE or --link LINK is missing/)
  })
})
