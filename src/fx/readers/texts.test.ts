/** Checks that every recorded PyTorch text reads back as the same graph. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { printGraph, printReadable, read } from '..'

const root = new URL('../../../conformance/', import.meta.url)
const load = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** Graphs whose print_readable omits parts of their print(graph), and the omitted parts. */
const READABLE_SAYS_LESS: Readonly<Record<string, (graphText: string) => string>> = {
  // print_readable shows dtype and shape instead of a placeholder's Python type; it cannot show both.
  fmt_dynamo_llama2: (text) => text.replace(/ : torch\.[\w.]+ \[num_users/g, ' : [num_users'),
}

const names = readdirSync(new URL('graphs', root))
  .filter((f) => f.endsWith('.graph.txt'))
  .map((f) => f.slice(0, -'.graph.txt'.length))

describe('the recorded graphs', () => {
  it.each(names)('%s: both forms print like print(graph), byte for byte', (name) => {
    const graphText = load(`graphs/${name}.graph.txt`)
    const readableText = load(`graphs/${name}.readable.txt`)
    const fromGraph = read(graphText, name)
    expect(fromGraph.problems).toEqual([])
    expect(fromGraph.form).toBe('fx')
    expect(printGraph(fromGraph.graph)).toBe(graphText)

    const fromReadable = read(readableText, name)
    expect(fromReadable.problems).toEqual([])
    expect(fromReadable.form).toBe('readable')
    const expected = READABLE_SAYS_LESS[name]?.(graphText) ?? graphText
    expect(printGraph(fromReadable.graph)).toBe(expected)

    const className = /class (\S+)\(/.exec(readableText)![1]!
    const again = printReadable(fromReadable.graph, { className, stride: true, device: true })
    expect(again.trimEnd()).toBe(readableText.trimEnd())
  })
})

interface Recorded {
  id: string
  graph: string
  readable: string
  readable_plain: string
  expanded: string
}

const recorded = JSON.parse(load('fx_texts/texts.json')) as Recorded[]

describe('graphs with constructs that are rare in dumps', () => {
  it.each(recorded)('$id', ({ id, graph, readable, readable_plain, expanded }) => {
    const fromGraph = read(graph, id)
    expect(fromGraph.problems).toEqual([])
    expect(printGraph(fromGraph.graph)).toBe(graph)
    for (const text of [readable, readable_plain, expanded]) {
      const reading = read(text, id)
      expect(reading.problems).toEqual([])
      expect(printGraph(reading.graph)).toBe(graph)
      const again = read(printReadable(reading.graph, { stride: true, device: true }), id)
      expect(again.problems).toEqual([])
      expect(printGraph(again.graph)).toBe(graph)
    }
  })
})
