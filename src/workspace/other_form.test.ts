import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { joinedForms, withOtherForm } from './other_form'

const text = (name: string): string =>
  readFileSync(new URL(`../../conformance/graphs/${name}.txt`, import.meta.url), 'utf8')
const file = (name: string) => ({ name: `${name}.txt`, text: text(name) })

it.each(['llama', 'qwen2', 'vit', 'hop_misc'])('joins the two texts of %s, whichever came first', (name) => {
  const printed = file(`${name}.graph`)
  const readable = file(`${name}.readable`)
  const both = { ...printed, shapes: readable }
  expect(withOtherForm(printed, readable)).toEqual(both)
  expect(withOtherForm(readable, printed)).toEqual(both)
})

it('does not join another graph, or the same form', () => {
  expect(withOtherForm(file('llama.graph'), file('vit.readable'))).toBeNull()
  expect(withOtherForm(file('vit.graph'), file('llama.readable'))).toBeNull()
  expect(withOtherForm(file('llama.graph'), file('llama.graph'))).toBeNull()
  expect(withOtherForm({ name: 'graph.txt', text: '' }, file('llama.graph'))).toBeNull()
})

it('joins the forms of a folder by their names', () => {
  const names = ['llama.graph', 'llama.readable', 'vit.readable', 'qwen2.graph', 'vit.graph']
  const joined = joinedForms(names.map(file))
  expect(joined.map((g) => [g.name, g.shapes?.name])).toEqual([
    ['llama.graph.txt', 'llama.readable.txt'],
    ['vit.graph.txt', 'vit.readable.txt'],
    ['qwen2.graph.txt', undefined],
  ])
})
