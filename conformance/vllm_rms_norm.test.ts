/** Compares the example vllm-rms-norm-quant with PyTorch's recordings (conformance/examples/record_rms_norm.py). */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../scripts/examples'
import { matchCase } from '../src/engine/cases/cases'
import { Interpreter } from '../src/engine/run/interpreter'
import { nodeAssets } from '../src/python/node_assets'
import { DEFAULT_ENVIRONMENT } from '../src/workspace'
import { graphsOf } from '../src/workspace/graphs'

interface Recorded {
  customOps: string[]
  count: number
  attempts: number
  /** By entry, in the order of PyTorch's table of patterns. */
  fired: number[]
}

const recorded = (name: string): string =>
  readFileSync(new URL(`./examples/vllm-rms-norm-quant/${name}`, import.meta.url), 'utf8')
const counts = JSON.parse(recorded('counts.json')) as Record<string, Recorded>
const workspace = exampleWorkspace('vllm-rms-norm-quant')

describe('RMSNorm and quantization to FP8', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  })

  it('has a graph for each recording', () => {
    expect(graphsOf(workspace).map((g) => g.name.replace('graphs/', ''))).toEqual(Object.keys(counts))
  })

  it.each(Object.entries(counts))('%s: fires as PyTorch does, to the byte', (name, { customOps, ...expected }) => {
    const output = matchCase(interpreter, {
      id: name,
      pattern_py: '',
      files: workspace.files,
      graph: graphsOf(workspace).find((g) => g.name.endsWith(name))!.text,
      environment: { ...DEFAULT_ENVIRONMENT, platform: 'cpu', customOps },
    })
    expect(output.register_error).toBeNull()
    const pass = output.passes[0]!
    const fired = pass.entries.map(
      (_, i) => pass.attempts.filter((a) => a.entry === i && a.ok && a.phase === 'specific').length,
    )
    expect({ count: pass.count, attempts: pass.attempts.length, fired }).toEqual(expected)
    expect(pass.graph_after).toBe(recorded(name).trimEnd())
  })
})
