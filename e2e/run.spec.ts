/** Unfused against fused on real WebGPU: a comparison, all variants, a sweep, a user kernel, a lost device. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, onePage as test, SMALL, type App } from './fixtures'

/** The kernel that docs/kernels.md shows in full. */
const KERNEL = /```wgsl\n([\s\S]*?)```/.exec(readFileSync(new URL('../docs/kernels.md', import.meta.url), 'utf8'))![1]!

const verdict = (page: Page) => page.getByTestId('run-verdict')

async function openRunPanel(page: Page, app: App): Promise<void> {
  await app.open()
  await app.pythonReady()
  await app.panel('run')
}

/** Presses a button of the panel and waits until nothing runs any more. */
async function runAndWait(page: Page, button = 'run-button'): Promise<void> {
  await page.getByTestId(button).click()
  await expect(page.getByTestId('run-cancel')).toBeHidden({ timeout: 120_000 })
}

/** Replaces a file's whole text, like one paste over everything. */
async function overwrite(page: Page, text: string): Promise<void> {
  await page.getByTestId('editor').locator('.view-lines').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

test('each of the 16 variants has its verdict in the tree; the eight with ue8m0 differ, with the reason', async ({
  page,
  app,
}) => {
  await openRunPanel(page, app)
  await page.getByTestId('run-kind-variant').click()
  await runAndWait(page, 'run-variants')
  const list = page.getByTestId('variant-verdict').filter({ hasText: 'kFp8Dynamic' })
  await expect(list).toHaveCount(16)
  const different = page.getByTestId('variant-verdict').and(page.locator('[data-kind=different]'))
  await expect(different).toHaveCount(8)
  for (const row of await different.all()) {
    await expect(row).toContainText('is_e8m0')
    await expect(row).toContainText('does not implement ue8m0')
  }
  await app.panel('patterns')
  const marks = page.getByTestId('tree-leaf').getByTestId('verdict-mark')
  await expect(marks.filter({ hasText: /^not equal$/ })).toHaveCount(8)
  await expect(marks.filter({ hasText: /^close$/ }).first()).toBeVisible()
})

test('both sides of a match are compared and timed, and a sweep draws their times', async ({ page, app }) => {
  await openRunPanel(page, app)
  await page.getByTestId('run-kind-match').click()
  await page.getByLabel('Tokens').fill('8')
  await runAndWait(page)
  await expect(verdict(page)).toContainText('Close')
  await expect(verdict(page)).toContainText('by at most one code')
  await expect(verdict(page)).toContainText('does not round silu(gate) and the product to bfloat16')
  const times = page.getByTestId('run-times')
  await expect(times).toContainText('GB/s')
  await expect(times).toContainText('by memory traffic alone, 1.80× is possible')
  await expect(times.getByRole('columnheader', { name: 'Of copy' })).toBeVisible()

  await page.getByText('size and first position of the differences').first().click()
  await expect(page.getByRole('row', { name: /^equal / }).first()).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Reference' }).first()).toBeVisible()

  await page.getByLabel('Inputs').selectOption('zeros')
  await runAndWait(page)
  await expect(verdict(page)).toContainText('bounds its scale')
  await page.getByLabel('Inputs').selectOption('normal')

  await page.getByTestId('run-sweep').click()
  await expect(page.getByTestId('sweep-point').nth(1)).toBeVisible({ timeout: 120_000 })
  await expect(page.getByRole('img', { name: /Time of both sides/ })).toBeVisible()
  const cancel = page.getByTestId('run-cancel')
  // On a fast device the sweep has already ended.
  await cancel.click({ timeout: 10_000 }).catch(() => {})
  await expect(cancel).toBeHidden()
  await expect(page.getByRole('button', { name: 'Copy as CSV' })).toBeVisible()
})

test('a user kernel: an error is marked; once fixed, it runs; a lost device is replaced', async ({ page, app }) => {
  await openRunPanel(page, app)
  await page.getByTestId('run-kind-match').click()
  await page.getByLabel('Tokens').fill('8')
  await page.getByTestId('run-own-kernel').click()
  await app.openFile(/silu_and_mul_per_block_quant\.wgsl/)

  await overwrite(page, KERNEL.replace('var peak = 0.0', 'var peak = nought'))
  await expect(page.locator('.squiggly-error')).toHaveCount(1)
  await runAndWait(page)
  await expect(verdict(page)).toContainText('silu_and_mul_per_block_quant.wgsl:')
  await expect(verdict(page)).toContainText('nought')

  await overwrite(page, KERNEL)
  await expect(page.locator('.squiggly-error')).toHaveCount(0)
  await runAndWait(page)
  await expect(verdict(page)).toContainText('Close')
  await expect(page.getByText('runs with the kernel in silu_and_mul_per_block_quant.wgsl')).toBeVisible()

  await page.evaluate(() =>
    (window as unknown as { __fusescope: { loseDevice(): Promise<void> } }).__fusescope.loseDevice(),
  )
  await runAndWait(page)
  await expect(verdict(page)).toContainText('Close')
  await expect(page.getByTestId('run-times')).toContainText('Median')
})

test('a whole graph runs before and after, and the verdict is that the rewrite kept the meaning', async ({
  page,
  app,
}) => {
  await app.open(SMALL)
  await app.pythonReady()
  await expect(app.status).toContainText('1 match')
  await app.panel('run')
  await page.getByTestId('run-kind-graph').click()
  await runAndWait(page)
  await expect(verdict(page)).toContainText('this rewrite kept the meaning')
})
