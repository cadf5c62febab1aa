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

/**
 * Each test starts Python in a new profile, where optimizing its WebAssembly costs one to two seconds of a core and pays
 * off only in long sessions: a spec of Python edits takes 12 % less time with baseline code.
 */
const BASELINE_WASM = '--js-flags=--liftoff-only'

/**
 * Composites on the CPU. Without a GPU, Chromium composites through GL on SwiftShader, which takes 1.5 of the 5.9 seconds
 * of CPU that each page start costs. WebGPU is not affected.
 */
const CPU_COMPOSITING = '--disable-gpu-compositing'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // A test keeps a core busy for four fifths of its time: three tests use both of two cores.
  fullyParallel: true,
  workers: 3,
  // Two slow cores can starve a page. The output names a test that needed another try as flaky: correct it.
  retries: 2,
  // Long enough for a busy machine: a spec waits for an event, never for time to pass.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['./scripts/e2e_lines.ts'], ['json', { outputFile: '.cache/playwright.json' }]],
  use: {
    baseURL: address,
    // An action that waits longer names its line, before the whole test ends.
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    trace: 'off',
    video: 'off',
    screenshot: 'only-on-failure',
  },
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
        launchOptions: {
          ...(executablePath && { executablePath }),
          args: [...CHROMIUM_FLAGS, BASELINE_WASM, CPU_COMPOSITING],
        },
      },
    },
  ],
})
