import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parseArgs } from '../args'
import { runBatch } from './batch'
import { progressText } from './progress'
import { inShard, joinShards, readShard } from './shard'

const folder = mkdtempSync(join(tmpdir(), 'fusescope-batch-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a shard', () => {
  it('is every N-th item from the K-th on; all shards joined are the items in their order', () => {
    const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    expect(inShard(items, { part: 2, of: 3 })).toEqual(['b', 'e'])
    expect(inShard(items, undefined)).toEqual(items)
    for (const of of [1, 2, 3, 9])
      expect(joinShards(Array.from({ length: of }, (_, i) => inShard(items, { part: i + 1, of })))).toEqual(items)
  })

  it('is written K/N', () => {
    expect(readShard('2/4')).toEqual({ part: 2, of: 4 })
    for (const bad of ['0/4', '5/4', '1', '1/0', 'a/b', '1/4/2', '-1/4', '1/99999'])
      expect(() => readShard(bad)).toThrow(`needs K/N, such as 1/4, found ${JSON.stringify(bad)}`)
  })

  it('goes with commands that answer many tasks', () => {
    const said = (...argv: string[]): unknown => {
      const parsed = parseArgs(argv)
      return parsed.ok ? parsed.value : parsed.error
    }
    expect(said('match', '--cases', 'a.jsonl', '--shard', '1/2', '--resume', 'b')).toMatchObject({
      kind: 'cases',
      shard: { part: 1, of: 2 },
      resume: 'b',
    })
    expect(said('match', '--graph', 'g', '--pattern', 'p', '--shard', '1/2')).toBe('match: --shard goes with --cases')
    expect(said('table', '--passes', 'p', '--graphs', 'g', '--shard', '1/2')).toBe(
      'table: --shard goes with --json, and --since with --merge of all parts',
    )
    expect(said('table', '--merge', 'a', '--graphs', 'g')).toBe(
      'table: --graphs does not go with --merge: the files hold what was counted',
    )
  })
})

describe('a batch', () => {
  const isAnswer = (value: unknown): value is { answer: string } =>
    typeof (value as { answer?: unknown } | undefined)?.answer === 'string'
  const answered = async (tasks: string[], resume: string, fails = ''): Promise<{ ran: string[]; made: unknown[] }> => {
    const [ran, made]: [string[], unknown[]] = [[], []]
    const task = async (t: string): Promise<{ answer: string }> => {
      if (t === fails) throw new Error('killed')
      ran.push(t)
      return { answer: t.toUpperCase() }
    }
    const problem = await runBatch({ name: 'test', options: { a: 1 }, task, isAnswer }, tasks, { resume }, (a, i) => {
      expect(i).toBe(made.length)
      made.push(a)
    }).catch((e: Error) => e.message)
    if (problem !== null) made.push(problem)
    return { ran, made }
  }
  const [A, B, C] = ['a', 'b', 'c'].map((t) => ({ answer: t.toUpperCase() }))

  it('that was ended goes on where it was, and runs what has changed', async () => {
    const file = join(folder, 'kept')
    expect(await answered(['a', 'b', 'c'], file, 'c')).toEqual({ ran: ['a', 'b'], made: [A, B, 'killed'] })
    appendFileSync(file, '["half a li')
    expect(await answered(['a', 'x', 'b', 'c'], file)).toEqual({ ran: ['x', 'c'], made: [A, { answer: 'X' }, B, C] })
    expect(await answered(['c', 'b'], file)).toEqual({ ran: [], made: [C, B] })
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('{"answer":"B"}', '{"other":777}'))
    expect(await answered(['c', 'b'], file)).toEqual({ ran: ['b'], made: [C, B] })
  })

  it('writes through no link, which a checkout may hold', async () => {
    const [own, link, absent] = [join(folder, 'own'), join(folder, 'link'), join(folder, 'absent')]
    writeFileSync(own, '')
    for (const target of [own, absent]) {
      symlinkSync(target, link)
      const refusal = `${link}: this is a link, and output is never written through links; --resume needs a file.`
      expect(await answered(['a'], link)).toEqual({ ran: [], made: [refusal] })
      unlinkSync(link)
    }
    expect([readFileSync(own, 'utf8'), existsSync(absent)]).toEqual(['', false])
  })

  it('never writes to a file that is none of its own', async () => {
    const file = join(folder, 'mine.txt')
    writeFileSync(file, 'my text\n')
    expect(await answered(['a'], file)).toEqual({
      ran: [],
      made: [`${file}:1:1: --resume did not write this file; name a new file, or one that --resume wrote.`],
    })
    expect(readFileSync(file, 'utf8')).toBe('my text\n')
    expect((await answered(['a'], join(folder, 'no', 'where'))).made).toEqual([expect.stringContaining('(ENOENT)')])
  })

  it('says how long the rest takes', () => {
    const text = (made: number, kept: number): string => progressText({ counts: { total: 100, kept, made } }, 60_000)
    expect(text(10, 0)).toBe('10 of 100 done, about 9 minutes left')
    expect(text(30, 50)).toBe('80 of 100 done, about 40 seconds left')
    expect(text(100, 0)).toBe('100 of 100 done')
  })
})
