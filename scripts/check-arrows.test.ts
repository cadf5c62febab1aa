import { describe, expect, it } from 'vitest'
import { ARROWS, importsOf, judge } from './check-arrows.mjs'

describe('the import arrows', () => {
  it('find every way of naming a module, and none in comments', () => {
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

  it('go one way', () => {
    expect(judge('matcher/match.ts', '../fx')).toBeNull()
    expect(judge('matcher/expr/target.ts', '../../fx/graph')).toBeNull()
    expect(judge('fx/graph.ts', '../matcher')).toMatch(/fx → matcher is not an edge/)
    expect(judge('trace/index.ts', '../python')).toMatch(/trace → python/)
    expect(judge('engine/session.ts', '../app/stores/run')).toMatch(/engine → app/)
  })

  it('keep packages where they belong', () => {
    expect(judge('app/App.tsx', 'react')).toBeNull()
    expect(judge('app/editor/monaco.ts', 'monaco-editor/editor/editor.api.js')).toBeNull()
    expect(judge('engine/session.ts', 'zustand')).toMatch(/zustand is not for engine/)
    expect(judge('fx/read.ts', 'node:fs')).toMatch(/node:fs outside/)
    expect(judge('cli/input.ts', 'node:fs')).toBeNull()
    expect(judge('fx/read.ts', './scan.ts')).toMatch(/file extension/)
  })

  it('have no circle', () => {
    const seen = new Set<string>()
    const visit = (folder: string, path: readonly string[]): void => {
      expect(path, 'a circle').not.toContain(folder)
      if (seen.has(folder)) return
      for (const next of Object.keys(ARROWS[folder] ?? {})) visit(next, [...path, folder])
      seen.add(folder)
    }
    for (const folder of Object.keys(ARROWS)) visit(folder, [])
  })
})
