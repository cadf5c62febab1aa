/** The action of a workflow in a checkout that a stranger wrote: its Python, its settings of npm and its links do nothing. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { root } from '../lib.mjs'

const folder = mkdtempSync(join(tmpdir(), 'fusescope-action-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The program of the action, as the runner writes it to a file. */
const SCRIPT = readFileSync(join(root, 'action.yml'), 'utf8').split('run: |\n')[1]!.replaceAll(/^ {8}/gm, '')

const RECORDING = [
  { record: 'capture', v: 1, torch: '2' },
  { record: 'pass', id: 0, passName: '::add-mask::x' },
  { record: 'apply', id: 0, pass: 0, run: 0, compile: '##[error]0', before: null },
  { record: 'applied', apply: 0, count: 0 },
]

const python = spawnSync('python3', ['--version']).status === 0

it.skipIf(!python)('runs no file of the checkout, follows no link of it and forges no command of the workflow', () => {
  const checkout = join(folder, 'checkout')
  const touched = join(folder, 'touched')
  mkdirSync(join(checkout, 'fusescope'), { recursive: true })
  for (const name of ['fusescope/__init__.py', 'json.py', 're.py', 'os.py', 'runpy.py', 'sitecustomize.py', 'gzip.py'])
    writeFileSync(join(checkout, name), `open(${JSON.stringify(touched)}, 'w')\n`)
  writeFileSync(join(folder, 'mine'), 'mine')
  symlinkSync(join(folder, 'mine'), join(checkout, 'junit.xml'))
  writeFileSync(join(checkout, 'a.fusescope'), `${RECORDING.map((r) => JSON.stringify(r)).join('\n')}\n`)
  writeFileSync(join(checkout, 'fusions.txt'), `fusescope baseline 1\n\ngraph "##[error]0"\n  4 "::add-mask::x"\n`)
  const env = {
    PATH: process.env.PATH,
    BASELINE: 'fusions.txt',
    RECORDINGS: '*.fusescope',
    JUNIT: 'junit.xml',
    GITHUB_ACTION_PATH: root,
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const ran = spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', SCRIPT], {
    cwd: checkout,
    env,
    encoding: 'utf8',
  })
  expect([ran.status, ran.stderr]).toEqual([1, ''])
  expect(existsSync(touched)).toBe(false)
  expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('mine')
  expect(readFileSync(join(checkout, 'junit.xml'), 'utf8')).toContain('failures="1"')
  expect(ran.stdout).toContain('4 → 0 matches')
  for (const text of [ran.stdout, readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')])
    expect(text).not.toMatch(/^\s*::|##\[/m)
})

it.skipIf(!python)('takes no file’s name for an option, and follows no folder’s link for the JUnit file', () => {
  const [checkout, away] = [join(folder, 'odd'), join(folder, 'away')]
  for (const path of [checkout, away]) mkdirSync(path)
  symlinkSync(away, join(checkout, 'reports'))
  writeFileSync(join(checkout, 'fusions.txt'), 'fusescope baseline 1\n')
  for (const name of ['a.fusescope', '--junit'])
    writeFileSync(join(checkout, name), `${JSON.stringify(RECORDING[0])}\n`)
  const ran = (RECORDINGS: string, JUNIT: string) => {
    const env = { PATH: process.env.PATH, BASELINE: 'fusions.txt', RECORDINGS, JUNIT, GITHUB_ACTION_PATH: root }
    const summary = { GITHUB_STEP_SUMMARY: join(folder, 'odd.md'), PYTHONDONTWRITEBYTECODE: '1' }
    const options = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', SCRIPT]
    const { status, stdout } = spawnSync('bash', options, {
      cwd: checkout,
      env: { ...env, ...summary },
      encoding: 'utf8',
    })
    return [status, stdout.split('\n')[0]]
  }
  expect(ran('*', 'junit.xml')).toEqual([2, 'A file whose name begins with "-" reads as an option.'])
  expect(ran('a.fusescope', 'reports/junit.xml')).toEqual([
    2,
    'The folder of the JUnit file is a link out of the checkout.',
  ])
  expect(readdirSync(away)).toEqual([])
  mkdirSync(join(checkout, 'own'))
  expect(ran('*.fusescope', 'own/junit.xml')).toEqual([0, 'Nothing is lost: 0 counts of the baseline hold.'])
})

it('takes no name, address or folder for a package: a checkout may have a folder of that name', () => {
  const checkout = join(folder, 'named')
  mkdirSync(join(checkout, 'fusescope'), { recursive: true })
  const env = { PATH: process.env.PATH, RECORDINGS: 'a', JUNIT: 'junit.xml' }
  for (const PACKAGE of ['fusescope', 'https://a.example/fusescope.whl', '.']) {
    const options = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', SCRIPT]
    const { status, stdout } = spawnSync('bash', options, { cwd: checkout, env: { ...env, PACKAGE }, encoding: 'utf8' })
    expect([status, stdout]).toEqual([2, 'The package is the path of a tarball or a wheel.\n'])
  }
})

it('takes npm’s settings and modules from no checkout', () => {
  expect(SCRIPT).not.toMatch(/\bnpx\b|python3 -m fusescope/)
  for (const line of SCRIPT.split('\n').filter((l) => /\bnpm\b|\bpip\b/.test(l)))
    expect(line).toContain('cd "$folder" &&')
})
