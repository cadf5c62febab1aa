import { describe, expect, it } from 'vitest'
import { printReadable } from './printers/print_readable'
import { read } from './readers/read'

/** PyTorch 2.14.1's print_readable(additional_meta=["stream_label", "other"]) of a three-node graph. */
const PRINTED = `class <lambda>(torch.nn.Module):
    def forward(self, x_1: "f32[3]"):
        # stream_label: side # No stacktrace found for following nodes
        add: "f32[3]" = torch.ops.aten.add.Tensor(x_1, 1);  x_1 = None
        mul: "f32[3]" = torch.ops.aten.mul.Tensor(add, 2);  add = None

        # stream_label: 3, other: {'a': [1, 2], 'b c': 'x, y: z'} # Annotation: {'stream': 2} No stacktrace found for following nodes
        sin: "f32[3]" = torch.ops.aten.sin.default(mul);  mul = None

        # stream_label: None # File: model.py:7 in forward, code: return x.cos()  # why: not
        cos: "f32[3]" = torch.ops.aten.cos.default(sin);  sin = None

        # Annotation: {'note': 'a # b: c'} No stacktrace found for following nodes
        tan: "f32[3]" = torch.ops.aten.tan.default(cos);  cos = None
        return tan
`

describe('node.meta keys in print_readable’s comments', () => {
  const { graph, problems } = read(PRINTED, 'graph.py')
  const meta = (name: string) => graph.find(name)!.meta

  it('belong to the nodes below the comment, as Python values if the text parses as one', () => {
    expect(problems).toEqual([])
    expect(meta('add').additional).toEqual({ stream_label: 'side' })
    expect(meta('mul').additional).toEqual({ stream_label: 'side' })
    expect(meta('sin').additional).toEqual({ stream_label: 3, other: { a: [1, 2], 'b c': 'x, y: z' } })
    expect(meta('sin').custom).toEqual({ stream: 2 })
    expect(meta('cos')).toMatchObject({ additional: { stream_label: null }, source: { file: 'model.py', line: 7 } })
  })

  it('are distinct from annotations', () => {
    expect(meta('tan')).toMatchObject({ custom: { note: 'a # b: c' } })
    expect(meta('tan').additional).toBeUndefined()
  })

  it('are printed in their original position', () => {
    expect(printReadable(graph)).toBe(PRINTED.trimEnd())
  })
})
