// @ts-check
/**
 * Packs the package, installs it without a network in an empty folder, and runs it in its four ways: the page, files in the
 * page, the command line, the library.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packedBundle } from './cli-bundle.mjs'
import { bin, npmCache, root } from './lib.mjs'

/** Limit of the tarball, in bytes. */
const MAX_BYTES = 25e6
const EXAMPLE = join(root, 'public/examples/rms-norm-int8')

/** @param {string} command @param {string[]} args @param {string} cwd @returns {string} stdout @throws {Error} */
function stdoutOf(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', env: outside() })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `status ${status}`}\n${stdout}${stderr}`)
}

/** The environment of a terminal: this process may itself have been started by npm. */
const outside = () => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_cache$)|INIT_CWD$)/i.test(name)),
  ),
  ...npmCache(),
})

/** The address that the page is served at, and a function that ends the server. @param {string} program @param {string[]} args @param {string} cwd */
async function served(program, args, cwd) {
  const child = spawn(program, args, { cwd, env: { ...outside(), BROWSER: 'none' } })
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    const url = /http:\S+(?=\n)/.exec(text)
    if (url) return { url: new URL(url[0]), stop: () => void child.kill() }
  }
  throw new Error(`${program} ${args.join(' ')} printed no address:\n${text}`)
}

/** @param {URL} url @param {string} what */
async function textOf(url, what) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${what} answered ${response.status}`)
  return response.text()
}

/**
 * Runs the programs of docs/api.md where the package is installed, and compiles its types.
 * @param {string} home @param {string[]} files that each program gets
 */
function checkLibrary(home, files) {
  const text = readFileSync(join(root, 'docs/api.md'), 'utf8')
  const programs = [...text.matchAll(/```js\n\/\/ (\w+\.mjs)\n([^]*?)```\n\n```text\n([^]*?)```/g)]
  if (programs.length !== 3) throw new Error(`docs/api.md has ${programs.length} programs; expected 3`)
  for (const [, name, code, expected] of programs) {
    writeFileSync(join(home, `${name}`), `${code}`)
    const printed = stdoutOf(process.execPath, [`${name}`, ...files], home)
    if (printed !== expected) throw new Error(`${name} of docs/api.md printed\n${printed}instead of\n${expected}`)
  }
  writeFileSync(join(home, 'use.mts'), TYPED)
  const compiler = [bin('typescript/bin/tsc'), '--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'use.mts']
  stdoutOf(process.execPath, compiler, home)
}

/** A program that compiles only with the types of the package. */
const TYPED = `import { openSession, type Matched } from 'fusescope'
const found: Matched = await (await openSession({ graph: '', files: {} })).match()
const first: string | undefined = found.passes[0]?.matches[0]?.nodes[0]
// @ts-expect-error: it is a number
const count: string = found.passes[0]!.count
export { count, first }
`

/** @param {string} folder an empty one @returns {Promise<string>} what was seen, one line @throws {Error} */
async function check(folder) {
  await packedBundle('cli')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const packed = stdoutOf(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root)
  const [{ filename, size, files }] = JSON.parse(packed)
  const stray = files.find((/** @type {{ path: string }} */ { path }) => /\.test\.|^src\/.*(?<!\.d)\.tsx?$/.test(path))
  if (stray) throw new Error(`${filename} holds ${stray.path}`)
  if (size > MAX_BYTES) throw new Error(`${filename} has ${size} bytes, more than ${MAX_BYTES}`)
  const home = mkdtempSync(join(folder, 'home-'))
  writeFileSync(join(home, 'package.json'), '{}')
  stdoutOf(npm, ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], home)
  if (existsSync(join(home, 'node_modules', 'tsx'))) throw new Error('the package installs tsx')
  const program = join(home, 'node_modules', '.bin', process.platform === 'win32' ? 'fusescope.cmd' : 'fusescope')

  const [graph, pattern] = ['fx_graph_readable.py', 'fusion.py'].map((name) => join(EXAMPLE, name))
  const matched = stdoutOf(program, ['match', '--graph', `${graph}`, '--pattern', `${pattern}`], home)
  const page = await served(program, [], home)
  const html = await textOf(page.url, 'the page')
  page.stop()
  if (html !== readFileSync(join(root, 'dist/index.html'), 'utf8')) throw new Error('the package serves another page')
  const opened = await served(program, [`${graph}`, `${pattern}`], home)
  const texts = await Promise.all(
    opened.url.searchParams.getAll('file').map((path) => textOf(new URL(`given/${path}`, opened.url), path)),
  )
  opened.stop()
  if (texts.join() !== [graph, pattern].map((file) => readFileSync(`${file}`, 'utf8')).join())
    throw new Error(`${opened.url.href} does not give the files`)
  checkLibrary(home, [`${graph}`, `${pattern}`])
  return `${filename}: ${(size / 1e6).toFixed(1)} MB, ${files.length} files; ${matched.trim().split('\n')[0]}`
}

/** Prints what was seen. @returns {Promise<boolean>} true if the package works */
export async function checkPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'fusescope-package-'))
  try {
    console.log(await check(folder))
    return true
  } catch (e) {
    console.error(/** @type {Error} */ (e).message)
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exit((await checkPackage()) ? 0 : 1)
