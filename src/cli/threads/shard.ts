/** Options for many tasks, and the division of tasks over several machines. */
import { refuse } from '../flags'

/** `--timeout` (seconds for each task; 0: no limit), `--shard` and `--resume`. */
export interface BatchOptions {
  timeoutS?: number
  shard?: Shard
  /** The file that keeps the answers of finished tasks. */
  resume?: string
}

/** The `part`-th of `of` parts, from 1 on. */
export interface Shard {
  part: number
  of: number
}

/** A list of missing parts stays readable. */
export const MAX_PARTS = 10_000

/** The value of `--shard`. @throws UsageError */
export function readShard(text: string): Shard {
  const [, part = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number)
  if (part >= 1 && part <= of && of <= MAX_PARTS) return { part, of }
  return refuse(`--shard needs K/N, such as 1/4, found ${JSON.stringify(text)}`)
}

/** Every `of`-th item, so that neighboring items, which take about the same time, are spread over the parts. */
export const inShard = <T>(items: readonly T[], shard: Shard | undefined): T[] =>
  items.filter((_, i) => !shard || i % shard.of === shard.part - 1)

/** The items of all parts, in their original order; the reverse of inShard. */
export const joinShards = <T>(parts: readonly (readonly T[])[]): T[] =>
  Array.from(
    { length: parts.reduce((n, p) => n + p.length, 0) },
    (_, i) => parts[i % parts.length]![Math.floor(i / parts.length)]!,
  )
