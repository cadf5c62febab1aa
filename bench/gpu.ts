/**
 * Compares unfused and fused programs on WebGPU in a headless Chromium: alternating runs, median times, compared with
 * the memory bound and with the bandwidth of a plain copy on the same device in the same run. SwiftShader is bound by
 * arithmetic, not by memory.
 */
import { createServer } from 'node:http'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { CHROMIUM_FLAGS, findChromium } from '../scripts/chromium.mjs'
import type { RunPrograms, RunReport } from '../src/gpu/types'
import { addRmsNormMxPrograms, blockQuantPrograms, rmsStaticFp8Programs } from '../src/gpu/testing/fixtures'

const CASES: RunPrograms[] = [
  blockQuantPrograms({ tokens: 4096, hidden: 11008 }),
  rmsStaticFp8Programs(4096, 4096),
  addRmsNormMxPrograms(4096, 4096),
]
const OPTIONS = { samples: 9, timeBudgetMs: 60_000, definitions: false }

const bundled = await build({
  configFile: false,
  logLevel: 'error',
  build: {
    write: false,
    target: 'es2022',
    lib: { entry: 'src/gpu/run/run.ts', formats: ['es'], fileName: 'run' },
  },
})
const output = [bundled].flat()[0]!
if (!('output' in output)) throw new Error('the build watches instead of ending')
const code = output.output[0].code

const server = createServer((request, response) => {
  const script = request.url === '/run.js'
  response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
  response.end(script ? code : '<!doctype html><title>bench</title>')
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
const address = server.address()
const executablePath = findChromium() ?? undefined
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: CHROMIUM_FLAGS })
try {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`)
  for (const programs of CASES) {
    const report = await page.evaluate(
      async ([programs, options]) => {
        const url = '/run.js'
        const { runPrograms } = (await import(url)) as typeof import('../src/gpu/run/run')
        return runPrograms(programs, options, () => undefined, new AbortController().signal)
      },
      [programs, OPTIONS] as const,
    )
    print(report)
  }
} finally {
  await browser.close()
  server.close()
}

function print({ title, device, timing, unfused, fused, problems }: RunReport): void {
  if (!timing || !unfused?.time || !fused?.time) {
    console.log(`${title}: not timed; ${problems.join('; ')}`)
    return
  }
  const { speedup, bytesRatio, copy } = timing
  const share = (s: number | null | undefined): string => `${((s ?? 0) * 100).toFixed(0)} %`
  console.log(
    `${title} on ${device!.name}: fused ${speedup.toFixed(2)} × unfused, bytes allow ${bytesRatio.toFixed(2)} × (${share(speedup / bytesRatio)} of it)` +
      `; ${unfused.time.median.toFixed(0)} ms and ${fused.time.median.toFixed(0)} ms, ${share(unfused.copyShare)} and ${share(fused.copyShare)} of a copy's ${copy!.gbps.toFixed(1)} GB/s`,
  )
}
