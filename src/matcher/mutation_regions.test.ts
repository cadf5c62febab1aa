import { expect, it } from 'vitest'
import type { Graph, Node } from '../fx'
import { isMutationOp, MutationRegions } from './mutation_regions'
import { graph } from './testing/fixtures'

const schemaOf = (target: string) => ({ mutable: target.startsWith('my.write'), args: [] })

const node = (line: string): Node => graph(`%n = ${line}`).find('n')!

it.each([
  ['call_function[target=torch.ops.my.write.default](args = (), kwargs = {})', true],
  ['call_function[target=torch.ops.my.read_.default](args = (), kwargs = {})', false],
  ['call_function[target=torch.ops.higher_order.auto_functionalized](args = (my.write.default,), kwargs = {})', false],
  ['call_function[target=operator.setitem](args = (), kwargs = {})', false],
  ['call_function[target=torch.manual_seed](args = (1,), kwargs = {})', true],
  ['call_method[target=relu_](args = (), kwargs = {})', true],
  ['call_method[target=__rshift__](args = (), kwargs = {})', false],
  ['call_function[target=torch.relu](args = (), kwargs = {out: 1})', true],
])('M36: %s mutates: %s', (line, mutates) => {
  expect(isMutationOp(node(line), schemaOf)).toBe(mutates)
})

/** The same number for nodes of the same region, counted from the top. */
function regions(g: Graph, r: MutationRegions): number[] {
  const seen = new Map<number, number>()
  return [...g.nodes()].map((n) => {
    const id = r.regionOf(n)
    if (!seen.has(id)) seen.set(id, seen.size)
    return seen.get(id)!
  })
}

it('M37: regions follow edits of the graph that add and remove mutations', () => {
  let seed = 7
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below
  const op = (): string => (random(3) === 0 ? 'my.write.default' : 'my.read.default')
  for (let round = 0; round < 40; round++) {
    const lines = Array.from(
      { length: 12 },
      (_, i) => `%n${i} = call_function[target=torch.ops.${op()}](args = (), kwargs = {})`,
    )
    const g = graph(lines.join('\n'))
    const r = new MutationRegions(g, schemaOf)
    for (let edit = 0; edit < 8; edit++) {
      const all = [...g.nodes()]
      const start = all[random(all.length)]!
      // Nodes of a possible match: some nodes of one region.
      const old = all.filter((n) => n === start || (r.areOne([n, start]) && random(2) === 0))
      const replacement = graph(`%r = call_function[target=torch.ops.${op()}](args = (), kwargs = {})`)
      r.around(old, replacement.nodes(), () => {
        const at = old[random(old.length)]!
        g.insertingBefore(at, () => g.createNode('call_function', replacement.first!.target))
        for (const n of old) g.eraseNode(n)
      })
      expect(regions(g, r)).toEqual(regions(g, new MutationRegions(g, schemaOf)))
    }
  }
})
