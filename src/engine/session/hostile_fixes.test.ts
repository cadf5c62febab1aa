/** Text of a graph never becomes code of a trial of a fix, which runs by itself, nor of the fix that is offered. */
import { expect, it, vi } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Code } from '../run/interpreter'
import { createSession } from './session'

const HANDLER = `import torch
from torch._inductor.pattern_matcher import CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern

aten = torch.ops.aten
patterns = PatternMatcherPass()

@register_graph_pattern(CallFunction(aten.add.Tensor, KeywordArg("x"), KeywordArg("y")), pass_dict=patterns)
def fuse(match, x, y):
    node = match.output_node()
    node.replace_all_uses_with(x)
    match.graph.erase_node(node)
`
const SEARCH = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()
aten = torch.ops.aten

def search(x, y):
    return aten.relu.default(aten.add.Tensor(x, y))

def replace(x, y):
    return aten.add.Tensor(x, y)

register_replacement(search, replace, [torch.empty(4, 8), torch.empty(4, 8)], fwd_only, patterns)
`
const EVIL = 'exec("RAN")'

const graph = (...calls: string[]): string => `graph():
    %x : [num_users=2] = placeholder[target=x]
    %y : [num_users=1] = placeholder[target=y]
${calls.map((c) => `    ${c}\n`).join('')}    return (e, a)
`
const scalar = '%a : [num_users=1] = call_function[target=torch.ops.aten.add.Scalar](args = (%x, 2), kwargs = {})'
const sub = '%s : [num_users=1] = call_function[target=torch.ops.aten.sub.Tensor](args = (%x, %y), kwargs = {})'

it.each([
  [
    'the target of a call, beside a handler',
    HANDLER,
    graph(
      `%e : [num_users=1] = call_function[target=torch.ops.aten.add.Scalar if not ${EVIL} else 0](args = (%x, 1), kwargs = {})`,
      scalar,
    ),
  ],
  [
    'a keyword, beside a handler',
    HANDLER,
    graph(
      `%e : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %y), kwargs = {alpha=${EVIL} or 2: 2})`,
      scalar,
    ),
  ],
  [
    'the target of a call, beside a function',
    SEARCH,
    graph(
      sub,
      `%e : [num_users=1] = call_function[target=torch.ops.aten.relu.default if ${EVIL} else 0](args = (%s,), kwargs = {})`,
      `%a : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%s,), kwargs = {})`,
    ),
  ],
  [
    'an operator that is called, beside a function',
    SEARCH.replace('aten.relu.default(aten.add.Tensor(x, y))', 'torch.tanh(torch.exp(torch.relu(x)))')
      .replaceAll(', y', '')
      .replace(', torch.empty(4, 8)]', ']')
      .replace('aten.add.Tensor(x)', 'torch.exp(torch.relu(x)).tanh()'),
    graph(
      `%s : [num_users=1] = call_function[target=torch.ops.aten.sin and (${EVIL}, x)[1] if 1 else torch.default](args = (%x,), kwargs = {})`,
      `%b : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%s,), kwargs = {})`,
      `%e : [num_users=1] = call_function[target=torch.ops.aten.tanh.default](args = (%b,), kwargs = {})`,
      scalar,
    ),
  ],
  [
    'a keyword, beside a function',
    SEARCH,
    graph(
      `%s : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %y), kwargs = {alpha=${EVIL} or 2: 2})`,
      `%e : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%s,), kwargs = {})`,
      scalar,
    ),
  ],
  [
    'a method, beside a function',
    SEARCH.replaceAll('aten.relu.default(', 'torch.relu('),
    graph(sub, `%e : [num_users=1] = call_method[target=relu if ${EVIL} else relu](args = (%s,), kwargs = {})`, scalar),
  ],
])('%s', { timeout: 60_000 }, async (_, python, text) => {
  const session = createSession(nodeAssets())
  await session.ready
  const ran: string[] = []
  const note = ({ files }: Pick<Code, 'files'>): void => void ran.push(...files.map((f) => f.text))
  const [load, patched] = [session.interpreter.load, session.interpreter.patched]
  vi.spyOn(session.interpreter, 'load').mockImplementation(function (this: typeof session.interpreter, code, on) {
    note(code)
    return load.call(this, code, on)
  })
  vi.spyOn(session.interpreter, 'patched').mockImplementation(function (
    this: typeof session.interpreter,
    under,
    changed,
    again,
  ) {
    note(changed)
    return patched.call(this, under, changed, again) as never
  })
  const { report } = session.analyzeWhole(
    {
      name: 'w',
      graph: { name: 'g.txt', text },
      files: [{ name: 'own.py', text: python }],
      options: { timeLimitS: 10 },
    },
    { fixes: true },
  )
  expect(ran.length).toBeGreaterThan(1)
  expect(ran.filter((t) => t.includes(EVIL))).toEqual([])
  expect(
    JSON.stringify(
      report.passes.flatMap((p) => p.nearMisses.flatMap((m) => m.causes?.flatMap((c) => c.fixes ?? []) ?? [])),
    ),
  ).not.toContain(`${EVIL} `)
})
