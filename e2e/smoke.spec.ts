/** The page opens without requests to other hosts, policy violations or console messages. */
import { expect, test } from '@playwright/test'

test('the app opens, contacts no other host, and logs nothing on the console', async ({ page, baseURL }) => {
  const foreign: string[] = []
  const missing: string[] = []
  const messages: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseURL!) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) missing.push(`${response.status()} ${response.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      messages.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => messages.push(`exception: ${error.message}`))

  await page.goto('./')
  await expect(page.getByTestId('status')).toBeVisible()
  // Monaco, its worker, the layout worker and Python have started by then.
  await expect(page.locator('.monaco-editor').first()).toBeVisible()
  await page.waitForFunction(
    () =>
      (
        window as unknown as { __fusescope?: { getState(): { run?: { pythonReadyMs?: number | null } } } }
      ).__fusescope?.getState().run?.pythonReadyMs != null,
    undefined,
    { timeout: 90_000 },
  )

  expect(foreign).toEqual([])
  expect(missing).toEqual([])
  expect(messages).toEqual([])
})

test('the built page carries its policy', async ({ page }) => {
  await page.goto('./')
  const policy = page.locator('meta[http-equiv="Content-Security-Policy"]')
  await expect(policy).toHaveAttribute('content', /default-src 'none'.*script-src 'self' 'wasm-unsafe-eval' blob:/)
  // Text never becomes code. (Called later, because the policy does not apply to the protocol's own evaluation.)
  const evaluated = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        setTimeout(() => {
          try {
            resolve(String(new Function('return 1')()))
          } catch (e) {
            resolve((e as Error).name)
          }
        })
      }),
  )
  expect(evaluated).toBe('EvalError')
})
