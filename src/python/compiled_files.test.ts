/** Files compiled ahead: what is kept, and that a run with kept files is the run without them. */
import { describe, expect, test } from 'vitest'
import { CompiledFiles } from './compiled_files'
import { MATCHER_IMPORTS, start } from './testing/start'

describe('CompiledFiles', () => {
  test('compiles a file in the second run of its text, and again only after it changed for two runs', () => {
    const made: string[] = []
    const files = new CompiledFiles(({ name, text }) => {
      made.push(`${name}:${text}`)
      return `of ${text}`
    })
    const run = (a: string, b: string) => {
      const given = [
        { name: 'a.py', text: a },
        { name: 'b.py', text: b },
      ]
      return files.of(given).map(([, , kept]) => kept)
    }
    expect(run('1', 'x')).toEqual([null, null])
    expect(run('2', 'x')).toEqual([null, 'of x'])
    expect(run('3', 'x')).toEqual([null, 'of x'])
    expect(run('3', 'y')).toEqual(['of 3', null])
    expect(run('3', 'x')).toEqual(['of 3', 'of x'])
    expect(made).toEqual(['b.py:x', 'a.py:3'])
  })
})

const KEY = `import enum
class Kind(enum.Enum):
    ROW = 1
def twice(x): return x * 2
EPS = 1e-5
CHECKS = [lambda m: True]
`
const PASS = `${MATCHER_IMPORTS}from key import CHECKS, EPS, Kind, twice
patterns = PatternMatcherPass()
for kind in Kind:
    for eps in [EPS, 1e-6]:
        def search(x): return twice(x) + eps
        register_replacement(search, lambda x: x, [torch.empty(4)], fwd_only, patterns, CHECKS[0])
`
const files = (key: string, pass: string) => [
  { name: 'key.py', text: key },
  { name: 'pass.py', text: pass },
]

describe('a run with files that are kept', () => {
  test('is the run without', async () => {
    const py = await start()
    const result = (key: string, pass: string) => {
      const { ms: _ms, ...run } = py.run(files(key, pass))
      return {
        run,
        facts: py.registrations.map(({ bindings, loops, details, source }) => ({ bindings, loops, details, source })),
      }
    }
    const first = result(KEY, PASS)
    expect(first.run.failure).toBeNull()
    expect(first.facts).toHaveLength(2)
    expect(JSON.stringify(first.facts)).toContain('1e-5')
    for (const _ of [2, 3]) expect(result(KEY, PASS)).toEqual(first)
    expect(result(KEY, `${PASS}\n`)).toEqual(first)
  })

  test('warns and raises in each run', async () => {
    const py = await start()
    const printed = (text: string) => {
      const { failure, console } = py.run([{ name: 'p.py', text }])
      return [failure?.traceback, console.map((c) => c.text).join('\n')]
    }
    for (const text of ['x = "\\d"', 'x = (', 'assert (1, "always")', 'print(__file__, __name__)\n1 / 0']) {
      const first = printed(text)
      expect(first.join('')).toMatch(/SyntaxWarning|SyntaxError|ZeroDivisionError/)
      for (const _ of [2, 3]) expect(printed(text)).toEqual(first)
    }
  })

  test('takes nothing from a run that patched what compiles and keeps', async () => {
    const py = await start()
    const patch = `import builtins, marshal, ast, _fusescope.source.compiled as c, _fusescope.bridge as b
builtins.compile = ast.parse = marshal.dumps = marshal.loads = c.make = c.take = c.code = None
try: b.call("compiled", "key.py", "x")
except Exception as e: print(type(e).__name__)
`
    const clean = py.run(files(KEY, PASS))
    for (const _ of [1, 2, 3]) py.run([{ name: 'a.py', text: patch }, ...files(KEY, PASS)])
    expect({ ...py.run(files(KEY, PASS)), ms: 0 }).toEqual({ ...clean, ms: 0 })
  })
})
