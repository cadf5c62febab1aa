/**
 * Compares the graphs printed in the articles, before and after, character by character. The printed texts are in
 * articles/; differences in PyTorch 2.14.1's output are listed at each comparison and in docs/systems/inductor.md.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../scripts/examples'
import { type CaseOutput, matchCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { nodeAssets } from '../src/python/node_assets'
import type { Workspace } from '../src/workspace/types'

const printed = (name: string): string =>
  readFileSync(new URL(`articles/${name}.txt`, import.meta.url), 'utf8').trimEnd()

let interpreter: Interpreter
beforeAll(async () => {
  interpreter = await Interpreter.start(nodeAssets())
})

/** Runs an example's patterns on another graph. */
function run({ files, passes, environment }: Workspace, graph: string, readable: string): CaseOutput {
  const options = { ...(passes && { passes }), ...(environment && { environment }) }
  const output = matchCase(interpreter, { id: 'article', pattern_py: '', files, graph, readable, ...options })
  expect(output.register_error).toBeNull()
  return output
}

describe('RMSNorm + int8', () => {
  const example = exampleWorkspace('rms-norm-int8')
  const before = printed('rms-norm-int8.before')
  const after = printed('rms-norm-int8.after')

  it('the example’s graph is the printed one, recorded on a CPU', () => {
    expect(example.graph.text.trimEnd()).toBe(before.replace(/device: cuda(?::0)?/g, 'device: cpu'))
  })

  it('the printed graph becomes the printed result', () => {
    const onCuda = example.shapes!.text.replaceAll('cpu', 'cuda:0')
    const output = run(example, before, onCuda)
    expect(output.passes.map((p) => [p.count, p.graph_after])).toEqual([[1, after]])
    // The article's PyTorch left the unused buffer in the graph in eliminate_dead_code; 2.14.1 removes it.
    const kept = after.split('\n').filter((line) => !line.includes('%empty_1 : [num_users=0]'))
    expect(output.graph_after_dce).toBe(kept.join('\n'))
  })
})

describe('AddRMSNorm + DynamicMXQuant, small form', () => {
  const BEFORE = `
%norm = npu_add_rms_norm(%x, %residual, %weight, eps)
%norm_0 = getitem(%norm, 0)
%norm_2 = getitem(%norm, 2)
%mx = npu_dynamic_mx_quant(%norm_0, dst_type=float8_e4m3fn)
%q = getitem(%mx, 0)
%scale = getitem(%mx, 1)
return (%q, %scale, %norm_2)`.trim()

  const AFTER = `
%fused = npu_add_rms_norm_dynamic_mx_quant(%x, %residual, %weight, epsilion=eps, dst_type=float8_e4m3fn)
%q = getitem(%fused, 0)
%scale = getitem(%fused, 2)
%new_residual = getitem(%fused, 1)
return (%q, %scale, %new_residual)`.trim()

  // The article's sketch as PyTorch prints it. 1e-6, the operator's default, would not be printed.
  const EPS = '1e-05'
  const graph = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %residual : [num_users=1] = placeholder[target=residual]
    %weight : [num_users=1] = placeholder[target=weight]
    %norm : [num_users=2] = call_function[target=torch.ops.npu.npu_add_rms_norm.default](args = (%x, %residual, %weight, ${EPS}), kwargs = {})
    %norm_0 : [num_users=1] = call_function[target=operator.getitem](args = (%norm, 0), kwargs = {})
    %norm_2 : [num_users=1] = call_function[target=operator.getitem](args = (%norm, 2), kwargs = {})
    %mx : [num_users=2] = call_function[target=torch.ops.npu.npu_dynamic_mx_quant.default](args = (%norm_0,), kwargs = {dst_type: torch.float8_e4m3fn})
    %q : [num_users=1] = call_function[target=operator.getitem](args = (%mx, 0), kwargs = {})
    %scale : [num_users=1] = call_function[target=operator.getitem](args = (%mx, 1), kwargs = {})
    return (q, scale, norm_2)`
  const readable = `class <lambda>(torch.nn.Module):
    def forward(self, x: "bf16[48, 256][256, 1]npu:0", residual: "bf16[48, 256][256, 1]npu:0", weight: "bf16[256][1]npu:0"):
        norm = torch.ops.npu.npu_add_rms_norm.default(x, residual, weight, ${EPS})
        norm_0: "bf16[48, 256][256, 1]npu:0" = norm[0]
        norm_2: "bf16[48, 256][256, 1]npu:0" = norm[2]
        mx = torch.ops.npu.npu_dynamic_mx_quant.default(norm_0, dst_type = torch.float8_e4m3fn)
        q: "f8e4m3fn[48, 256][256, 1]npu:0" = mx[0]
        scale: "u8[48, 8][8, 1]npu:0" = mx[1]
        return (q, scale, norm_2)`

  /** Converts print(graph) to the article's shorthand. */
  function sketch(text: string, names: Readonly<Record<string, string>> = {}): string {
    return text
      .split('\n')
      .slice(1)
      .filter((line) => !line.includes('= placeholder['))
      .map((line) =>
        line
          .trim()
          .replace(/ : \[num_users=\d+\]/, '')
          .replace(/call_function\[target=(?:torch\.ops\.npu|operator)\.(\w+)(?:\.default)?\]/, '$1')
          .replace(
            /\(args = \((.*?),?\), kwargs = \{(.*)\}\)$/,
            (_, args: string, kwargs: string) =>
              `(${[args, ...(kwargs ? kwargs.split(', ') : [])].map((a) => a.replace(': ', '=')).join(', ')})`,
          )
          .replace(/^return \((.*)\)$/, (_, values: string) => `return (${values.replace(/(\w+)/g, '%$1')})`)
          .replaceAll(EPS, 'eps')
          .replaceAll('torch.', '')
          .replace(/%(\w+)/g, (_, name: string) => `%${names[name] ?? name}`),
      )
      .join('\n')
  }

  it('matches, and becomes the article’s graph, with the outputs in order', () => {
    expect(sketch(graph)).toBe(BEFORE)
    const output = run(exampleWorkspace('ascend-add-rms-norm-mx-quant'), graph, readable)
    // The article's node names are hand-written; PyTorch names new nodes by operator and overload, and continues the
    // numbering of getitems.
    const names = {
      npu_add_rms_norm_dynamic_mx_quant_default: 'fused',
      getitem: 'q',
      getitem_1: 'new_residual',
      getitem_2: 'scale',
    }
    expect(output.passes.map((p) => p.count)).toEqual([1])
    // A trace unpacks items in their order; the article has them in the order of the pattern's outputs.
    const [fused, q, scale, residual, returned] = AFTER.split('\n')
    expect(sketch(output.graph_after_dce!, names)).toBe([fused, q, residual, scale, returned].join('\n'))
  })
})
