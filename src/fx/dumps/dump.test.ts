/** Dumps that PyTorch 2.14.1 wrote: TORCH_TRACE logs, .pt2 archives, and JSON. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dumpOfBytes, dumpOfStream, dumpOfText, graphsOfFiles, printGraph, read } from '..'
import { parsePythonJson } from './python_json'

const folder = new URL('../../../conformance/dumps/', import.meta.url)
const bytes = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, folder)))
const text = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

describe('a .pt2 archive', () => {
  it.each(['norm', 'attn', 'cond', 'conv'])('%s: the graph that the program prints', (name) => {
    const dump = dumpOfBytes(bytes(`pt2/${name}.pt2`), name)!
    expect(dump).toMatchObject({ kind: 'pt2', problems: [], graphs: [{ title: 'model' }] })
    const reading = read(dump.graphs[0]!.text, name)
    expect(reading.problems).toEqual([])
    expect(printGraph(reading.graph)).toBe(text(`pt2/${name}.graph.txt`).trimEnd())
  })

  it('has the symbols of a dynamic shape', () => {
    const { graph } = read(dumpOfBytes(bytes('pt2/mlpdyn.pt2'), 'm')!.graphs[0]!.text, 'm')
    expect(graph.find('x')!.meta.val).toMatchObject({ shape: [expect.stringMatching(/^s\d+$/), 16] })
  })

  it('names what is missing in a cut one, and takes other bytes for text', () => {
    const whole = bytes('pt2/norm.pt2')
    expect(dumpOfBytes(whole.subarray(0, 5000), 'n')!.problems[0]!.message).toContain('the file is cut')
    expect(dumpOfBytes(new TextEncoder().encode('graph():'), 'n')).toBeNull()
    for (let size = 100; size < whole.length; size += 997) dumpOfBytes(whole.subarray(0, size), 'n')
  })
})

describe('a TORCH_TRACE log', () => {
  it('gives each graph with its compile id, and chooses what the post-grad passes get', () => {
    const dump = dumpOfText(text('trace/train.log'), 't.log')
    expect(dump.kind).toBe('torch-trace')
    expect(dump.graphs.map((g) => `${g.group} ${g.title}`)).toEqual([
      '0/0 dynamo_output_graph',
      '0/0 before_pre_grad_graph',
      '0/0 after_pre_grad_graph',
      '0/0 aot_joint_graph',
      '0/0 aot_forward_graph',
      '0/0 aot_backward_graph',
      '0/0 before_post_grad_graph',
      '0/0 inductor_post_grad_graph',
    ])
    expect(dump.graphs[dump.best]!.title).toBe('before_post_grad_graph')
    for (const g of dump.graphs) expect(read(g.text, g.title).problems).toEqual([])
  })

  it('is the same in pieces, with progress', async () => {
    const log = text('trace/train.log')
    async function* pieces(): AsyncGenerator<string> {
      for (let i = 0; i < log.length; i += 777) yield await Promise.resolve(log.slice(i, i + 777))
    }
    const seen: number[] = []
    const dump = await dumpOfStream(pieces(), 't.log', (n) => seen.push(n))
    expect(dump).toEqual(dumpOfText(log, 't.log'))
    expect(seen.at(-1)).toBe(log.length)
  })

  it('names the passes of vLLM', () => {
    const head = 'V1122 10:07:12.000000 29 vllm/compilation/vllm_inductor_pass.py:70] '
    const log = ['0.NoOpEliminationPass', '1.RMSNormQuantFusionPass']
      .map(
        (p) =>
          `${head}{"graph_dump": {"name": "vllm_post_grad.${p}"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "x"}\n\tgraph():\n\t    %x : [num_users=0] = placeholder[target=x]\n`,
      )
      .join('')
    expect(dumpOfText(log, 'v.log').graphs.map((g) => g.title)).toEqual([
      'vllm_post_grad.0.NoOpEliminationPass',
      'vllm_post_grad.1.RMSNormQuantFusionPass',
    ])
  })
})

describe('JSON', () => {
  it('gives the graphs in it', () => {
    const graph = 'graph():\n    %x : [num_users=0] = placeholder[target=x]\n    return x'
    const cases = [
      { id: 'a', pattern_py: 'p', graph },
      { id: 'b', pattern_py: 'p', graph },
    ].map((c) => JSON.stringify(c))
    expect(dumpOfText(cases.join('\n'), 'c.jsonl').graphs).toMatchObject([
      { group: 'a', title: 'graph', line: 1 },
      { group: 'b', title: 'graph', line: 2 },
    ])
    const output = JSON.stringify({ passes: [{ graph_after: graph }] }, null, 1)
    expect(dumpOfText(output, 'o.json').graphs).toMatchObject([{ title: 'passes.0.graph_after', text: graph }])
  })
})

it('looks through JSON whose keys are empty, long or deep', () => {
  const graph = JSON.stringify('graph():\n    %x : [num_users=0] = placeholder[target=x]\n    return x')
  const nested = (levels: number): string => '{"":'.repeat(levels) + graph + '}'.repeat(levels)
  expect(dumpOfText(nested(3), 'j').graphs).toMatchObject([{ title: '..' }])
  expect(dumpOfText(nested(13), 'j').kind).toBe('text')
  expect(dumpOfText(nested(6000), 'j').kind).toBe('text')
  expect(dumpOfText(`{"${'k'.repeat(160_000)}":[${'0,'.repeat(80_000)}0]}`, 'j').kind).toBe('text')
})

it('reads the bytes of an archive once, however often its directory names them', () => {
  const whole = bytes('pt2/norm.pt2')
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength)
  const end = whole.length - 22
  const [size, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)]
  const directory = whole.subarray(start, start + size)
  const repeated = new Uint8Array(start + size * 200 + 22)
  repeated.set(whole.subarray(0, start))
  for (let i = 0; i < 200; i++) repeated.set(directory, start + i * size)
  repeated.set(whole.subarray(end), start + size * 200)
  new DataView(repeated.buffer).setUint16(start + size * 200 + 10, 200 * view.getUint16(end + 10, true), true)
  const dump = dumpOfBytes(repeated, 'n')!
  expect(dump.graphs.length).toBeLessThan(20)
  expect(dump.graphs.length + dump.problems.length).toBe(200)
})

it('reads a log whose lines a collector stored as JSON', () => {
  const json = text('texts/paste.compose.txt')
    .trimEnd()
    .replace(/^.*$/gm, (l) => JSON.stringify({ log: `${l.replace(/^.*? {2}\| /, '')}\n`, stream: 'stdout' }))
  const dump = dumpOfText(json, 'container.log')
  expect(dump.graphs.map((g) => read(g.text, g.title))).toMatchObject([{ graph: { size: 9 }, problems: [] }])
})

it('reads JSON with the numbers that only Python writes', () => {
  const argument = '{"as_float": -Infinity}, "name": "\\"NaN\\" Infinity"'
  expect(parsePythonJson(`[{"arg": ${argument}}, NaN, "Infinity"]`)).toEqual([
    { arg: { as_float: '-Infinity' }, name: '"NaN" Infinity' },
    'NaN',
    'Infinity',
  ])
  expect(parsePythonJson('NaN and more')).toBeUndefined()
})

it('offers every graph of a text', () => {
  const dump = dumpOfText(text('texts/log.aot.txt'), 'aot.log')
  expect(dump.graphs.map((g) => `${g.group} ${g.title}`)).toEqual([
    'aot_joint_graph Joint graph 0',
    'aot_graphs Forward graph 0',
    'aot_graphs Backward graph 0',
  ])
  for (const g of dump.graphs) expect(read(g.text, g.title)).toMatchObject({ problems: [], candidates: [{ line: 1 }] })
})

it('tlparse’s folder lists a graph of its log once, and each compilation by its folder', () => {
  const graph = 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)\n'
  const line = (name: string, payload: string): string =>
    `V0101 10:00:00.000000 1 torch/a.py:1] {"artifact": {"name": "${name}", "encoding": "string"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "x"}\n${payload.trimEnd().replace(/^/gm, '\t')}\n`
  const files = [
    ['-_0_0_0/vllm_post_grad.0.A_3.txt', graph],
    ['-_0_0_0/vllm_post_grad.1.B_4.txt', graph.replaceAll('x', 'y')],
    ['compile_directory.json', '{"-_0_0_0": {"artifacts": []}}'],
    ['raw.log', line('vllm_post_grad.0.A', graph) + line('vllm_post_grad.1.B', graph.replaceAll('x', 'y'))],
  ].map(([path, text]) => ({ path: path!, dump: dumpOfText(text!, path!) }))
  expect(files[3]!.dump.graphs).toHaveLength(2)
  expect(graphsOfFiles(files).map((g) => g.title)).toEqual([
    '-_0_0_0/vllm_post_grad.0.A_3.txt',
    '-_0_0_0/vllm_post_grad.1.B_4.txt',
  ])
})

it('counts the lines between two graphs beyond the listed ones, each once', () => {
  const node = (i: number): string => `    %x${i} : [num_users=0] = placeholder[target=x${i}]`
  const quoted = Array.from({ length: 60 }, (_, i) => `# >${node(i)}`)
  const rest = (...first: string[]): unknown => {
    const { graphs, problems } = dumpOfText([...first, ...quoted, 'graph():', node(1)].join('\n'), 'issue.txt')
    expect(graphs).toHaveLength(2)
    return problems.at(-1)?.message ?? read(graphs[0]!.text, 'issue.txt').problems.at(-1)!.message
  }
  expect(rest('# graph():', `# ${node(0)}`)).toBe('10 more lines could not be read.')
  expect(rest('graph():', node(0))).toBe('10 more lines could not be read.')
})
