/** Each example's whole graph, before and after its passes, in the Run panel. */
import { readdirSync } from 'node:fs'
import { expect, test } from './fixtures'

/** Examples whose verdict is not that the rewrite kept the meaning. */
const OTHERWISE: Readonly<Record<string, RegExp>> = {
  // The pattern's scales are powers of two (ue8m0), the fused kernel's are not.
  'vllm-block-quant-variants': /Not equal/,
  // Its pattern calls functions of the user's own module.
  'inductor-graph-patterns': /Cannot run: no kernel for python:/,
}
/** More than a thousand nodes: minutes on an adapter that is a CPU. Its matches run in run.spec.ts. */
const TOO_LARGE = new Set(['silu-mul-block-quant'])

const ids = readdirSync(new URL('../public/examples/', import.meta.url), { withFileTypes: true })
  .filter((e) => e.isDirectory() && !TOO_LARGE.has(e.name))
  .map((e) => e.name)

test('the whole graph of each example has the right verdict', async ({ page, app }) => {
  test.setTimeout(600_000)
  await app.open()
  await app.pythonReady()
  await app.panel('run')
  for (const id of ids)
    await test.step(id, async () => {
      await page.getByTestId('example-picker').selectOption(id)
      await app.pythonReady()
      await page.getByTestId('run-kind-graph').click()
      const tokens = page.getByLabel('Tokens')
      if (await tokens.isVisible()) await tokens.fill('4')
      await page.getByTestId('run-button').click()
      await expect(page.getByTestId('run-cancel')).toBeHidden({ timeout: 120_000 })
      await expect.soft(page.getByTestId('run-verdict')).toContainText(OTHERWISE[id] ?? 'this rewrite kept the meaning')
    })
})
