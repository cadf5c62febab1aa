/** Runs the suite of the reference device on real WebGPU (e2e/pages/gpu-suite.html). */
import { expect, test } from '@playwright/test'

interface Row {
  name: string
  ok: boolean
  detail: string
}

test('every kernel agrees with its definition on WebGPU', async ({ page }) => {
  // The shaders may run on a CPU, which takes minutes for all recordings.
  test.setTimeout(480_000)
  await page.goto(`e2e/pages/gpu-suite.html${process.env.ALL_CASES ? '' : '#sample'}`)
  const result = page.locator('#result[data-done]')
  await expect(result).toBeAttached({ timeout: 450_000 })
  const { results } = JSON.parse((await result.textContent())!) as { results: Row[] }
  expect(results.length).toBeGreaterThan(50)
  expect(results.filter((r) => !r.ok)).toEqual([])
})
