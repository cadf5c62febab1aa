/** Drops a graph's text over the open example, as a user does. */
import type { Locator, Page } from '@playwright/test'

/** @returns the button of the question that comes then, which replaces the example's graph */
export async function dropGraph(page: Page, text: string): Promise<Locator> {
  const data = await page.evaluateHandle((t) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([t], 'graph.txt'))
    return transfer
  }, text)
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: data })
  return page.getByRole('dialog', { name: 'A graph is open' }).getByRole('button', { name: 'Replace' })
}
