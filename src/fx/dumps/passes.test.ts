import { expect, it } from 'vitest'
import { passName, pipelineOf } from './passes'
import type { DumpGraph } from './types'

const dump = (title: string, text = title): DumpGraph => ({ title, group: '0/0', line: 1, text })

it.each([
  ['vllm_post_grad.0.NoOpEliminationPass', 0, 'NoOpEliminationPass', 'after'],
  ['rank_0/post_grad.2.RMSNormQuantFusionPass.before.py', 2, 'RMSNormQuantFusionPass', 'before'],
  ['post_grad.FixFunctionalizationPass.after', null, 'FixFunctionalizationPass', 'after'],
  ['dump/1_fuse_norm_before.py', 1, 'fuse_norm', 'before'],
  ['graphs/before_fuse_norm.txt', null, 'fuse_norm', 'before'],
])('%s', (title, order, pass, when) => {
  expect(passName(title)).toEqual({ order, pass, when })
})

it('takes other names for no pass', () => {
  for (const t of ['before_post_grad_graph', 'dynamo_output_graph', 'fx_graph_readable.py'])
    expect(passName(t)).toBeNull()
})

it('counts a graph between two passes once, in the order of the passes', () => {
  const graphs = [
    dump('post_grad.1.B.after', 'c'),
    dump('post_grad.0.A.before', 'a'),
    dump('post_grad.0.A.after', 'b'),
    dump('post_grad.1.B.before', 'b'),
  ]
  expect(pipelineOf(graphs)!.map((g) => g.title)).toEqual(['0.A.before', '0.A.after', '1.B.after'])
  expect(pipelineOf([dump('dynamo_output_graph')])).toBeNull()
})

it('begins with the graph that vLLM’s first pass gets', () => {
  const graphs = ['before_post_grad_graph', 'vllm_post_grad.0.A', 'vllm_post_grad.1.B'].map((t) => dump(t))
  expect(pipelineOf(graphs)!.map((g) => g.title)).toEqual(['before_post_grad_graph', '0.A.after', '1.B.after'])
})

it('keeps the compilations of a tlparse folder apart, each with its first graph', () => {
  const files = ['-_0_0_0', '-_1_0_0'].flatMap((id) => [
    `${id}/before_post_grad_graph_11.txt`,
    `${id}/vllm_post_grad.0.A_12.txt`,
    `${id}/vllm_post_grad.1.B_13.txt`,
  ])
  const stages = pipelineOf(files.map((title) => ({ ...dump(title), group: null })))!
  expect(stages.map((g) => `${g.group} ${g.title}`)).toEqual([
    '-_0_0_0 before_post_grad_graph',
    '-_0_0_0 0.A.after',
    '-_0_0_0 1.B.after',
    '-_1_0_0 before_post_grad_graph',
    '-_1_0_0 0.A.after',
    '-_1_0_0 1.B.after',
  ])
})
