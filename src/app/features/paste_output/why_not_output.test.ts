import { describe, expect, it } from 'vitest'
import { message, node, plainText, type Message } from '../../../base/message'
import type { LocatedDebugLine } from '../../../engine/report/debug_output'
import { readOutput } from './why_not_output'

describe('PyTorch’s output', () => {
  const line = (at: number, means: Message, more: Partial<LocatedDebugLine> = {}): LocatedDebugLine => ({
    line: at,
    text: plainText(means),
    kind: 'initial-failed',
    node: 'a',
    reasonKind: null,
    reason: null,
    reasonNodes: [],
    partText: null,
    patternText: null,
    truncated: false,
    nodeIndex: 0,
    about: [],
    pass: null,
    entry: null,
    means,
    misleads: null,
    cause: null,
    ...more,
  })
  it('groups equal lines of several layers, and separates nodes that the graph lacks', () => {
    const read = readOutput([
      line(1, message`${node('mul_1')} has 2 users`),
      line(2, message`${node('mul_7')} has 2 users`),
      line(3, message`${node('mul_9')} has 2 users`, { nodeIndex: null }),
      line(4, ['it matches'], { kind: 'initial-matched' }),
      line(5, ['a warning'], { kind: 'other', node: null, nodeIndex: null }),
    ])
    expect(read.failed.map((g) => g.lines.map((l) => l.line))).toEqual([[1, 2], [3]])
    expect([read.matched.length, read.other.length, read.elsewhere]).toEqual([1, 1, 1])
  })
})
