/** Files that are none, workspaces and cases that cannot be read: exit status 2 and a line that says where and what. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPatterns } from './inputs'
import { complaint, file, graph, ownFolder, pattern } from './testing/program'

ownFolder()

describe('a file on the command line', () => {
  it.each([
    ['a device without an end', '/dev/zero', 'this is a device'],
    ['a folder', '/', 'the folder has no file with an FX graph'],
    ['a name that is too long', 'a'.repeat(5000), 'the file cannot be read (ENAMETOOLONG)'],
  ])('that is %s', async (_, path, message) => {
    if (path === '/') path = join(file('empty/x.bin', 'x'), '..')
    expect(await complaint('print', '--graph', path, '--as', 'fx')).toContain(message)
  })

  it('that is a pipe without a writer does not block', async () => {
    const pipe = file('pipe', '')
    const folder = process.env.INIT_CWD!
    execFileSync('rm', [join(folder, pipe)])
    execFileSync('mkfifo', [join(folder, pipe)])
    expect(await complaint('print', '--graph', pipe, '--as', 'fx')).toContain('this is a pipe, not a file')
  })

  it('that is an issue gives the Python that registers patterns, under a name that runs', () => {
    const program = 'from torch.fx.subgraph_rewriter import replace_pattern\n\nreplace_pattern(gm, a, b)\n'
    const names = ['one/issue.md', 'two/issue.md'].map((name, i) =>
      file(name, `It does not match:\n\`\`\`python\n${program}# ${i}\n\`\`\`\nWhy?\n`),
    )
    const read = readPatterns([...names, file('issue.txt', 'x = 1\n')])
    expect(read.ok && read.value.map((f) => [f.name.replace(/^.*_/, ''), f.text])).toEqual([
      ['issue.py', `${program}# 0\n`],
      ['md.py', `${program}# 1\n`],
      ['txt.py', 'x = 1\n'],
    ])
    expect(new Set(read.ok ? read.value.map((f) => f.name) : []).size).toBe(3)
  })

  it('that holds no graph is refused once', async () => {
    const text = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: no\n'
    const said = await complaint('print', '--graph', file('trace.txt', text), '--as', 'fx')
    expect(said.match(/This is a Python traceback/g)).toHaveLength(1)
  })

  it('escapes control characters of its name', async () => {
    expect(await complaint('print', '--graph', 'a\x1b[2J\u202e.txt', '--as', 'fx')).toMatch(
      /^a\\x1b\[2J\\u202e\.txt:1:1: /,
    )
  })
})

describe('a workspace', () => {
  const workspace = (change: object): string =>
    file(
      'w.json',
      JSON.stringify({
        name: 'w',
        graph: { name: 'g.txt', text: readFileSync(graph, 'utf8') },
        files: [{ name: 'p.py', text: '' }],
        options: { timeLimitS: 5 },
        ...change,
      }),
    )

  it.each([
    [
      'whose graph is none',
      { graph: { name: 'g.txt', text: 'hello' } },
      /^w\.json \(g\.txt\):1:1: workspace\.graph\.text: No FX/,
    ],
    [
      'whose shapes are none',
      { shapes: { name: 's.py', text: 'zzz' } },
      /^w\.json \(s\.py\):1:1: workspace\.shapes\.text: No FX/,
    ],
    ['with a field of another type', { files: 3 }, /^w\.json:1:1: this is not a workspace: files: .*expected array/],
    ['with text of another type', { graph: { name: 'g', text: 5 } }, /graph\.text: .*expected string, received number/],
  ])('%s', async (_, change, message) => {
    expect(await complaint('passes', '--workspace', workspace(change))).toMatch(message)
    expect(await complaint('export', '--workspace', workspace(change))).toMatch(message)
  })
})

describe('a case', () => {
  const whole = { id: 'c', pattern_py: readFileSync(pattern, 'utf8'), graph: readFileSync(graph, 'utf8') }

  it.each([
    ['readable', 5, 'expected a string, found 5'],
    ['readable', 'nope', 'No FX graph was found'],
    ['custom_meta', { x: 1 }, 'expected an object of objects by node name, found {"x":1}'],
    ['get_attr_values', { x: 1 }, 'expected an object of strings by target, found {"x":1}'],
    ['passes', 'all', 'expected a list of names, found "all"'],
    ['environment', 5, 'expected an object, found 5'],
  ])('whose %s is %j', async (field, value, message) => {
    const line = await complaint('match', '--cases', file('c.jsonl', JSON.stringify({ ...whole, [field]: value })))
    expect(line).toMatch(/^c\.jsonl:1:1: /)
    expect(line).toContain(field)
    expect(line).toContain(message)
  })
})
