/** `fusescope show` of the Python package: the page that Python serves opens the recording. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from './fixtures'

const root = fileURLToPath(new URL('..', import.meta.url))
const usable = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).status === 0

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
