/** The tests of the Python package and of the recorder (python/tests), where Python is at hand. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RUNNER_COMMAND } from '../src/base/runner_commands'
import { root } from './lib.mjs'

const python = spawnSync('python3', ['-c', 'import sys, venv, ensurepip; print(sys.version_info >= (3, 9))'], {
  encoding: 'utf8',
})
const usable = python.stdout?.trim() === 'True'
if (!usable) console.log('Skipped: the tests of python/ need python3 (3.9 or later) with venv.')

it.skipIf(!usable)('the Python package and the recorder pass their own tests', () => {
  const ran = spawnSync('python3', ['-m', 'unittest', 'discover', '-s', join(root, 'python/tests')], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  expect(ran.status, ran.stderr).toBe(0)
})

it.each([
  'python/fusescope/report.py',
  'public/capture/fusescope_capture.py',
  'src/python/lib/_fusescope/exported/shown.py',
])('%s, which travels alone, has the expression of the commands of runners', (file) => {
  const [, written] = /\n_COMMAND = re\.compile\(([^]*?)\n\)\n/.exec(readFileSync(join(root, file), 'utf8'))!
  expect([...written!.matchAll(/\br"(.*)"$/gm)].map(([, part]) => part).join('')).toBe(RUNNER_COMMAND.source)
})
