/**
 * Storage damaged by a failed disk, an extension or a later version: the page opens with the intact data, and names the data that
 * it cannot keep.
 */
import type { Page } from '@playwright/test'
import { expect, holdPython, test } from './fixtures'

const WORK = { graph: { name: 'graph.txt', text: '' }, options: { timeLimitS: 60 } }
const draft = (name: string, text: string) => ({
  foreign: null,
  workspace: { ...WORK, name, files: [{ name: 'patterns.py', text }] },
})

/** Names in the library, from the database; empty if the page has not created the database yet. */
const kept = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const open = indexedDB.open('fusescope')
        const end = (names: string[]): void => (open.result.close(), resolve(names))
        open.onupgradeneeded = () => open.transaction!.abort()
        open.onerror = () => resolve([])
        open.onsuccess = () => {
          const rows = open.result.transaction('workspaces').objectStore('workspaces').getAll()
          rows.onsuccess = () => end(rows.result.map((row: { name: unknown }) => String(row.name)))
          rows.onerror = () => end([])
        }
      }),
  )

test('damaged rows, journals and settings, then a database of a later version', async ({ page, app }) => {
  // Python starts once, at the end.
  const letPythonIn = await holdPython(page)
  await app.open('./')
  await page.evaluate(
    ([journal, mine]) => {
      localStorage.setItem('fusescope:journal:gone', JSON.stringify(mine))
      localStorage.setItem('fusescope:journal:other', JSON.stringify(journal))
      localStorage.setItem('fusescope:last', 'own:mine')
    },
    [
      {
        v: 1,
        saves: [null, { id: 'own:x' }, { id: 'own:left', base: null, stamp: 'b:1', draft: draft('Left work', '') }],
      },
      { v: 1, saves: [{ id: 'own:mine', base: null, stamp: 'a:1', draft: draft('Mine', '# mine') }] },
    ],
  )
  await page.reload()
  await expect.poll(() => kept(page)).toEqual(expect.arrayContaining(['Mine', 'Left work']))

  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        for (const key of Object.keys(localStorage))
          if (!/:(?:last|journal|kept)/.test(key))
            localStorage.setItem(key, '{"__proto__":{"x":1},"list":5,"a":[null]}')
        const open = indexedDB.open('fusescope')
        open.onsuccess = () => {
          const at = open.result.transaction(['workspaces', 'bodies', 'versions'], 'readwrite')
          at.objectStore('workspaces').put({ id: 'own:bad', name: { a: 1 }, at: 'x', stamp: 7 })
          at.objectStore('workspaces').put({ id: 'own:none', name: 'Without text', at: 1, stamp: 's' })
          at.objectStore('bodies').put('garbage', 'own:none')
          at.objectStore('versions').put({ key: 'own:mine\n5', id: 'own:mine', at: 'x', why: null, size: 'q' })
          at.objectStore('versions').put({ key: 'own:mine\n6', id: 'own:mine', at: 6, why: { kind: 'zz' } })
          at.oncomplete = () => (open.result.close(), resolve())
        }
      }),
  )
  await page.reload()
  await expect.poll(() => app.editorText()).toBe('# mine')
  await page.locator('body').press('a')
  await expect(page.getByRole('dialog')).toContainText('Left work')
  await expect(page.getByRole('dialog')).toContainText('Damaged')
  await page.keyboard.press('Escape')

  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const open = indexedDB.open('fusescope', 99)
        open.onsuccess = () => (open.result.close(), resolve())
      }),
  )
  await letPythonIn()
  await page.reload()
  await app.pythonReady()
  await expect(page.getByTestId('unsaved')).toContainText(
    'A newer Fusescope has upgraded the workspaces of this browser',
  )
  expect(await app.editorText()).toBe('# mine')
})
