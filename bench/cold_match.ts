/**
 * Measures one cold `match` of vllm_like32 (1,552 nodes, 18 patterns) by stage, compared with PyTorch 2.14.1 (recorded
 * on a 2-core machine) and with a bare start of Pyodide in the same run. Each sample runs in a new process, so that
 * nothing is warm. The stages run from the TypeScript sources; the command runs as people run it, from its bundle and
 * the memory snapshot, which a first run makes.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CaseInput } from '../src/engine/cases/cases'
import { bareStart } from './bare_start'
import { median, ms } from './stats'

const SAMPLES = 5
/** Recorded seconds for the first register_replacement of the 18 patterns, and for apply, without `import torch`. */
const PYTORCH_S = { register: 0.2018, apply: 1.6136 }

const CASE = 'conformance/cases/vllm_like32.public.jsonl'
const self = fileURLToPath(import.meta.url)

type Stages = Record<'start' | 'python' | 'register' | 'apply', number>

/** The child: the stages of one match, in ms, as JSON on stdout. `start` is the time since the parent spawned it. */
async function stages(spawnedAt: number): Promise<Stages> {
  const { Interpreter } = await import('../src/engine/run/interpreter')
  const { matchCase } = await import('../src/engine/cases/cases')
  const { nodeAssets } = await import('../src/python/node_assets')
  const input = JSON.parse(readFileSync(CASE, 'utf8').split('\n')[0]!) as CaseInput
  const start = Date.now() - spawnedAt
  const begun = performance.now()
  const interpreter = await Interpreter.start(nodeAssets())
  const python = performance.now() - begun
  const { stats } = matchCase(interpreter, input)
  return { start, python, register: stats.python_ms, apply: stats.apply_ms }
}

function child<T>(mode: string): T {
  const made = spawnSync(process.execPath, ['--import', 'tsx', self, mode, String(Date.now())], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  return JSON.parse(made.stdout.trim().split('\n').at(-1)!) as T
}

/** Time of the whole command, in ms. */
function wholeCommand(graph: string, pattern: string): number {
  const args = ['scripts/cli.mjs', 'match', '--graph', graph, '--pattern', pattern, '--json']
  const begun = performance.now()
  const made = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (made.status !== 0) throw new Error(made.stderr)
  return performance.now() - begun
}

function main(): void {
  const recorded = JSON.parse(readFileSync(CASE, 'utf8').split('\n')[0]!) as Record<'pattern_py' | 'readable', string>
  const folder = mkdtempSync(join(tmpdir(), 'fusescope-cold-'))
  const [graph, pattern] = [join(folder, 'graph.txt'), join(folder, 'patterns.py')]
  writeFileSync(graph, recorded.readable)
  writeFileSync(pattern, recorded.pattern_py)
  wholeCommand(graph, pattern)
  const samples: Stages[] = []
  const bare: number[] = []
  const whole: number[] = []
  for (let i = 0; i < SAMPLES; i++) {
    samples.push(child<Stages>('stages'))
    bare.push(bareStart())
    whole.push(wholeCommand(graph, pattern))
  }
  rmSync(folder, { recursive: true })
  const of = (stage: keyof Stages): number => median(samples.map((s) => s[stage]))
  console.log(`start     ${ms(of('start'))}  Node, our modules from their sources, the case read`)
  console.log(`Python    ${ms(of('python'))}  Pyodide with our torch, from the memory snapshot`)
  for (const stage of ['register', 'apply'] as const)
    console.log(
      `${stage.padEnd(9)} ${ms(of(stage))}  PyTorch recorded ${ms(PYTORCH_S[stage] * 1000).trim()}:` +
        ` ${((PYTORCH_S[stage] * 1000) / of(stage)).toFixed(1)} × ours`,
    )
  console.log(
    `command   ${ms(median(whole))}  fusescope match --json, whole; a bare Pyodide start ${ms(median(bare)).trim()}:` +
      ` ${(median(whole) / median(bare)).toFixed(2)} × that`,
  )
}

const [mode, spawnedAt] = process.argv.slice(2)
if (mode === 'stages') console.log(JSON.stringify(await stages(Number(spawnedAt))))
else main()
