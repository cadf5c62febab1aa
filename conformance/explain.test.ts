/** Lower bounds for the shares that conformance/explain.ts prints: recorded perturbations named by the first cause. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Interpreter } from '../src/engine/run/interpreter'
import { nodeAssets } from '../src/python/node_assets'
import { judge } from './labels'

describe('the first cause of a recorded perturbation', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  })

  it.each(['custom_op', 'traced', 'perturbed'])('names it in %s', (family) => {
    const judged = [...judge(interpreter, new URL(`cases/${family}.public.jsonl`, import.meta.url).pathname)]
    const fair = judged.filter((j) => !j.unchangedFails)
    const missed = fair.filter((j) => !j.named).map((j) => `${j.id} ${j.labels.join()}: ${j.first?.kind}`)
    expect(missed.length / fair.length, missed.join('\n')).toBeLessThan(0.05)
    // If an unchanged copy fails too, there must still be a cause.
    expect(judged.filter((j) => j.first === null).map((j) => j.id)).toEqual([])
  })
})
