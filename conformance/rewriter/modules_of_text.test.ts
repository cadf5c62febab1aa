/** Modules of a graph whose text does not list them: their classes are those that their names tell, and the others are refused. */
import { beforeAll, expect, test } from 'vitest'
import { printedBy, start, type Started } from '../../src/python/testing/start'
import { rewritten } from './replay'

let py: Started
beforeAll(async () => {
  py = await start()
}, 120_000)

const GRAPH = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %fc1 : [num_users=1] = call_module[target=block.fc1](args = (%x,), kwargs = {})
    %drop : [num_users=1] = call_module[target=drop](args = (%fc1,), kwargs = {})
    %act : [num_users=1] = call_module[target=act](args = (%drop,), kwargs = {})
    return act`

const printed = (body: string): string[] =>
  rewritten(py, {
    id: '',
    graph: GRAPH,
    printed: '',
    graph_after: '',
    file: `import torch
def run(graph):
    gm = graph.owning_module
    mods = dict(gm.named_modules())
    try:
        ${body.replaceAll('\n', '\n        ')}
    except Exception as e:
        print(type(e).__name__, e)
torch._inductor.config.post_grad_custom_pre_pass = run`,
  }).printed

test('a module has the class that its name tells, before what a pass adds', () => {
  expect(
    printed('print(isinstance(mods["block.fc1"], torch.nn.Linear), type(mods["drop"]) is torch.nn.Dropout)'),
  ).toEqual(['True True'])
  expect(printed('gm.add_submodule("new", torch.nn.ReLU())\nprint([k for k, _ in gm.named_children()])')).toEqual([
    "['block', 'drop', 'act', 'new']",
  ])
})

test('what the text does not show is refused by name', () => {
  const refused = "NotImplementedError the graph's text does not show the class of module act: print(gm) lists it"
  expect(printed('print(isinstance(mods["act"], torch.nn.ReLU))')).toEqual([refused])
  expect(printed('print(type(mods["act"]).__name__)')).toEqual([refused])
  expect(printed('print(isinstance(mods["act"], torch.nn.Module))')).toEqual(['True'])
  expect(printed('print(mods["block.fc1"].in_features)')).toEqual([
    "AttributeError the graph's text does not show in_features of module block.fc1",
  ])
})

test('the code of a traced call of a wrapped function wraps it', () => {
  const text = printedBy(
    py,
    `import torch
def helper(x):
    return x
torch.fx.wrap("helper")
print(torch.fx.symbolic_trace(lambda x: helper(x) + 1).code.strip())`,
  )
  expect(text).toContain('torch.fx._symbolic_trace.wrap("p_helper")\n\ndef forward(')
})
