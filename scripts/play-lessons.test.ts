/** `npm run lessons -- PATH`: a lesson of somebody else runs in the box of user code. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bin } from './lib.mjs'

const folder = mkdtempSync(join(tmpdir(), 'fusescope-lesson-'))
const GRAPH =
  'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n    return (relu,)\n'

/** A lesson of one step with these files. @returns its folder */
function lesson(name: string, files: Record<string, string>, graph: string): string {
  const at = join(folder, name)
  mkdirSync(at)
  const steps = [{ id: 'one', claims: [{ check: 'matches', count: 0 }] }]
  const workspaces = { main: { graph, files: Object.keys(files).filter((f) => f.endsWith('.py')) } }
  const json = JSON.stringify({ order: 1, summary: 's', minutes: 1, workspaces, steps })
  for (const [file, text] of Object.entries({ ...files, 'lesson.json': json, 'lesson.md': '# T\n\n## One\n\ntext\n' }))
    writeFileSync(join(at, file), text)
  return at
}

function play(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', bin('tsx/dist/loader.mjs'), 'scripts/play-lessons.ts', ...args],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

afterAll(() => rmSync(folder, { recursive: true }))

describe('a lesson in a folder of somebody else', () => {
  it('is stopped at the time limit', () => {
    const at = lesson('endless', { 'g.txt': GRAPH, 'p.py': 'while True: pass\n' }, 'g.txt')
    expect(play(at, '--timeout', '1')).toEqual({
      status: 3,
      stdout: '',
      stderr: 'user code ran for more than 1 s and was stopped; --timeout SECONDS changes the limit (0: none).\n',
    })
  })

  it('reads nothing outside of its folder and prints nothing that a terminal obeys', () => {
    writeFileSync(join(folder, 'secret.txt'), GRAPH)
    const linked = lesson('linked', {}, 'g.txt')
    symlinkSync('../secret.txt', join(linked, 'g.txt'))
    const above = lesson('above\x1b[2J', {}, '../secret.txt')
    const { status, stdout, stderr } = play(linked, above)
    expect(status).toBe(1)
    expect(stderr.split('\n').sort()).toEqual([
      '',
      `  ${folder}/above\\x1b[2J: above\\x1b[2J/lesson.json: workspaces.main.graph: must be a plain file name`,
      '  linked: linked: there is no file g.txt',
    ])
    expect(stdout).not.toContain('\x1b')
  })
})
