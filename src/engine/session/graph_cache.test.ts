import { expect, it } from 'vitest'
import { createTracer } from '../../trace'
import type { Workspace } from '../../workspace/types'
import { GraphCache } from './graph_cache'

const workspace = (dim: number): Workspace =>
  ({
    graph: {
      name: 'graph.txt',
      text: `graph():
    %a : [num_users=1] = placeholder[target=a]
    %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%a, [${dim}]), kwargs = {})
    return sum_1`,
    },
  }) as Workspace

it('keeps the graphs that were read last: a return to one gives the same view', () => {
  const cache = new GraphCache(() => null, createTracer())
  const first = cache.read(workspace(0))
  for (const dim of [1, 2, 3]) cache.read(workspace(dim))
  expect(cache.read(workspace(0))).toBe(first)
  for (const dim of [1, 2, 3, 4, 5]) cache.read(workspace(dim))
  expect(cache.read(workspace(0)).view).not.toBe(first.view)
  expect(cache.read(workspace(0)).view).toEqual(first.view)
})
