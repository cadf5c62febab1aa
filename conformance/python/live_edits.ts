/**
 * Edits of a pattern in a live page, each with PyTorch's verdict beside Fusescope's, in the line and in Why not. By hand, with real.sh:
 *   npx tsx conformance/python/live_edits.ts ADDRESS [SCREENSHOT.png]
 */
import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/chromium.mjs'

interface Page {
  getState(): {
    workspace: {
      version: number
      workspace: { files: { name: string; text: string }[] }
      setText(n: string, t: string): void
    }
  }
}

/** Edits of fusion.py, one after the other: [what to replace, by what]. */
const EDITS: [string, string][] = [
  ['def search(x, w):', 'def search(x, w)'],
  ['def search(x, w)\n', 'def search(x, w):  # parses again\n'],
  ['1e-6', '1e-5'],
  [
    'return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * w\n\n\ndef replace',
    'return torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * x * w\n\n\ndef replace',
  ],
  [
    'return torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * x * w',
    'return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * w',
  ],
  ['keepdim=True) + 1e-5) * w\n\n\ndef replace', 'keepdim=False) + 1e-5) * w\n\n\ndef replace'],
  ['keepdim=False', 'keepdim=True'],
  ['[torch.empty(4, 16), torch.empty(16)]', '[torch.empty(4, 8), torch.empty(8)]'],
  ['fwd_only, rms_norm_pass)', 'fwd_only, rms_norm_pass, extra_check=lambda match: False)'],
  ['lambda match: False', 'lambda match: "1" in match.output_node().name'],
  [', extra_check=lambda match: "1" in match.output_node().name', ''],
  ['pow(2)', 'pow(3)'],
]

const [address, picture] = process.argv.slice(2)
if (!address) throw new Error('which address? fusescope.live() prints it')
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: [...CHROMIUM_FLAGS] })
const page = await browser.newPage({ viewport: { width: 1500, height: 900 } })
page.setDefaultTimeout(120_000)
await page.goto(address)
const live = page.getByTestId('live-verdict')
await live.getByText(/as recorded/).waitFor()
console.log(`unedited: ${await live.innerText()}`)
let unequal = 0
for (const [i, [from, to]] of EDITS.entries()) {
  await page.evaluate(
    ([a, b]) => {
      const { workspace } = (window as unknown as { __fusescope: Page }).__fusescope.getState()
      const file = workspace.workspace.files.find((f) => f.name.endsWith('fusion.py'))!
      if (!file.text.includes(a!)) throw new Error(`the file has no ${a}`)
      workspace.setText(file.name, file.text.replaceAll(a!, b!))
    },
    [from, to],
  )
  // The verdict of the edit before is muted until the process has answered.
  await page.waitForTimeout(300)
  await live.locator('div:not([data-stale]) > p[role=status]').waitFor()
  const differs = (await page.getByTestId('live-differs').count()) > 0
  if (differs) unequal++
  const ours = await page.getByTestId('status').first().innerText()
  console.log(
    `edit ${i + 1}: ${(await live.locator('p').first().innerText()).trim()}; Fusescope ${ours}${differs ? `; ${(await live.innerText()).replaceAll('\n', ' ')}` : ''}`,
  )
  const raised = (await live.innerText()).includes(': Error')
  if (raised) console.log(`  ${(await live.locator('p').nth(1).innerText()).trim()}`)
  if (raised !== (await page.locator('[data-state=error]').count()) > 0) unequal++
  else if (!raised) {
    // The recorded run was of other files: Why not names what PyTorch did with these.
    await page.getByRole('tab', { name: /^Why not/ }).click()
    const both = page.getByTestId('capture-verdict')
    await both.waitFor()
    const text = (await both.innerText()).replaceAll('\n', ' ')
    console.log(`  Why not: ${text}`)
    if (!text.includes('Both agree at every node')) unequal++
  }
  if (from === '1e-6') {
    await live.getByText('Compare values there').click()
    console.log(`  ${await live.getByText(/^(The values|Values differ)/).innerText()}`)
    if (picture) await page.screenshot({ path: picture })
    await page.reload()
    await live.locator('div:not([data-stale]) > p[role=status]').waitFor()
    console.log(`  after a reload: ${(await live.locator('p').first().innerText()).trim()}`)
  }
}
console.log(unequal === 0 ? 'All verdicts are equal on both sides.' : `${unequal} verdicts differ.`)
await browser.close()
process.exitCode = unequal === 0 ? 0 : 1
