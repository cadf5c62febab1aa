/** Exports of recorded passes, without Python. Their counts on PyTorch: conformance/exports.test.ts. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readCapture } from '../capture/read'
import type { Capture } from '../capture/records'
import { patternCode } from './pattern_code'
import { recordedCode } from './recorded'

function captured(name: string): Capture {
  const file = new URL(`../../../conformance/captures/${name}.fusescope.gz`, import.meta.url)
  const read = readCapture(gunzipSync(readFileSync(file)).toString(), name)
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}

const codeOf = (capture: Capture) => {
  const code = recordedCode(
    capture,
    capture.applications.map((application) => ({ name: `pass_${application.pass}`, application })),
  )
  return { ...code, text: code.blocks.join('\n') }
}

describe('recorded passes as Python', () => {
  it('have graphs, traces and answers by anchor', () => {
    const { text, notes } = codeOf(captured('compiled-model'))
    expect(notes).toEqual([])
    expect(text).toContain("build.placeholder('arg0_1', 'arg0_1', 'Sym(s77)')")
    expect(text).toContain("'arguments': ['x', 'weight', 'bias']")
    expect(text).toContain("(('call_function', torch.ops.aten.relu.default), [0])")
    expect(text).toContain("'relu_7': {'applied': True, 'trace': trace_0, 'replacement': trace_1}")
    expect(text).toContain("'relu_6': {'trace': trace_2}")
    expect(text).not.toContain('def pattern_0')
  })

  it('build patterns whose registration was not recorded', () => {
    const { text } = codeOf(captured('imported-late'))
    expect(text).toContain("'search': None")
    expect(text).toMatch(/def pattern_0\(\):\n(?: {4}p\d+ = \w+\(.*\)\n)+ {4}return p\d+/)
  })

  it('repeat the edits of handlers', () => {
    const { text } = codeOf(captured('inductor-graph-patterns'))
    expect(text).toMatch(/def edit_0\(build\):\n {4}with build\.after\('\w+'\):\n {8}new_0 = build\.call\(/)
    expect(text).toMatch(/build\.erase\('\w+'/)
  })
})

describe('patternCode', () => {
  const call = (id: number, args: object[], users: number | 'MULTIPLE' = 1) => ({
    expr: 'CallFunction',
    id,
    fns: ['aten.add.Tensor'],
    args,
    kwargs: [],
    users,
  })

  it('builds shared expressions once, lists, and several users', () => {
    const shared = { pattern: { expr: 'KeywordArg', id: 1, name: 'x' } }
    const again = { pattern: { expr: 'ref', id: 1 } }
    const lines = patternCode(call(0, [shared, { list: [again, { value: { f: 0.5 } }] }], 'MULTIPLE') as never)
    expect(lines).toEqual([
      "p1 = KeywordArg('x')",
      'p0 = CallFunction(torch.ops.aten.add.Tensor, p1, [p1, 0.5, ], _users=MULTIPLE)',
      'return p0',
    ])
  })

  it('has no code for classes of the user’s own', () => {
    expect(patternCode({ expr: 'User', id: 0 })).toBeNull()
  })
})
