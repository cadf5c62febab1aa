/** Bodies of issues about exported, lowered and compiled programs, by their forms, with graphs of our own. */
import { describe, expect, it } from 'vitest'
import { read, type Reading } from '..'
import { dumpOfText } from '../dumps/dump'

const fenced = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``
const readBest = (text: string): Reading => {
  const { graphs, best } = dumpOfText(text, 'issue.txt')
  return read(graphs[best]!.text, 'issue.txt')
}
const targets = ({ graph }: Reading): string[] => [...graph.nodes()].map((n) => n.target)
const RELU = '%relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})'
const INPUT = '%x : [num_users=1] = placeholder[target=x]'
const aten = (...names: string[]): string[] => names.map((n) => `aten.${n}`)

describe('is read whole', () => {
  it.each<[form: string, text: string, wanted: string[]]>([
    [
      'a script, then the program that it prints with its signature',
      `It has one output more.\n${fenced('class Own(torch.nn.Module):\n    def forward(self, x):\n        return torch.ops.aten.relu(\n            x\n        )\nprint(export(Own(), (x,)))', 'python')}\nPrinted:\n${fenced('    class GraphModule(torch.nn.Module):\n        def forward(self, x: "f32[4]"):\n             # File: /r.py:6 in forward, code: return torch.ops.aten.relu(\n            relu: "f32[4]" = torch.ops.aten.relu.default(x);  x = None\n            return (relu,)\n            \nGraph signature: ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name=\'x\'), target=None, persistent=None)], output_specs=[])\nRange constraints: {}')}`,
      ['x', 'aten.relu.default', 'output'],
    ],
    [
      'a joint graph that unpacks and packs pytrees, between lines of a log',
      'INFO: TRACED GRAPH\n ===== Joint graph 0 =====\n /env/_lazy_graph_module.py class joint_helper(torch.nn.Module):\n    def forward(self, primals, tangents):\n        primals_1: "f32[4, 4][4, 1]cpu"; tangents_1: "f32[4, 4][4, 1]cpu";\n\n        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n        sin: "f32[4, 4][4, 1]cpu" = torch.ops.aten.sin.default(primals_1);  primals_1 = None\n        mul: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mul.Tensor(tangents_1, sin);  tangents_1 = None\n        return pytree.tree_unflatten([sin, mul], self._out_spec)\n\n\nINFO: aot_config id: 1, fw_metadata=ViewAn',
      ['primals_1', 'tangents_1', ...aten('sin.default', 'mul.Tensor'), 'output'],
    ],
    [
      'a table whose rule the page broke in two',
      fenced(
        'opcode         name    target          args              kwargs\n-------------  ------  --------------  ----------------  --------\n--------------------\nplaceholder    arg0_1  arg0_1          ()                {}\ncall_function  neg     aten.neg.default  (arg0_1,)       {}\noutput         output  output          ((neg,),)         {}',
      ),
      ['arg0_1', 'aten.neg.default', 'output'],
    ],
    [
      'a delegated program, whose lowered graph stands in the outer one',
      fenced(
        `    graph():\n        ${INPUT}\n        %lowered_module_0 : [num_users=1] = get_attr[target=lowered_module_0]\n            backend_id: Mine\n            lowered graph():       ${INPUT}\n            ${RELU}\n            return [relu]\n        %executorch_call_delegate : [num_users=1] = call_function[target=torch.ops.higher_order.executorch_call_delegate](args = (%lowered_module_0, %x), kwargs = {})\n        %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%executorch_call_delegate, 0), kwargs = {})\n        return [getitem]`,
      ),
      ['x', 'lowered_module_0', 'higher_order.executorch_call_delegate', 'operator.getitem', 'output'],
    ],
    [
      'a payload of TORCH_TRACE behind its line of JSON',
      '{"inductor_post_grad_graph": {}, "frame_id": 0, "has_payload": "abc"}\n\tclass <lambda>(torch.nn.Module):\n\t    def forward(self, arg0_1: "f32[4][1]cpu"):\n\t        relu: "f32[4][1]cpu" = torch.ops.aten.relu.default(arg0_1);  arg0_1 = None\n\t        return (relu,)\n',
      ['arg0_1', 'aten.relu.default', 'output'],
    ],
    [
      'a diff of readable code in a fence',
      fenced(
        ' class <lambda>(torch.nn.Module):\n     def forward(self, arg0_1: "f32[4]"):\n-        mul: "f32[4]" = torch.ops.aten.mul.Tensor(arg0_1, 2)\n-        add: "f32[4]" = torch.ops.aten.neg.default(mul);  mul = None\n+        add: "f32[4]" = torch.ops.aten.add.Tensor(arg0_1, arg0_1, alpha = 2)\n         return (add,)',
        'diff',
      ),
      ['arg0_1', 'aten.add.Tensor', 'output'],
    ],
    [
      'a page in HTML whose quotes are entities',
      `<details><summary>graph</summary>\n\n${fenced('class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: &quot;f32[4]&quot;):\n        l_x_ = L_x_\n        y: &quot;f32[4]&quot; = torch.nn.functional.gelu(l_x_, approximate = &#39;tanh&#39;);  l_x_ = None\n        return (y,)')}\n\n</details>`,
      ['L_x_', 'torch.nn.functional.gelu', 'output'],
    ],
    [
      'a script, its graph and the traceback below it',
      `${fenced('def pattern(x):\n    return torch.ops.aten.relu.default(x)\n\nreplace_pattern(gm, pattern, replacement)', 'python')}\n${fenced(`graph():\n    ${INPUT}\n    ${RELU}\n    return (relu,)\nTraceback (most recent call last):\n  File "/t.py", line 52, in <module>\n    main()\nAssertionError`)}`,
      ['x', 'aten.relu.default', 'output'],
    ],
  ])('%s', (_, text, wanted) => {
    const reading = readBest(text)
    expect(reading.problems).toEqual([])
    expect(targets(reading)).toEqual(wanted)
  })
})

describe('a text without a graph gets a message that identifies it', () => {
  it.each<[form: string, text: string, message: RegExp]>([
    [
      'the nodes that no backend takes',
      "Node aten_linear_default_2 with op <EdgeOpOverload: aten.linear.default>: schema = aten::linear(Tensor input) -> Tensor was not decomposed or delegated.\nThe following ops: {<OpOverload(op='aten.eye', overload='default')>} were specified to not be decomposed in forward.",
      /^This is ExecuTorch's list of nodes that no backend takes/,
    ],
    [
      'the end of output code in a log',
      [
        '    from torch._inductor.utils import print_performance',
        "    return print_performance(fn, times=times, repeat=repeat, device='cuda')",
        'if __name__ == "__main__":',
        "    compiled_module_main('None', benchmark_compiled_module)",
      ]
        .map((l) => `V0518 12:44:35.140000 3 site-packages/torch/_inductor/codecache.py:17] [0/0] [__output_code] ${l}`)
        .join('\n'),
      /^This is the end of Inductor's output code/,
    ],
    [
      'a table of proxies, at its first row that is no node',
      'opcode         name       target             args         kwargs\n-------------  ---------  -----------------  -----------  --------\nplaceholder    x          x                  ()           {}\ncall_function  getattr_1  Proxy(getattr_2)   [Proxy(x)]   {}\n',
      /^Expected a row of the table/,
    ],
  ])('%s', (_, text, message) => expect(readBest(text).problems[0]?.message).toMatch(message))
})
