import { describe, expect, it } from 'vitest'
import type { Fix } from '../../../engine/protocol'
import { miss } from '../../../engine/queries/testing/cause_fixture'
import { entry, pass, report, WORKSPACE } from '../../../engine/queries/testing/report_fixture'
import { diffLines } from '../../report/views/why_not_diff'
import { diffOf, stillFits } from './why_not_edits'
import { entryOfPin, patternsFor, pinOf } from '../../report/why_not_pin'

describe('a fix', () => {
  const edits = [
    { file: '/home/user/patterns.py', from: { line: 2, column: 3 }, to: { line: 2, column: 4 }, text: 'y' },
  ]
  const of = (text: string) => ({ ...WORKSPACE, files: [{ name: 'patterns.py', text }] })
  it('applies only to the text that it was made for', () => {
    const then = of('a\nb x\n')
    expect(stillFits(edits, then, of('a\nb x\n'))).toBe(true)
    expect(stillFits(edits, then, of('a\n\nb x\n'))).toBe(false)
    expect(stillFits(edits, null, then)).toBe(false)
    expect(stillFits(edits, of('a\nb'), of('a\nb'))).toBe(false)
    expect(stillFits([], then, then)).toBe(false)
  })
  it('of a link shows what Apply does, not the text that its sender wrote beside the edits', () => {
    const then = of('a\nb x\n')
    const fix = { kind: 'python', edits, diff: '-b x\n+harmless' } as unknown as Fix
    expect(diffOf(fix, then)).toBe(fix.diff)
    expect(diffOf({ ...fix, sent: true }, then)).toContain('-b x\n+b y')
    expect(diffOf({ ...fix, sent: true }, of('other'))).toBe('')
    const overlapping = [...edits, { ...edits[0]!, from: { line: 2, column: 1 }, text: 'z' }]
    expect(diffOf({ ...fix, edits: overlapping, sent: true }, then)).toBe('')
  })
  it('is shown as lines, without diff headers', () => {
    const text = '--- a/f.py\n+++ b/f.py\n@@ -1,2 +1,2 @@\n     a\n-  b\n+  c\n@@ -9 +9 @@\n   d\n'
    expect(diffLines(text).map((l) => ('text' in l ? `${l.kind} ${l.text}` : l.kind))).toEqual([
      'file f.py',
      'same   a',
      'remove b',
      'add c',
      'gap',
      'same d',
    ])
  })
  it('marks the changed part of a line, and shortens the equal parts of a long one', () => {
    const call = (x: string) =>
      `%call_1 : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%a, ${x}), kwargs = {p: 1})`
    const lines = diffLines(`@@ -1 +1,2 @@\n-${call('%b')}\n+%view : view\n+${call('%view')}\n`)
    const parts = lines.map((l) => ('parts' in l ? l.parts : null))
    expect(parts.map((p) => p?.changed ?? null)).toEqual(['b', null, 'view'])
    expect(parts[2]!.before).toBe('%call_1 : [num_users=1] = ca … fault](args = (%a, %')
    expect(parts[2]!.after.endsWith(' …')).toBe(false)
  })
})

describe('a pin', () => {
  const of = (...list: ReturnType<typeof entry>[]) => report({ passes: [pass({ entries: list })] })
  const [a, b] = [entry(0, 'Fuse', { bindings: { size: '1' } }), entry(1, 'Fuse', { bindings: { size: '2' } })]
  const pin = pinOf(pass(), b, 'relu')
  it('finds its pattern again after registrations move', () => {
    expect(entryOfPin(of(a, b), pin)?.entry.index).toBe(1)
    expect(entryOfPin(of({ ...b, index: 0 }), pin)?.entry.index).toBe(0)
    expect(entryOfPin(of(a), pin)).toBeNull()
    expect(entryOfPin(of(a, { ...b, bindings: { size: '3' } }), pin)?.entry.index).toBe(1)
  })
  it('lists patterns with a near miss at the node first', () => {
    const r = report({ passes: [pass({ entries: [a, b], nearMisses: [miss(0, 1)] })] })
    expect(patternsFor(r, 'relu').map((p) => [p.entry.index, p.near])).toEqual([
      [1, true],
      [0, false],
    ])
  })
})
