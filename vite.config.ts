import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { firstScreenChunks } from './scripts/vite/chunks.mjs'
import { contentSecurityPolicy } from './scripts/vite/csp.mjs'
import { earlyScript } from './scripts/vite/early_script.mjs'
import { headersPlugin } from './scripts/vite/headers.mjs'
import { markdownPages } from './scripts/vite/markdown.mjs'
import { pyodideFiles, pyodideInBrowser, pythonPack } from './scripts/vite/pyodide.mjs'
import { COMPILED_TESTS } from './scripts/lib.mjs'
import { ByEnvironment } from './scripts/vite/test-order.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const earlyEngine = `${root}src/app/early_engine.ts`

/**
 * Pages that only tests open (e2e/pages/*.html) are a build of their own, so that the dist that people get is the
 * dist that is tested: `FUSESCOPE_TEST_PAGES=1 vite build` writes .cache/test-pages, laid over dist by the e2e server.
 */
const testPages = process.env.FUSESCOPE_TEST_PAGES === '1'

function testPageInputs(): string[] {
  return readdirSync(`${root}e2e/pages`)
    .filter((name) => name.endsWith('.html'))
    .map((name) => `${root}e2e/pages/${name}`)
}

export default defineConfig({
  // Relative, so that any static host can serve dist from any sub-path.
  base: './',
  plugins: [
    react(),
    markdownPages(),
    pyodideFiles(),
    pythonPack(),
    ...(testPages ? [] : [earlyScript({ page: '/index.html', script: earlyEngine })]),
    contentSecurityPolicy(),
    ...(testPages ? [] : [headersPlugin()]),
  ],
  publicDir: testPages ? false : 'public',
  build: {
    target: 'es2023',
    outDir: testPages ? '.cache/test-pages' : 'dist',
    emptyOutDir: true,
    // Every browser of the target preloads modules.
    modulePreload: { polyfill: false },
    // Fonts and workers stay files: the policy of the page allows 'self', and a data: worker would be refused.
    assetsInlineLimit: 0,
    // Monaco and the engine are big by nature; they load after the first paint.
    chunkSizeWarningLimit: 6000,
    rolldownOptions: {
      input: testPages ? testPageInputs() : [`${root}index.html`, `${root}embed.html`, `${root}docs.html`, earlyEngine],
      ...(!testPages && { output: { codeSplitting: firstScreenChunks() } }),
    },
  },
  worker: { format: 'es', plugins: () => [pyodideInBrowser()] },
  // Pyodide finds its files beside itself; bundling it ahead of time would move it away from them.
  optimizeDeps: { exclude: ['pyodide'] },
  server: { port: 5173, fs: { allow: [root] } },
  test: {
    include: ['{src,scripts,conformance,bench}/**/*.test.{ts,tsx}'],
    environment: 'node',
    // Nothing serves the page of the box during unit tests.
    environmentOptions: { happyDOM: { settings: { disableIframePageLoading: true } } },
    // Python starts in three seconds on an idle machine; on a busy one it takes its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    // One world for all files of a worker, so that its modules load and its Python starts once.
    isolate: false,
    // What a file compiles to is kept by its content, the plugins and this file: half of the time of a run without Python.
    experimental: { fsModuleCache: true, fsModuleCachePath: COMPILED_TESTS },
    sequence: { sequencer: ByEnvironment },
    setupFiles: ['scripts/vite/test-setup.ts'],
    alias: [{ find: /^\.\/start\/interpreter$/, replacement: `${root}src/python/testing/shared_python.ts` }],
  },
})
