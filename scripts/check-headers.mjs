// @ts-check
/**
 * Checks the response headers of a deployed page (scripts/vite/headers.mjs).
 *
 *   node scripts/check-headers.mjs URL    exit status 1 if one is missing or different
 */
import { headersFor } from './vite/headers.mjs'

const [url] = process.argv.slice(2)
if (!url) {
  console.error('usage: node scripts/check-headers.mjs URL')
  process.exit(2)
}
const page = await fetch(url, { signal: AbortSignal.timeout(30_000) })
if (!page.ok) {
  console.error(`${url}: ${page.status} ${page.statusText}`)
  process.exit(1)
}
const asset = /(?:src|href)="\.\/(assets\/[^"]+)"/.exec(await page.text())?.[1]
const responses = [
  { path: '/', response: page },
  ...(asset ? [{ path: `/${asset}`, response: await fetch(new URL(asset, url)) }] : []),
]
let missing = 0
for (const { path, response } of responses)
  for (const [name, wanted] of Object.entries(headersFor(path))) {
    const found = response.headers.get(name)
    if (found === wanted) continue
    missing++
    console.log(`${path}  ${name}: expected "${wanted}", found ${found === null ? 'none' : `"${found}"`}`)
  }
console.log(missing === 0 ? 'All headers are correct.' : `${missing} headers differ (docs/hosting.md).`)
process.exit(missing === 0 ? 0 : 1)
