/** Layers of the model, as the environment names them, in passes that loop over them. */
import { beforeAll, expect, test } from 'vitest'
import { SM90, start, type Started } from './testing/start'
import type { PythonFile } from './types'

let py: Started
beforeAll(async () => {
  py = await start()
})

const LOOP = `from vllm.config import VllmConfig, get_layers_from_vllm_config
from vllm.model_executor.layers.mamba.gdn.base import GatedDeltaNetAttention as Gated
for name, layer in get_layers_from_vllm_config(VllmConfig(), Gated).items():
    print(name, layer.num_v_heads // layer.tp_size)`
const BASE = 'vllm.model_executor.layers.mamba.gdn.base.GatedDeltaNetAttention'

const run = (files: string | PythonFile[], layers?: Record<string, string>) =>
  py.run(files, { ...SM90, ...(layers && { layers }) })
const printed = (files: string | PythonFile[], layers?: Record<string, string>): string => {
  const { console, failure } = run(files, layers)
  return failure?.traceback ?? console.map((c) => c.text).join('\n')
}

test('a layer of a class that is not there has its arguments as attributes, and no others', () => {
  expect(printed(LOOP, { 'layers.0': `${BASE}(num_v_heads=32, tp_size=2)` })).toBe('layers.0 16')
  const { failure, asked } = run(LOOP, { 'layers.0': `${BASE}(num_heads=32, head_dim=128)` })
  expect(failure).toMatchObject({
    type: 'AttributeError',
    message: "'GatedDeltaNetAttention' object has no attribute 'num_v_heads'",
    frames: [{ line: 4 }],
  })
  expect(asked.at(-1)).toMatchObject({
    question: 'get_layers_from_vllm_config(GatedDeltaNetAttention)',
    answer: 'layers.0: GatedDeltaNetAttention(num_heads=32, head_dim=128)',
    settings: [{ name: 'layers' }],
  })
})

test('without layers the answer says that none are named; a class needs no path', () => {
  expect(run(LOOP).asked.at(-1)).toMatchObject({ answer: 'none', settings: [{ name: 'layers', value: null }] })
  expect(printed(LOOP, { a: 'GatedDeltaNetAttention(num_v_heads=8, tp_size=1)', b: 'Other()' })).toBe('a 8')
})

test('a class of the user’s files is made with its arguments, and one of a missing base is an instance of it', () => {
  const kimi = `from vllm.model_executor.layers.mamba.gdn.base import GatedDeltaNetAttention
class Kimi(GatedDeltaNetAttention):
    def __init__(self, heads):
        self.num_v_heads, self.tp_size = heads, 2`
  const files = [
    { name: 'model.py', text: kimi },
    { name: 'p.py', text: LOOP },
  ]
  expect(printed(files, { 'layers.3': 'model.Kimi(64)' })).toBe('layers.3 32')
})

test('attention gets its name; other attention layers are gone', () => {
  const source = `from vllm.config import VllmConfig, get_layers_from_vllm_config
from vllm.model_executor.layers.attention import Attention, MLAAttention
for kind in (Attention, MLAAttention):
    print([(n, a.layer_name, a.num_kv_heads) for n, a in get_layers_from_vllm_config(VllmConfig(), kind).items()])`
  expect(printed(source, { l0: 'Attention(16, 64, num_kv_heads=4)' })).toBe("[('l0', 'l0', 4)]\n[]")
})

test.each([
  ['Attention', "the environment's layer l0 is 'Attention'; expected CLASS(NAME=VALUE, …) of literals"],
  ['a.B(print())', "the environment's layer l0 is 'a.B(print())'; expected"],
  ['a.B(3)', "the environment's layer l0: a.B is not in the files, so its arguments need names"],
  // Nothing of Python's own is made.
  ['subprocess.Popen("ls")', 'subprocess.Popen is not in the files'],
])('%s', (call, message) => {
  expect(run('from vllm.config import VllmConfig\nVllmConfig()', { l0: call }).failure?.message).toContain(message)
})

test('the gated norm computes in float32, and multiplies by the gate after it', () => {
  expect(
    printed(`import torch
from torch._inductor.pattern_matcher import fwd_only
from vllm.model_executor.layers.layernorm import RMSNormGated
x, w = torch.empty(4, 8, dtype=torch.bfloat16), torch.empty(8, dtype=torch.bfloat16)
gm = fwd_only(lambda x, z, w: RMSNormGated.forward_static(x, z, w, 1e-5, x.dtype), [x, x, w])
print(*(str(n.target).split(".")[1] for n in gm.graph.nodes if n.op == "call_function"), RMSNormGated.enabled())`),
  ).toMatch(/^convert_element_type .* rsqrt mul mul neg exp add div mul convert_element_type True$/)
})
