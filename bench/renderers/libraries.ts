/** Installs the other renderers into .cache and bundles them with their drawing code for a page. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Pinned: figures of two runs are of the same libraries. */
const VERSIONS = {
  '@viz-js/viz': '3.31.0',
  cytoscape: '3.34.4',
  'cytoscape-dagre': '4.0.1',
  graphology: '0.26.0',
  sigma: '3.0.3',
}

/** @returns a script that sets `window.renderers` (page.js) */
export async function bundleLibraries(): Promise<string> {
  const folder = join('.cache', 'renderers')
  const packages = JSON.stringify({ private: true, dependencies: VERSIONS }, null, 2)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'node_modules', 'sigma'))) {
    writeFileSync(join(folder, 'package.json'), packages)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' })
  }
  const result = await build({
    entryPoints: ['bench/renderers/page.js'],
    nodePaths: [join(folder, 'node_modules')],
    bundle: true,
    write: false,
    format: 'iife',
    // Names in the stack of an error say whose recursion it is.
    minifySyntax: true,
  })
  return result.outputFiles[0]!.text
}
