/** A graph is data, also where its shapes are computed: no target of it leads to Python's own functions. */
import { beforeAll, expect, it } from 'vitest'
import { opRef } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import { isTensorCall } from '../../ops/calls/torch_calls'
import { start } from '../../python/testing/start'
import { createSession, type Session } from './session'

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

function consoleOf(text: string): unknown {
  const graph = { name: 'graph.txt', text }
  return session.analyze({ name: 'w', graph, files: [], options: { timeLimitS: 10 } }).report.console
}

it.each([
  `torch.fx.graph.builtins.exec("print('RAN')")`,
  `torch.fx.graph.builtins.print("RAN")`,
  `torch.fx.graph.builtins.eval("print('RAN')")`,
  `torch._infer_schema.inspect.builtins.exec("print('RAN')")`,
])('runs nothing of %s', (call) => {
  const body = `        a = ${call}\n        b = torch.ops.aten.relu.default(x)\n        return (b,)\n`
  expect(consoleOf(`class <lambda>(torch.nn.Module):\n    def forward(self, x: "f32[4][1]cpu"):\n${body}`)).toEqual([])
  const [, target, args] = /^([\w.]+)\((.*)\)$/.exec(call)!
  const a = `%a : [num_users=0] = call_function[target=${target}](args = (${args!.slice(1, -1)},), kwargs = {})`
  expect(consoleOf(`graph():\n    %x : [num_users=1] = placeholder[target=x]\n    ${a}\n    return (x,)`)).toEqual([])
})

it('calls what computes tensors, by its name', () => {
  const called =
    'torch.rsqrt torch._C._nn.linear torch.functional.split operator.add _operator.matmul builtins.max math.sqrt torch._int_mm ' +
    'torch.Tensor.add torch.linalg.norm torch._assert .to .view .T .__radd__ .__and__ .__getitem__ .__ior__ ._conj'
  expect(called.split(' ').filter((t) => !isTensorCall(t, [1n]))).toEqual([])
  const refused =
    'torch.fx.graph.builtins.exec torch.load torch.compile torch.sys torch.library.define builtins.exec builtins.eval builtins.open ' +
    'operator.call operator.attrgetter torch.Tensor.__init__ torch.linalg.torch.load math.__loader__.load_module os.system ' +
    '.__class__ .__reduce_ex__ .__getattribute__ .__init_subclass__ ._unknown .a.b torch.linalg._x builtins.getattr'
  expect(refused.split(' ').filter((t) => isTensorCall(t, [1n]))).toEqual([])
  const op = opRef('aten.abs.default')
  expect(isTensorCall('builtins.max', [[1n, 2n]], new Map([['key', op]]))).toBe(false)
  expect(isTensorCall('builtins.max', [[1n, [op]]])).toBe(false)
  expect(isTensorCall('builtins.max', [[1n, 2n]], new Map([['default', 3n]]))).toBe(true)
  expect(isTensorCall('.format', ['{0.__class__}', 1n])).toBe(false)
  expect(['T', '__class__'].map((name) => isTensorCall('builtins.getattr', [1n, name]))).toEqual([true, false])
})

it('reads the name of an operator as nothing else', async () => {
  const py = await start()
  const { console: printed, failure } = py.run(`from _fusescope import wire
for name in ["aten.add.Tensor", "_C.rms_norm", "load_library.__globals__.get", "__getattr__.__builtins__.get", "aten.add.__call__", "aten.__class__", "python:executorch.exir.dialects.edge._ops.aten.add.Tensor", "python:executorch.exir.dialects.edge._ops.__getattr__.__globals__.get"]:
    try:
        print(wire.decode({"op": name}))
    except AttributeError:
        print("none")
`)
  expect(failure?.traceback ?? null).toBeNull()
  expect(printed.map((c) => c.text.trim())).toEqual([
    ...['aten.add.Tensor', '_C.rms_norm', 'none', 'none', 'none', 'none'],
    ...[expect.stringContaining('<EdgeOpOverload: aten.add.Tensor>'), 'none'],
  ])
})
