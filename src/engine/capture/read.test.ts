/** Reads damaged captures in part, with the line of each problem. */
import { expect, it } from 'vitest'
import { buildGraph, patternOf } from './graphs'
import { isCapture, readCapture } from './read'

const HEADER = '{"record":"capture","v":1,"torch":"2.14.1"}'
const GRAPH = '{"record":"graph","id":0,"run":0,"nodes":[{"name":"x","op":"placeholder","target":"x","args":[]}]}'
const APPLY = '{"record":"apply","id":0,"pass":0,"run":0,"before":0,"table":[]}'

const read = (...lines: string[]) => {
  const result = readCapture(lines.join('\n'), 'c.fusescope')
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

it('recognizes a capture by its first line', () => {
  expect(isCapture(HEADER)).toBe(true)
  expect(isCapture(`\uFEFF${HEADER}`)).toBe(true)
  expect(isCapture('graph():')).toBe(false)
  expect(isCapture('{"torch": 1}')).toBe(false)
})

it('names each line that it cannot read, and reads the others', () => {
  const { problems, graphs, applications } = read(
    HEADER,
    'oops',
    GRAPH,
    '{"record":"graph","id":1,"base":7,"nodes":[]}',
    '{"record":"graph","id":2,"base":0,"nodes":[[0,5]]}',
    APPLY,
    '{"record":"attempt","apply":3,"entry":0,"node":"x","ok":true}',
    '{"record":"attempt","apply":0,"entry":0,"ok":true}',
    '[]',
    '{"record":"attempt","apply":0,"ent',
  )
  expect(problems.map((p) => `${p.line}: ${p.message}`)).toEqual([
    '2: This line is not JSON.',
    '4: The graph record is based on graph 7, which could not be read.',
    '5: The graph record refers to nodes that its base lacks.',
    '7: The attempt record is of application 3, which has no record.',
    '8: The attempt record has no valid node.',
    '9: This line is not a record: it has no fields.',
    '10: The last line is cut: the process ended here, or the file was not copied whole.',
  ])
  expect([graphs.size, applications.length, applications[0]!.ended]).toEqual([1, 1, false])
})

it('ignores records and fields that it does not know', () => {
  const { problems } = read(HEADER, '{"record":"later","x":1}', APPLY.replace('}', ',"y":2}'))
  expect(problems).toEqual([])
})

it('joins ranges of a base graph with new nodes', () => {
  const changed =
    '{"record":"graph","id":1,"base":0,"nodes":[[0,1],{"name":"y","op":"call_function","target":"aten.relu.default","args":[{"node":"x"}]}]}'
  expect(
    read(HEADER, GRAPH, changed)
      .graphs.get(1)!
      .nodes.map((n) => n.name),
  ).toEqual(['x', 'y'])
})

it('names source files by their modules', () => {
  const { sources } = read(
    HEADER,
    '{"record":"source","file":"/a/b/fuse/noop.py","module":"fuse.noop","text":"1"}',
    '{"record":"source","file":"/a/b/fuse/__init__.py","module":"fuse","text":"2"}',
    '{"record":"source","file":"/a/run.py","module":null,"text":"3"}',
  )
  expect(sources).toEqual([
    { name: 'fuse/noop.py', text: '1' },
    { name: 'fuse/__init__.py', text: '2' },
    { name: 'run.py', text: '3' },
  ])
})

it('reads no more nodes than a page can hold, however few characters name them', () => {
  const graphs = Array.from({ length: 30 }, (_, i) => {
    const n = 2 ** i
    return `{"record":"graph","id":${i + 1},"base":${i},"nodes":[[0,${n}],[0,${n}]]}`
  })
  const { problems, graphs: known } = read(HEADER, GRAPH, ...graphs)
  expect(known.get(19)!.nodes).toHaveLength(2 ** 19)
  expect(problems[0]!.message).toBe(
    'The graph record has more nodes than are read: 1,000,000 in a graph, 5,000,000 in all.',
  )
})

it.each([
  ['{"record":{"toString":1}}', null],
  [`{"record":"note","text":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'This line nests deeper than 400 levels.'],
  ['{"record":"note","text":{"toString":1}}', 'The note record has a field of the wrong form.'],
  [APPLY.replace('[]', '[{"toString":1}]'), null],
])('names %.40s… and does not end', (line, problem) => {
  expect(read(HEADER, line).problems.map((p) => p.message)).toEqual(problem === null ? [] : [problem])
})

it('keeps the texts among the versions of packages', () => {
  expect(read(HEADER.replace('}', ',"packages":{"a":{"toString":1},"vllm":"1"}}')).header.packages).toEqual({
    vllm: '1',
  })
})

it('builds graphs and patterns from JSON of any form', () => {
  const odd = { toString: 1 }
  const deep = JSON.parse('[{"t":'.repeat(190) + '0' + '}]'.repeat(190)) as null
  for (const json of [odd, deep, { x: 1 }, [[odd]]]) {
    const node = { name: 'x', op: 'get_attr', target: json, val: { dtype: 'b', shape: [json], device: json } }
    const graph = buildGraph({
      nodes: [{ ...node, args: [json], kwargs: { k: json }, constant: json, at: json }],
      subgraphs: { a: { nodes: [{ ...node, val: json, name: json }], users: { x: 5 }, subgraphs: json } },
    })
    expect(graph.find('x')!.meta.constant).toBeUndefined()
    expect(patternOf({ expr: 'Arg', value: json })).toMatchObject({ expr: 'Arg' })
  }
})

it('refuses a later version and other texts', () => {
  expect(readCapture('{"record":"capture","v":2}', 'c')).toMatchObject({ ok: false, error: { line: 1 } })
  expect(readCapture('graph():\n', 'c')).toMatchObject({ ok: false })
})
