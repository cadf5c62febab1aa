/** Lessons in the browser: three whole ones with their exercises, their accessibility, and the strip of a first visit. */
import { readFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { LessonInfo } from '../src/engine/lessons/catalog'
import { expect, holdPython, test } from './fixtures'

const LESSONS = JSON.parse(
  readFileSync(new URL('../public/lessons/index.json', import.meta.url), 'utf8'),
) as LessonInfo[]

const lesson = (id: string): LessonInfo => LESSONS.find((l) => l.id === id)!

/** All rules for a part of the page; without one, WCAG's for the page but Monaco's own markup. */
async function violations(page: Page, part?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (part) axe.include(part)
  else axe.exclude('.monaco-editor').withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
  const { violations: found } = await axe.analyze()
  return found.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join('; ')}`)
}

/** Goes through every step from the first, and solves the exercises with their solutions. */
async function take(page: Page, { id, steps }: LessonInfo): Promise<void> {
  for (const [i, step] of steps.entries()) {
    await expect(page.getByTestId('lesson-step')).toHaveText(step.title)
    await expect(page).toHaveURL(new RegExp(`\\?lesson=${id}&step=${i + 1}$`))
    if (step.exercise) {
      const exercise = page.getByTestId('exercise')
      await expect(exercise.getByTestId('lesson-answer')).toContainText(
        'The first cause appears here after your first attempt',
      )
      await expect(page.getByTestId('near-miss')).toHaveCount(0)
      await exercise.getByRole('button', { name: 'Show the solution' }).click()
      await exercise.getByTestId('apply-solution').click()
      await expect(exercise.getByTestId('solved')).toHaveText('Solved')
    }
    if (i < steps.length - 1) await page.getByTestId('lesson-next').click()
  }
}

test('three lessons are taken whole, accessible on a wide and on a narrow screen', async ({ page, app }) => {
  await page.goto('./?lesson=fx-graph&step=1')
  await take(page, lesson('fx-graph'))
  expect(await violations(page)).toEqual([])
  expect(await violations(page, '[data-testid=lesson]')).toEqual([])
  await page.getByTestId('lessons-button').click()
  await expect(page.getByTestId('lesson-fx-graph')).toContainText('1 exercise ✓')
  await page.getByTestId('lesson-by-hand').click()
  await expect(app.status).toContainText('1 match')
  await take(page, lesson('by-hand'))

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByTestId('lessons-button').click()
  await page.getByTestId('lesson-constants').click()
  await expect(page.getByTestId('lesson-step')).toHaveText(lesson('constants').steps[0]!.title)
  expect(await violations(page)).toEqual([])
  expect(await violations(page, '[data-testid=lesson]')).toEqual([])
  await take(page, lesson('constants'))
  await page.getByTestId('lessons-button').click()
  await page.getByTestId('lesson-article-inductor').click()
  await expect(page.getByTestId('article-marks')).toContainText('Confirmed on PyTorch 2.14.1')
  expect(await violations(page, '[data-testid=lesson]')).toEqual([])
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})

test('a first visit is explained by a pattern that breaks and is mended, and a second is not', async ({
  page,
  app,
}) => {
  await page.goto('./')
  const strip = page.getByTestId('first-visit')
  const verdict = page.getByTestId('verdict')
  await expect(verdict).toContainText('1 match')
  expect(await violations(page, '[data-testid=first-visit]')).toEqual([])
  await strip.getByRole('button', { name: 'Break the pattern' }).click()
  await expect(verdict).toContainText('0 matches')
  await expect(verdict).toContainText('1e-06')
  await strip.getByRole('button', { name: 'Repair the pattern' }).click()
  await expect(verdict).toHaveAttribute('data-state', 'matches')
  await strip.getByRole('button', { name: 'See a vLLM pass' }).click()
  await expect(app.status).toContainText('32 matches')
  await expect(strip).toHaveCount(0)
  // The result is stored.
  await holdPython(page)
  await page.goto('./')
  await expect(app.status).toContainText('32 matches')
  await expect(strip).toHaveCount(0)
})
