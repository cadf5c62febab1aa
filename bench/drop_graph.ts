/** Drops a graph's text over the open example, as a user does. */
import type { JSHandle, Locator, Page } from '@playwright/test'

const file = (page: Page, text: string): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle((t) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([t], 'graph.txt'))
    return transfer
  }, text)

/** @returns the button of the question that comes then over an example that was edited, which replaces its graph */
export async function dropGraph(page: Page, text: string): Promise<Locator> {
  const dataTransfer = await file(page, text)
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer })
  return page.getByRole('dialog', { name: 'A graph is open' }).getByRole('button', { name: 'Replace' })
}

/** Over the example of a first visit, which the graph replaces at once. @returns a function of the page that drops it */
export async function readyToDrop(page: Page, text: string): Promise<JSHandle<() => void>> {
  return page.evaluateHandle(
    (dataTransfer) => () => {
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    },
    await file(page, text),
  )
}
