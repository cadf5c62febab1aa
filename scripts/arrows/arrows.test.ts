import { describe, expect, it } from 'vitest'
import { ARROWS, MAX_FILES, MAX_LINES } from './allowed.mjs'
import { cyclesOf, shortestCycle } from './cycles.mjs'
import { contracts, cycles, features, folders, judge, lengths, pythonCycles, stale, variables } from './rules.mjs'
import { importsOf, sourcesOf, type Source } from './sources.mjs'

const sources = (files: Record<string, string>) => sourcesOf(new Map(Object.entries(files)))

describe('the reader of imports', () => {
  it('finds every way of naming a module, and none in comments', () => {
    const text = [
      "import a from './a'",
      "import type { B } from '../fx'",
      'import {',
      '  c,',
      "} from 'zod'",
      "export * from './d'",
      "import './e.css'",
      "// import x from './no'",
      "/* import y from './no' */",
      "const f = await import('../engine/f')",
      "let t: import('../gpu/types').T",
    ].join('\n')
    expect(importsOf(text)).toEqual([
      { specifier: './a', line: 1 },
      { specifier: '../fx', line: 2 },
      { specifier: 'zod', line: 5 },
      { specifier: './d', line: 6 },
      { specifier: './e.css', line: 7 },
      { specifier: '../engine/f', line: 10 },
      { specifier: '../gpu/types', line: 11 },
    ])
  })

  it('resolves a module to its file', () => {
    const [first] = sources({
      'app/a.ts': "import '../fx'\nimport './b'\nimport './c.css'\nimport './d?worker'\nimport 'zod'",
      'fx/index.ts': '',
      'app/b.tsx': '',
      'app/d.ts': '',
    })
    expect(first!.imports.map((i) => i.target)).toEqual(['fx/index.ts', 'app/b.tsx', null, 'app/d.ts', null])
  })
})

describe('the arrows', () => {
  it('go one way', () => {
    expect(judge('matcher/match.ts', '../fx')).toBeNull()
    expect(judge('matcher/expr/target.ts', '../../fx/graph')).toBeNull()
    expect(judge('fx/graph.ts', '../matcher')).toMatch(/fx → matcher is not an edge/)
    expect(judge('trace/index.ts', '../python')).toMatch(/trace → python/)
    expect(judge('engine/session.ts', '../app/stores/run')).toMatch(/engine → app/)
    expect(judge('gpu/run.ts', '../base/hash')).toBeNull()
    expect(judge('base/hash.ts', '../fx')).toMatch(/base imports no other folder of src/)
  })

  it('keep packages where they belong', () => {
    expect(judge('app/App.tsx', 'react')).toBeNull()
    expect(judge('app/editor/monaco.ts', 'monaco-editor/editor/editor.api.js')).toBeNull()
    expect(judge('engine/session.ts', 'zustand')).toMatch(/zustand is not for engine/)
    expect(judge('fx/read.ts', 'node:fs')).toMatch(/node:fs outside/)
    expect(judge('cli/input.ts', 'node:fs')).toBeNull()
    expect(judge('fx/read.ts', './scan.ts')).toMatch(/file extension/)
  })

  it('have no cycle between folders', () => {
    const seen = new Set<string>()
    const visit = (folder: string, path: readonly string[]): void => {
      expect(path, 'a cycle').not.toContain(folder)
      if (seen.has(folder)) return
      for (const next of Object.keys(ARROWS[folder] ?? {})) visit(next, [...path, folder])
      seen.add(folder)
    }
    for (const folder of Object.keys(ARROWS)) visit(folder, [])
  })

  it('between features are listed', () => {
    const files = sources({
      'app/features/run/a.ts': "import '../steps/b'\nimport '../steps/c'\nimport './own'",
      'app/features/run/own.ts': '',
      'app/features/run/a.test.ts': "import '../graph/d'",
      'app/features/steps/b.ts': '',
      'app/features/steps/c.ts': '',
      'app/features/graph/d.ts': '',
    })
    expect(features(files, {})).toEqual([
      'src/app/features/run/a.ts:1: features/run → features/steps is not listed (scripts/arrows/allowed.mjs)',
    ])
    expect(features(files, { run: { steps: 'a reason' } })).toEqual([])
  })

  it('do not lead from what features share to a feature', () => {
    const files = sources({
      'app/report/a.ts': "import '../features/run/b'\nimport '../session/c'",
      'app/report/a.test.ts': "import '../features/run/b'",
      'app/features/run/b.ts': "import '../../report/a'",
      'app/session/c.ts': '',
    })
    expect(contracts(files)).toEqual([
      'src/app/report/a.ts:1: app/report is below the features (scripts/arrows/allowed.mjs), and imports app/features/run/b.ts',
    ])
  })
})

describe('cycles', () => {
  const files = {
    'fx/a.ts': "import { b } from './b'\nimport './x'",
    'fx/b.ts': "import type { C } from './c'",
    'fx/c.ts': "import './a'\nimport './b'",
    'fx/x.ts': '',
  }

  it('are found, including type imports, and shown as their shortest path', () => {
    expect(cyclesOf(sources(files))).toEqual([['fx/a.ts', 'fx/b.ts', 'fx/c.ts']])
    expect(shortestCycle(['fx/b.ts', 'fx/a.ts', 'fx/c.ts'], sources(files))).toEqual(['fx/b.ts', 'fx/c.ts', 'fx/b.ts'])
    expect(cycles(sources(files))[0]).toMatch(
      /^3 files import each other: fx\/a\.ts → fx\/b\.ts → fx\/c\.ts → fx\/a\.ts$/,
    )
  })

  it('include a file that imports itself, and no test', () => {
    expect(cyclesOf(sources({ 'fx/a.ts': "import './a'" }))).toEqual([['fx/a.ts']])
    expect(cycles(sources({ 'fx/a.test.ts': "import './b.test'", 'fx/b.test.ts': "import './a.test'" }))).toEqual([])
    expect(cyclesOf(sources({ 'fx/a.ts': "import './b'", 'fx/b.ts': '' }))).toEqual([])
  })
})

