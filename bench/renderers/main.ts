/**
 * Measures first paint, frames of a pan and memory for Fusescope and for three common ways to draw a graph, from the same
 * text and in one run: Graphviz (SVG), Cytoscape.js with dagre, and Sigma.js (WebGL) on Fusescope's layout of all nodes. A
 * second row of Sigma.js has its positions given, which no person has.
 * The libraries are installed into .cache, because only this bench uses them. Needs a build (`npm run build`).
 * `npx tsx bench/renderers/main.ts [--seconds=60] [--copies=2,7,37] [--only=fusescope] [--dir=DIST]`.
 */
import { chromium, type Browser } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/chromium.mjs'
import { serveDist } from '../../scripts/serve.mjs'
import { chain, vllmLike32 } from '../graphs'
import { benchGraph, type BenchGraph } from './drawing'
import { bundleLibraries } from './libraries'
import { measureFusescope } from './fusescope'
import { measureLibrary, type Library } from './library'
import type { Measured } from './measured'

const option = (name: string, otherwise: string): string =>
  process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise

/** Time after which a renderer gives up. */
const limitMs = Number(option('seconds', '60')) * 1000
const copies = option('copies', '2,7,37').split(',').map(Number)

/** `fusescope` or a library's id: measures this one alone. */
const only = option('only', '')

const LIBRARIES: readonly { title: string; library: Library }[] = [
  { title: 'Graphviz (@viz-js/viz), SVG', library: 'graphviz' },
  { title: 'Cytoscape.js with dagre', library: 'cytoscape' },
  { title: 'Sigma.js, our layout', library: 'sigma' },
  { title: 'Sigma.js, positions given', library: 'sigmaGiven' },
]

/** The recursion of Graphviz and of dagre overflows the default stack of 1 MB; the main thread has 8 MB. */
const LARGE_STACK = '--js-flags=--stack-size=7000'

const server = await serveDist(option('dir', '') || undefined)
const script = await bundleLibraries()
const { graph: one } = vllmLike32()
console.log('nodes    edges    renderer                       first paint   frames a second   heap')
for (const n of copies) {
  const graph = benchGraph(chain(one, n))
  for (const patterns of [false, true])
    if (!only || only === 'fusescope') {
      const measure = (b: Browser) => measureFusescope(b, server.url, graph, { limitMs, patterns })
      row(graph, patterns ? 'Fusescope with 18 patterns' : 'Fusescope', await inBrowser([], measure))
    }
  for (const { title, library } of LIBRARIES)
    if (!only || only === library)
      row(graph, title, await inBrowser([LARGE_STACK], (b) => measureLibrary(b, { script, library, graph, limitMs })))
}
await server.close()

/** A new browser for each: no renderer starts with the caches or the memory of another. */
async function inBrowser(flags: string[], measure: (browser: Browser) => Promise<Measured>): Promise<Measured> {
  const executablePath = findChromium() ?? undefined
  const browser = await chromium.launch({
    executablePath,
    args: [...CHROMIUM_FLAGS, ...flags, '--enable-precise-memory-info'],
  })
  try {
    return await measure(browser)
  } catch (e) {
    return { failed: String(e instanceof Error ? e.message : e).split('\n')[0]! }
  } finally {
    await browser.close()
  }
}

function row({ nodes, edges }: BenchGraph, title: string, m: Measured): void {
  const size = `${String(nodes).padStart(6)}   ${String(edges).padStart(6)}   ${title.padEnd(30)}`
  if ('failed' in m) console.log(`${size} gave up: ${m.failed}`)
  else {
    const [paint, frames, heap] = [(m.paintMs / 1000).toFixed(2), m.framesPerSecond.toFixed(1), m.heapMB.toFixed(0)]
    console.log(`${size} ${paint.padStart(8)} s   ${frames.padStart(14)}   ${heap.padStart(5)} MB`)
  }
}
