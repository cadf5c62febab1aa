import { describe, expect, it } from 'vitest'
import { sniff } from './sniff'

describe('the kind of a dropped text', () => {
  const kind = (text: string): string => sniff(text, 'f').kind
  it('detects both forms of a graph', () => {
    expect(kind('graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x')).toBe('graph')
    expect(
      kind(
        'class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[2]"):\n        # File: p.py:1 in f, code: register_replacement(a, b)\n        relu = torch.ops.aten.relu.default(x)',
      ),
    ).toBe('graph')
  })
  it('detects a pattern file, even one that contains a module', () => {
    expect(kind('import torch\nfrom x import PatternMatcherPass\n')).toBe('python')
    expect(kind('class M(torch.nn.Module):\n    def forward(self, x): ...\nregister_replacement(a)')).toBe('python')
    expect(kind('def helper(): pass')).toBe('python')
  })
  it('rejects binary and oversized files with a reason', () => {
    expect(sniff('\u0000\u0001', 'a.pt')).toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('a.pt is a binary file'),
    })
    expect(kind('  \n')).toBe('unusable')
  })
  it('leaves other texts to the reader, which reports the faulty line', () => {
    expect(kind('hello')).toBe('graph')
  })
})