describe('cycles of Python files', () => {
  const python = (files: Record<string, string>): Source[] =>
    Object.entries(files).map(([file, text]) => ({ file: `python/lib/${file}`, text, imports: [] }))

  it('count imports in functions', () => {
    const files = python({
      'p/__init__.py': '',
      'p/a.py': 'from . import b\n',
      'p/b.py': 'def f(\n    x,\n):\n    from .a import g\n',
      'p/c.py': '"""\nfrom . import d\n"""\n',
      'p/d.py': 'from p.c import (\n    x,  # noqa: F401\n)\n',
    })
    expect(pythonCycles(files)).toEqual([
      '2 files import each other: python/lib/p/a.py → python/lib/p/b.py → python/lib/p/a.py',
    ])
  })

  it('count the packages around a module that loads', () => {
    const files = { 'p/__init__.py': 'from .a import x\n', 'p/a.py': 'import q\n', 'p/b.py': '', 'q.py': '' }
    expect(pythonCycles(python({ ...files, 'q.py': 'import p.b as b\n' }))).toHaveLength(1)
    expect(pythonCycles(python({ ...files, 'q.py': 'def f():\n    from p import b\n' }))).toEqual([])
  })
})

describe('limits', () => {
  it('report unused entries', () => {
    const files = sources({ 'ops/a.ts': "import '../fx/b'\nimport 'zod'", 'fx/b.ts': '' })
    const tables = {
      arrows: { ops: { fx: '', base: '' } },
      features: { run: { steps: '' } },
      packages: { zod: ['ops', 'fx'] },
    }
    expect(stale(files, tables).map((fault) => fault.split(' is allowed')[0])).toEqual([
      'ops → base',
      'features/run → features/steps',
      'zod in fx',
    ])
  })

  it('count the source files of a folder', () => {
    const many = Object.fromEntries(Array.from({ length: MAX_FILES + 1 }, (_, i) => [`ops/f${i}.ts`, '']))
    const tests = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`fx/f${i}.test.ts`, '']))
    expect(folders(sources({ ...many, ...tests }))).toEqual([
      `src/ops has ${MAX_FILES + 1} source files; the limit is ${MAX_FILES}`,
    ])
  })

  it('require a reason for a long file in its head comment', () => {
    const body = 'let a = 1\n'.repeat(MAX_LINES + 1)
    const reason = '/** Formulas.\n * Reason for length: one table. */\n'
    const files = sources({
      'ops/long.ts': body,
      'ops/late.ts': `${body}/** Reason for length: none. */\n`,
      'ops/table.ts': reason + body,
      'ops/long.test.ts': body,
      'python/lib/names.py': `"""Names.\n\nReason for length: one table."""\n${body}`,
      'python/lib/tensor.py': body,
    })
    expect(lengths(files).map((fault) => fault.split(' has')[0])).toEqual([
      'src/ops/long.ts',
      'src/ops/late.ts',
      'src/ops/long.test.ts',
      'src/python/lib/tensor.py',
    ])
  })
})

it('finds variables of modules', () => {
  const files = sources({
    'a.ts': 'let x = 0\n',
    'b.ts': 'export let x = 0\n',
    'c.ts': 'function f() {\n  let x = 0\n}\n',
    'd.test.ts': 'let x = 0\n',
  })
  expect(variables(files, { 'b.ts': 'a reason', 'c.ts': 'a reason' })).toEqual([
    expect.stringMatching(/^src\/a\.ts has/),
    expect.stringMatching(/^c\.ts may have/),
  ])
})

it('finds what else of a module of src/app can change', () => {
  const files = sources({
    'app/a.ts': 'const seen = new Set<string>()\nexport const see = (x: string) => seen.add(x)\n',
    'app/b.ts': 'export const open = new Map<string, number>()\nconst timer = new Timer()\n',
    'app/c.ts': 'const list: string[] = []\nlist.push(1)\nconst at = { x: 0 }\nat.x = 1\n',
    'app/d.ts':
      'const state = once(() => ({ x: 0 }))\nconst all = once(() => new Map())\nall().set(1, 2)\nexport const service = once(() => new Service())\n',
    'app/good.ts': `
const names = new Set(['a'])
export const NONE: ReadonlySet<string> = new Set()
const of = new Renewable(() => import('x'))
const at = { x: 0 }
const same = at.x === 1 || names.has('b')
const kept = perPage(() => new Map<string, number>())
`,
    'app/session/scope.ts': 'const page = new Scope()\n',
    'app/testing/t.ts': 'const calls: string[] = []\ncalls.push(1)\n',
    'engine/e.ts': 'const seen = new Set<string>()\nseen.add(1)\n',
  })
  const found = variables(files, {}).map((fault) => fault.replace(/^src\/app\/(\w+)\.ts: (\w+) can .*/, '$1 $2'))
  expect(found).toEqual(['a seen', 'b open', 'b timer', 'c list', 'c at', 'd state', 'd all', 'd service'])
})
