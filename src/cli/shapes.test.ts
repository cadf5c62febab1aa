/** A print(graph) without shapes, with and without `--shapes`. */
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { CasePass } from '../engine/cases/cases'
import { releasePython } from '../python/testing/shared_python'
import { fusescope as inThisProcess } from './fusescope'

const GRAPH = `graph():
    %arg0_1 : [num_users=1] = placeholder[target=arg0_1]
    %arg1_1 : [num_users=1] = placeholder[target=arg1_1]
    %arg2_1 : [num_users=1] = placeholder[target=arg2_1]
    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%arg0_1, %arg1_1), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %arg2_1), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%add,), kwargs = {})
    return (relu,)
`
const PATTERN = `
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
def search(a, b, c):
    return torch.relu(torch.mm(a, b) + c)
def replace(a, b, c):
    return torch.relu(torch.addmm(c, a, b))
register_replacement(search, replace, [torch.empty(4, 8), torch.empty(8, 6), torch.empty(4, 6)], fwd_only, patterns)
`
const SHAPES = { arg0_1: 'bf16[48, 256]', arg1_1: 'bf16[256, 64]', arg2_1: 'bf16[48, 64]' }

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fusescope-shapes-'))
  vi.stubEnv('INIT_CWD', folder)
  file('graph.txt', GRAPH)
  file('fusion.py', PATTERN)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return name
}

async function fusescope(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const written: Record<number, string> = { 1: '', 2: '' }
  const keep = (fd: number, bytes: Uint8Array, at: number, length: number): number => {
    written[fd] += Buffer.from(bytes.slice(at, at + length)).toString()
    return length
  }
  const spy = vi.spyOn(fs, 'writeSync').mockImplementation(keep as typeof fs.writeSync)
  syncBuiltinESMExports()
  try {
    const status = await inThisProcess(args)
    return { status, out: written[1]!, err: written[2]! }
  } finally {
    spy.mockRestore()
    syncBuiltinESMExports()
    releasePython()
  }
}

const match = (...args: string[]) => fusescope('match', '--graph', 'graph.txt', '--pattern', 'fusion.py', ...args)
const passOf = (out: string): CasePass => (JSON.parse(out) as { passes: CasePass[] }).passes[0]!

it('counts a place whose shapes are missing apart from matches', async () => {
  const pass = passOf((await match('--json')).out)
  expect([pass.count, pass.unshaped]).toEqual([0, 1])
  expect((await match()).out).toMatch(/^patterns: 0 matches from 1 pattern, 1 more if the shapes allow$/m)
})

it('counts such places on each of several graphs', async () => {
  const args = ['match', '--graphs', 'graph.txt', '--pattern', 'fusion.py']
  const { passes } = JSON.parse((await fusescope(...args, '--json')).out) as {
    passes: { entries: { fired: number[]; unshaped: number[] }[] }[]
  }
  expect(passes[0]!.entries).toMatchObject([{ fired: [0], unshaped: [1] }])
  expect((await fusescope(...args)).out).toMatch(/ \?\n\n\?: all nodes align/)
})

it('matches with --shapes', async () => {
  file('shapes.json', JSON.stringify(SHAPES))
  const pass = passOf((await match('--shapes', 'shapes.json', '--json', '--expect', '1')).out)
  expect([pass.count, pass.unshaped]).toEqual([1, 0])
})

it('names the file, the line and the key of a shape that it cannot use', async () => {
  const complaint = async (text: string): Promise<string> => {
    const { status, out, err } = await match('--shapes', file('bad.json', text), '--json')
    expect([status, out, err.trimEnd().split('\n').length]).toEqual([2, '', 1])
    return err
  }
  expect(await complaint('{\n  "arg7_1": "bf16[4]"\n}')).toMatch(/^bad\.json:2:3: "arg7_1": the graph has no node/)
  expect(await complaint('{"arg0_1": "bf16[4,"}')).toMatch(/^bad\.json:1:2: "arg0_1": "bf16\[4," is not a shape/)
  expect(await complaint('{"arg0_1": 4}')).toMatch(/^bad\.json:1:2: "arg0_1" is not a text/)
  expect(await complaint('[]')).toMatch(/^bad\.json:1:1: this is not an object/)
  expect(await complaint('{"arg0_1"')).toMatch(/^bad\.json:1:\d+: this is not valid JSON/)
})

it('takes shapes in a case, and names the key of a bad one', async () => {
  const base = { pattern_py: PATTERN, graph: GRAPH }
  const cases = [
    { id: 'without', ...base },
    { id: 'with', ...base, shapes: SHAPES },
    { id: 'bad', ...base, shapes: { arg0_1: 'what' } },
  ]
  const name = file('cases.jsonl', cases.map((c) => JSON.stringify(c)).join('\n'))
  const { status, out, err } = await fusescope('match', '--cases', name, '--json')
  const [without, given, bad] = out.trimEnd().split('\n')
  expect([status, passOf(without!).unshaped, passOf(given!).count]).toEqual([2, 1, 1])
  expect(JSON.parse(bad!)).toMatchObject({ id: 'bad' })
  expect(err).toMatch(/^cases\.jsonl:3:1: shapes: "arg0_1": "what" is not a shape/)
})

it('names a literal that no shape decides, and leaves one that follows from a shape open', async () => {
  const graph = (target: string, value: string): string => `graph():
    %x : [num_users=1] = placeholder[target=x]
    %y : [num_users=1] = call_function[target=${target}](args = (%x, ${value}), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%y,), kwargs = {})
    return (relu,)
`
  const pattern = (expression: string): string => `
import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
def search(x):
    return torch.relu(${expression})
register_replacement(search, lambda x: torch.sigmoid(x), [torch.empty(4, 8)], fwd_only, patterns)
`
  const explained = async (text: string, expression: string): Promise<string> => {
    const args = ['--graph', file('literal.txt', text), '--pattern', file('literal.py', pattern(expression))]
    return (await fusescope('explain', ...args)).out
  }
  const added = graph('torch.ops.aten.add.Tensor', '1e-06')
  expect(await explained(added, 'x + 1e-5')).toContain('argument 1 of y is 1e-06 in the graph, 1e-05 in the pattern')
  expect(await explained(added, 'x + 1e-6')).toContain('it matches if the shapes allow')
  const scaled = graph('torch.ops.aten.mul.Tensor', '0.125')
  expect(await explained(scaled, 'x * x.shape[-1] ** -0.5')).toContain('it matches if the shapes allow')
  expect(await explained(scaled, 'x * torch.finfo(x.dtype).eps')).toContain('it matches if the shapes allow')
})
