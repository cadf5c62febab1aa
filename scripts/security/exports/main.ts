/**
 * Mutates graphs, captures, printed patterns, selections and lessons, and compares each Python file that Fusescope writes for them with
 * the forms that it may hold (forms.py).
 *   npx tsx scripts/security/exports/main.ts [--seed=N] [--count=N] [--show=SEED:INDEX] [--sample=FOLDER]
 * --sample writes the files of COUNT cases with the whole runtime, to be run on a real PyTorch.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeAssets } from '../../../src/python/node_assets'
import { ExportCases } from './cases'

const option = (name: string): string | undefined =>
  process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3)
const [seed, count] = [Number(option('seed') ?? 1), Number(option('count') ?? 2000)]
const [show, sample] = [option('show'), option('sample')]

if (show !== undefined) {
  const [of, index] = show.split(':').map(Number)
  for (const { text } of new ExportCases().make(of!, index!)) console.log(text)
} else if (sample !== undefined) {
  mkdirSync(sample, { recursive: true })
  const cases = new ExportCases(nodeAssets().lib())
  for (let i = 0; i < count; i++)
    for (const [at, { kind, text }] of cases.make(seed, i).entries())
      writeFileSync(join(sample, `${kind}_${i}_${at}.py`), Buffer.from(text))
} else {
  const checker = spawn('python3', [join(import.meta.dirname, 'forms.py')], { stdio: ['pipe', 'inherit', 'inherit'] })
  const send = async (value: object): Promise<void> => {
    if (!checker.stdin.write(`${JSON.stringify(value)}\n`)) await once(checker.stdin, 'drain')
  }
  const cases = new ExportCases()
  await send({ fixed: cases.fixed() })
  let without = 0
  for (let i = 0; i < count; i++) {
    const files = cases.make(seed, i)
    if (files.length === 0) without++
    for (const file of files) await send({ id: `${seed}:${i}`, ...file })
  }
  checker.stdin.end()
  const [code] = (await once(checker, 'exit')) as [number]
  console.log(`${count} cases; for ${without} nothing is written`)
  process.exitCode = code
}
