/** Hostile WGSL on real WebGPU: each kernel ends in one sentence, the next run works, the page answers meanwhile. */
import { readFileSync } from 'node:fs'
import type { RunReport } from '../src/gpu'
import { HOSTILE_KERNELS } from '../src/gpu/testing/hostile/kernels'
import type { GpuSuiteHooks } from './pages/gpu-suite'
import { expect, test } from './fixtures'

/** The kernel that docs/kernels.md shows in full. */
const GOOD = /```wgsl\n([\s\S]*?)```/.exec(readFileSync(new URL('../docs/kernels.md', import.meta.url), 'utf8'))![1]!

interface Outcome {
  ms: number
  /** The longest time in which the page did not answer, in ms. */
  pause: number
  sentence: string
  kind: string
}

test('hostile kernels end in one sentence, and a good one runs after each', async ({ page }) => {
  await page.goto('e2e/pages/gpu-suite.html#idle')
  await page.waitForFunction(() => '__fusescopeGpu' in globalThis)
  const run = (text: string, kernelBudgetMs?: number): Promise<Outcome> =>
    page.evaluate(
      async ([text, kernelBudgetMs]) => {
        const { client, blockQuantPrograms } = (globalThis as unknown as { __fusescopeGpu: GpuSuiteHooks })
          .__fusescopeGpu
        let [last, pause] = [performance.now(), 0]
        const beat = setInterval(() => {
          pause = Math.max(pause, performance.now() - last - 10)
          last = performance.now()
        }, 10)
        const began = performance.now()
        const kernels = [{ name: 'bad.wgsl', text }]
        const programs = blockQuantPrograms({ tokens: 8, hidden: 128 })
        const options = { kernels, samples: 0, definitions: false, ...(kernelBudgetMs && { kernelBudgetMs }) }
        const { verdict, problems }: RunReport = await client.run(programs, options, { timeoutMs: 20_000 })
        clearInterval(beat)
        const sentence = [verdict.sentence, ...problems].join(' | ')
        return { ms: performance.now() - began, pause, sentence, kind: verdict.kind }
      },
      [text, kernelBudgetMs] as const,
    )
  expect(await run(GOOD)).toMatchObject({ kind: 'close' })
  for (const [i, { name, text, ends }] of HOSTILE_KERNELS.entries()) {
    // The first kernel has the users' time limit.
    const { sentence, kind, ms, pause } = await run(text, i === 0 ? undefined : 300)
    if (process.env.FUSESCOPE_SHOW) console.log(`${ms.toFixed(0)} ms, ${pause.toFixed(0)} ms: ${name}: ${sentence}`)
    if (ends) {
      expect(sentence, name).toMatch(ends)
      expect(kind, name).toBe('cannot run')
    } else expect(kind, `${name}: ${sentence}`).not.toBe('cannot run')
    expect(ms, name).toBeLessThan(10_000)
    expect(pause, name).toBeLessThan(1000)
    expect(await run(GOOD), `after ${name}`).toMatchObject({ kind: 'close' })
  }
})
