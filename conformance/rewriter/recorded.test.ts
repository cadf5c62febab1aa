/** Passes of torch.fx on graphs: what each prints and the graph after it, as PyTorch 2.14.1 recorded them (record.py). */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { printGraph, read } from '../../src/fx'
import { start, type Started } from '../../src/python/testing/start'

interface Case {
  id: string
  file: string
  graph: string
  printed: string
  graph_after: string
}

const cases = readFileSync(new URL('recorded.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

let py: Started
beforeAll(async () => {
  py = await start()
}, 120_000)

test.each(cases)('$id', ({ file, graph: text, printed, graph_after }) => {
  const { graph } = read(text, 'g.txt')
  const run = py.run(file)
  expect(run.failure).toBeNull()
  const console = [...run.console]
  const stage = run.line.find((s) => s.hook === 'post_grad_custom_pre_pass')
  py.host.callPass(stage!.callable!, graph)
  console.push(...py.host.drainConsole())
  const said = console.filter((c) => c.stream === 'stdout').map((c) => c.text)
  expect({ printed: said.join('\n').replace(/\n+/g, '\n').trim().split('\n'), after: printGraph(graph) }).toEqual({
    printed: printed.trim().replace(/\n+/g, '\n').split('\n'),
    after: graph_after,
  })
})
