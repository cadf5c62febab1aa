/** A capture of a real run: dropped on the page, PyTorch's verdict and Fusescope's are on screen. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, onePage, SMALL, withoutPython } from './fixtures'

const captured = (name: string): string =>
  gunzipSync(readFileSync(new URL(`../conformance/captures/${name}.fusescope.gz`, import.meta.url))).toString()

onePage('a dropped capture shows both verdicts, node by node', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  await app.drop('run.fusescope', captured('compiled-model'))
  const verdict = page.getByTestId('capture-verdict')
  await expect(verdict).toContainText('PyTorch 2.14.1 replaced 4 matches, Fusescope 4.')
  await expect(verdict).toContainText('Both agree at every node')
  await expect(page.getByTestId('node-verdict').first()).toContainText('PyTorch 2.14.1')
  await app.panel('matches')
  await expect(page.getByTestId('pytorch-count')).toHaveText('PyTorch 4')
  await expect(page.getByTestId('match-item')).toHaveCount(4)
  await app.panel('pipeline')
  await expect(page.getByTestId('recorded-passes')).toContainText('as run.fusescope recorded them')
  await expect(page.getByRole('switch')).toHaveCount(0)
  // With its sources, the workspace is edited like any other; PyTorch's verdict stays beside it.
  await app.openFile(/compiled_model/)
  await app.replaceInEditor('columns <= rows', 'columns == rows')
  await app.panel('whynot')
  await expect(verdict).toContainText('PyTorch 2.14.1 replaced 4 matches, Fusescope 0.')
  await expect(verdict).toContainText('The workspace was edited')
})

onePage('a capture that differs names the place', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  await app.drop('run.fusescope', captured('compiled-model').replaceAll('multiple_users ', 'single_user '))
  await expect(page.getByTestId('capture-verdict')).toContainText('They differ at 1 place.')
  await expect(page.getByTestId('verdict-difference')).toContainText('relu_8')
})

onePage('a capture of several graphs asks which', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  await app.drop('streams.fusescope', captured('ascend-streams'))
  await page.getByTestId('run-choices').getByRole('button').nth(1).click()
  await expect(page.getByTestId('capture-verdict')).toContainText('PyTorch 2.14.1 replaced 2 matches, Fusescope 2.')
})

onePage('captures of ranks that agree are one row', async ({ app, page }) => {
  await app.open(SMALL)
  await app.pythonReady()
  const ranks = [0, 1].map((rank) =>
    captured('ascend-streams').replace('{"record":"capture",', `{"record":"capture","rank":${rank},`),
  )
  await app.dropFolders({ ranks: { 'run-0.fusescope': ranks[0]!, 'run-1.fusescope': ranks[1]! } })
  await expect(page.getByTestId('run-choices').getByText('× 2 ranks').first()).toBeVisible()
  await page.getByTestId('run-choices').getByRole('button').nth(1).click()
  await expect(page.getByTestId('capture-verdict')).toContainText('PyTorch 2.14.1 replaced 2 matches, Fusescope 2.')
})

onePage('the script that records is offered for download', async ({ app, page }) => {
  await app.open(SMALL)
  await app.panel('whynot')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download fusescope_capture.py' }).click()
  expect((await download).suggestedFilename()).toBe('fusescope_capture.py')
})

withoutPython('a capture is analyzed before Python is ready, and exported', async ({ app, page }) => {
  await app.open()
  await app.drop('run.fusescope', captured('compiled-model'))
  await expect(page.getByTestId('capture-verdict')).toContainText('PyTorch 2.14.1 replaced 4 matches, Fusescope 4.')
  await page.getByTestId('share-button').click()
  const exports = page.getByRole('group', { name: 'Export for a real PyTorch' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    exports.getByRole('button', { name: 'Script' }).click(),
  ])
  expect(readFileSync((await download.path())!, 'utf8')).toContain("{'LinearSiluPass': 4}")
})
