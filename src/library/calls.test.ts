import { expect, it } from 'vitest'
import type { Input, Session } from './api'
import { answering } from './calls'

it('answers messages in their order, and keeps the input before one that cannot be used', async () => {
  const inputs: Partial<Input>[] = []
  const take = async (input: Partial<Input>): Promise<void> => {
    if (input.graph === 'wrong') throw new Error('This input cannot be used.')
    inputs.push(input)
  }
  const answer = answering(async (input) => {
    await take(input)
    return { change: take, read: async () => inputs.length } as unknown as Session
  })
  const [wrong, first, second] = ['wrong', 'first', 'second'].map((graph) => ({ graph, files: {} }))
  const answers = await Promise.all([
    answer({ id: 1, call: 'read' }),
    answer({ id: 2, call: 'open', input: wrong! }),
    answer({ id: 3, call: 'open', input: { ...first!, passes: ['p'] } }),
    answer({ id: 4, call: 'open', input: second! }),
    answer({ id: 5, call: 'change', input: wrong! }),
    answer({ id: 6, call: 'change', input: { files: { 'p.py': '' } } }),
    answer({ id: 7, call: 'read' }),
  ])
  const error = 'This input cannot be used.'
  expect(answers).toEqual([
    { id: 1, error: 'Nothing is open: call open first.' },
    { id: 2, error },
    { id: 3, result: undefined },
    { id: 4, result: undefined },
    { id: 5, error },
    { id: 6, result: undefined },
    { id: 7, result: 3 },
  ])
  // A later open leaves nothing of the input before.
  expect(inputs[1]!.passes).toBeUndefined()
  expect(Object.keys(inputs[1]!)).toContain('passes')
})
