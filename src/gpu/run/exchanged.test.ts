import { expect, it } from 'vitest'
import { tensor } from '../testing/fixtures'
import type { RunNode, RunPrograms } from '../types'
import { runPrograms } from './run'

const meta = tensor('float32', [4, 8])
const call = (name: string, target: string): RunNode => ({
  name,
  target,
  args: [{ node: 'x' }],
  kwargs: {},
  meta,
})
const nodes = [call('relu', 'aten.relu.default'), call('neg', 'aten.neg.default')]
const program = (outputs: string[]) => ({ inputs: [{ name: 'x', meta }], nodes, outputs })

const sentence = async (fused: string[]): Promise<string> => {
  const programs: RunPrograms = { title: 'm', unfused: program(['relu', 'neg']), fused: program(fused) }
  const options = { device: 'reference' } as const
  return (await runPrograms(programs, options, () => undefined, new AbortController().signal)).verdict.sentence
}

it('names two results that are exchanged', async () => {
  expect(await sentence(['neg', 'relu'])).toMatch(/relu and neg are exchanged/)
})

it('does not where one value is returned twice', async () => {
  expect(await sentence(['neg', 'neg'])).not.toMatch(/exchanged/)
})
