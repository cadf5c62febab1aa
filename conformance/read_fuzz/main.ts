/**
 * Runs the fuzzer with other seeds and more inputs than the tests, and prints figures and findings.
 *   npx tsx conformance/read_fuzz/main.ts [--links] [--seed=N] [--count=N] [--show=SEED:INDEX]
 */
import { corpus } from './corpus'
import { fuzzLinks } from './links'
import { fuzzTexts, inputOf } from './texts'

const option = (name: string): string | undefined =>
  process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3)
const show = option('show')
if (show !== undefined) {
  const [seed, index] = show.split(':').map(Number)
  const { from, text, mutations } = inputOf(corpus(), seed!, index!)
  console.error(`${from}: ${mutations.join(', ')}`)
  process.stdout.write(text)
} else {
  const started = performance.now()
  const [seeds, count] = [[Number(option('seed') ?? 1)], Number(option('count') ?? 20_000)]
  const { findings, ...figures } = process.argv.includes('--links')
    ? await fuzzLinks(seeds, count)
    : fuzzTexts(seeds, count)
  for (const finding of findings) console.log(Object.values(finding).join(' '))
  console.log(JSON.stringify({ ...figures, findings: findings.length, seconds: (performance.now() - started) / 1000 }))
  process.exitCode = findings.length > 0 ? 1 : 0
}
