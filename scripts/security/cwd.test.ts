/** The command line in a folder that a stranger wrote. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { root } from '../lib.mjs'

const folder = mkdtempSync(join(tmpdir(), 'fusescope-cwd-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads no module and no setting of the folder in which it starts', () => {
  const touched = JSON.stringify(join(folder, 'touched'))
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const name of ['tsx', 'pyodide', 'zod', 'fusescope', 'rollup'])
    write(`node_modules/${name}/index.js`, `require('fs').writeFileSync(${touched}, '')`)
  write('node_modules/.bin/node', `#!/bin/sh\ntouch ${touched}\n`)
  chmodSync(join(folder, 'node_modules/.bin/node'), 0o755)
  write('evil.mjs', `import { writeFileSync } from 'node:fs'\nwriteFileSync(${touched}, '')\n`)
  write('package.json', '{"name": "fusescope", "type": "module", "imports": {"#*": "./evil.mjs"}}')
  write('tsconfig.json', '{"compilerOptions": {"baseUrl": ".", "paths": {"*": ["./evil.mjs"]}}}')
  write('.npmrc', 'node-options=--import ./evil.mjs\nscript-shell=./node_modules/.bin/node\n')
  write('.env', 'NODE_OPTIONS=--import ./evil.mjs\n')
  write('torch.py', `open(${touched}, 'w')\n`)
  write('g.txt', 'graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)\n')
  // npm says where it started in INIT_CWD.
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, INIT_CWD: folder } } as const
  const ran = spawnSync(
    process.execPath,
    [join(root, 'scripts/cli.mjs'), 'print', '--graph', 'g.txt', '--as', 'fx'],
    options,
  )
  expect([ran.status, ran.stderr]).toEqual([0, ''])
  expect(ran.stdout).toContain('placeholder[target=x]')
  expect(existsSync(join(folder, 'touched'))).toBe(false)
})
