import { describe, expect, it } from 'vitest'
import { read } from '..'

const graph = (factory: string, annotation = '"f32[4, 4]"'): string => `class GraphModule(torch.nn.Module):
    def forward(self, x: ${annotation}):
        empty: ${annotation} = torch.ops.aten.empty.memory_format([4, 4], dtype = torch.float32${factory});  x = None
        return (empty,)
`
const deviceOf = (text: string): unknown => {
  const { graph, notes } = read(text, 'g')
  const val = graph.find('x')!.meta.val
  return [val?.kind === 'tensor' ? val.device : undefined, notes.map((n) => n.message)]
}
const on = (type: string, index: number | null = null): string =>
  `, device = device(type='${type}'${index === null ? '' : `, index=${index}`})`

describe('the devices of a text that prints none', () => {
  it('are the one that a node names, with a note', () => {
    expect(deviceOf(graph(on('cuda', 0)))).toEqual([
      { kind: 'device', type: 'cuda', index: 0 },
      [
        'This text prints no devices: cuda:0 is inferred for x, because empty names it. Print the graph with include_device=True to be certain.',
      ],
    ])
  })

  it('stay open where no node names one, nodes name several, or the text prints them', () => {
    expect(deviceOf(graph(''))).toEqual([null, []])
    expect(
      deviceOf(
        graph(
          `${on('cuda', 0)}, other${on('cuda', 1)
            .slice(1)
            .replace(/^ device/, '')}`,
        ),
      ),
    ).toEqual([null, []])
    expect(deviceOf(graph(on('cuda', 0), '"f32[4, 4][4, 1]cpu"'))).toEqual([
      { kind: 'device', type: 'cpu', index: null },
      [],
    ])
  })

  it('are the accelerator beside constants of the host', () => {
    const text = graph(on('cuda', 0)).replace(
      '        return',
      `        full: "f32[]" = torch.ops.aten.full.default([], 1.0${on('cpu')})\n        return`,
    )
    expect(deviceOf(text)).toMatchObject([{ type: 'cuda', index: 0 }, [expect.any(String)]])
  })
})
