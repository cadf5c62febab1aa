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

  it('stay open where no node names one, or the text prints them', () => {
    expect(deviceOf(graph(''))).toEqual([null, []])
    expect(deviceOf(graph(on('cuda', 0), '"f32[4, 4][4, 1]cpu"'))).toEqual([
      { kind: 'device', type: 'cpu', index: null },
      [],
    ])
  })

  it('are the current accelerator where only its type is named', () => {
    expect(deviceOf(graph(on('cuda')))).toMatchObject([{ type: 'cuda', index: 0 }, [expect.any(String)]])
  })

  it('are those of the operators that use them, where nodes name several', () => {
    const factory = (name: string, device: string): string =>
      `        ${name}: "f32[4, 4]" = torch.ops.aten.rand.default([4, 4]${device})\n`
    const call = (name: string, op: string, args: string, type = 'f32[4, 4]'): string =>
      `        ${name}: "${type}" = torch.ops.aten.${op}(${args})\n`
    const { graph: read1, notes } = read(
      `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 4]", y: "f32[4, 4]", s: "f32[]", z: "f32[4, 4]"):
${factory('r0', on('cuda', 0))}${factory('r1', on('cuda', 1))}${call('a', 'add.Tensor', 'x, r0')}${call('m', 'mul.Tensor', 'a, s')}${call('b', 'sub.Tensor', 'y, r1')}${call('c', 'copy.default', 'b, m')}${call('d', '_to_copy.default', `c${on('cuda', 0)}`)}${call('e', 'neg.default', 'd')}        return (e, z)
`,
      'g',
    )
    const devices = [...read1.nodes()].flatMap((n) =>
      n.meta.val?.kind === 'tensor' ? [`${n.name} ${n.meta.val.device?.index ?? 'open'}`] : [],
    )
    expect(devices).toEqual([
      'x 0',
      'y 1',
      's open',
      'z open',
      'r0 0',
      'r1 1',
      'a 0',
      'm 0',
      'b 1',
      'c 1',
      'd 0',
      'e 0',
    ])
    expect(notes.map((n) => n.message)).toEqual([
      'This text prints no devices: cuda:0 is inferred for x, because r0 names it; cuda:1 is inferred for y, because r1 names it; no node says which of its devices s and z is on: the cpu is taken. Print the graph with include_device=True to be certain.',
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
