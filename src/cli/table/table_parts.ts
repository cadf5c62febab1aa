/** Parts of a table, counted with `--shard` on several machines, and the table that `--merge` makes from them. */
import type { FolderCounts, FolderResult } from '../../engine/table/types'
import { formatProblem } from '../../fx'
import { jsonOf, readText } from '../input'
import { joinShards, MAX_PARTS, type Shard } from '../threads/shard'

/** The counted values, before they become rows. */
export interface CountedTable {
  graphs: string[]
  results: FolderResult[]
}

export interface TablePart extends CountedTable {
  shard: Shard
}

const EXPECTED = 'what fusescope table --shard K/N --json printed'

/** @returns the counts of all parts, in the order without shards; a string: the problem */
export function mergeParts(paths: readonly string[]): CountedTable | string {
  const parts: TablePart[] = []
  for (const path of paths) {
    const text = readText(path, EXPECTED)
    if (!text.ok) return formatProblem(text.error)
    const part = jsonOf(text.value)
    if (!isPart(part)) return `${path}:1:1: this is not a part of a table; expected ${EXPECTED}.`
    const same = parts.findIndex((p) => p.shard.part === part.shard.part)
    if (same >= 0) return `${path}: ${paths[same]} is part ${part.shard.part}/${part.shard.of} too.`
    parts.push(part)
    if (part.shard.of !== parts[0]!.shard.of || !sameFolders(part, parts[0]!))
      return `${path}: this part and ${paths[0]} belong to different tables.`
  }
  const { of } = parts[0]!.shard
  parts.sort((a, b) => a.shard.part - b.shard.part)
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((n) => parts.every((p) => p.shard.part !== n))
  if (missing.length > 0) return `table: the parts ${missing.map((n) => `${n}/${of}`).join(', ')} are missing.`
  const total = parts.reduce((n, p) => n + p.graphs.length, 0)
  const odd = parts.find(({ graphs, shard }) => graphs.length !== Math.ceil((total - shard.part + 1) / of))
  if (odd) return `${paths[0]}: the parts counted different folders of graphs.`
  return {
    graphs: joinShards(parts.map((p) => p.graphs)),
    results: parts[0]!.results.map(({ folder }, f) => ({
      folder,
      counts: joinShards(parts.map((p) => p.results[f]!.counts)),
    })),
  }
}

const sameFolders = (a: TablePart, b: TablePart): boolean =>
  a.results.length === b.results.length && a.results.every((r, i) => r.folder === b.results[i]!.folder)

function isPart(value: unknown): value is TablePart {
  const { shard, graphs, results } = (value ?? {}) as { [K in keyof TablePart]?: unknown }
  const { part, of } = (shard ?? {}) as Partial<Shard>
  if (!Number.isInteger(part) || !Number.isInteger(of) || part! < 1 || part! > of! || of! > MAX_PARTS) return false
  if (!isListOf(graphs, (g) => typeof g === 'string') || !Array.isArray(results)) return false
  return results.every(
    (r: Partial<FolderResult> | null) =>
      typeof r?.folder === 'string' && isListOf(r.counts, isCounts) && r.counts!.length === graphs.length,
  )
}

const isListOf = <T>(value: unknown, is: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(is)

export function isCounts(value: unknown): value is FolderCounts {
  const { passes, failure, notes, uncalled } = (value ?? {}) as { [K in keyof FolderCounts]?: unknown }
  const isText = (v: unknown): v is string => typeof v === 'string'
  if (!isListOf(notes, isText) || !isListOf(uncalled, isText) || !(failure === null || isText(failure))) return false
  return isListOf(passes, (p): p is FolderCounts['passes'][number] => {
    const { pass, patterns, count, unshaped, error } = (p ?? {}) as Record<string, unknown>
    const numbers = typeof patterns === 'number' && typeof unshaped === 'number'
    return isText(pass) && numbers && (count === null || typeof count === 'number') && (error === null || isText(error))
  })
}
