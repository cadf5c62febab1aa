import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { defineConfig, devices } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from './scripts/chromium.mjs'

/** A port that nothing listens on, so that two checkouts can run their tests beside each other. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 4273))
    })
  })
}

// This file is read again in each worker, which inherits the environment: they must agree on the port.
const port = (process.env.FUSESCOPE_E2E_PORT ??= String(await freePort()))
const address = `http://127.0.0.1:${port}/`
const executablePath = findChromium() ?? undefined
// Pages that only tests open are a build of their own, laid over dist (vite.config.ts).
const testPages = existsSync('.cache/test-pages') ? ' --dir .cache/test-pages' : ''

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  // Two slow cores can starve a page. What needed its second try is named in the output, as flaky, and wants mending.
  retries: 1,
  // Long enough for a machine that is busy otherwise: what a spec waits for comes, and nothing waits for time to pass.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: '.cache/playwright.json' }]],
  use: { baseURL: address, trace: 'off', video: 'off', screenshot: 'only-on-failure' },
  webServer: {
    command: `node scripts/serve.mjs --port ${port} --dir dist${testPages}`,
    url: address,
    reuseExistingServer: false,
  },
  projects: [
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        viewport: { width: 1440, height: 900 },
        launchOptions: { ...(executablePath && { executablePath }), args: CHROMIUM_FLAGS },
      },
    },
  ],
})
