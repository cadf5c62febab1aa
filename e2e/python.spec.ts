/** `fusescope show` of the Python package: the page that Python serves opens the recording. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, withoutPython as test } from './fixtures'

const root = fileURLToPath(new URL('..', import.meta.url))
const usable = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0

test('a frame shows the matches and the reasons that PyTorch recorded, and runs no code', async ({ page }) => {
  test.skip(!usable, 'There is no python3 of 3.9 or later.')
  const recording = `${root}conformance/captures/compiled-model.fusescope.gz`
  const link = spawnSync('python3', [`${root}public/capture/fusescope_capture.py`, '--link', recording], {
    encoding: 'utf8',
  }).stdout.trim()
  await page.goto(`embed.html${link}`)
  await expect(page.getByTestId('status')).toHaveText(/^4 matches · \d+ nodes · as PyTorch 2\.14\.1.* recorded it$/)
  await expect(page.getByTestId('near-miss').first()).toContainText('PyTorch: extra-check')
  await page.getByTestId('panel-tab-matches').click()
  await expect(page.getByTestId('match-list')).toContainText('Result that PyTorch 2.14.1')
  await expect(page.locator('main').getByText('relu_8', { exact: true }).last()).toBeVisible()
})

test('Python serves the page with a recording open', async ({ page }) => {
  test.skip(!usable, 'There is no python3 of 3.9 or later.')
  const recording = `${root}conformance/captures/compiled-model.fusescope.gz`
  const server = spawn('python3', ['-m', 'fusescope', 'show', recording, '--no-browser'], {
    env: { ...process.env, PYTHONPATH: `${root}python`, PYTHONDONTWRITEBYTECODE: '1', SSH_CONNECTION: '' },
  })
  try {
    const [address] = (await once(server.stdout, 'data')) as [Buffer]
    await page.goto(address.toString().trim())
    await expect(page.getByText('compiled-model.fusescope.gz opened')).toBeVisible()
  } finally {
    server.kill()
  }
})
