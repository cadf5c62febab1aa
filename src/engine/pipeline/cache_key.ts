/**
 * The compile-cache key of a pass. vLLM's InductorPass.uuid is SHA-256 over the pass's source, and its pass manager adds
 * the configuration; here the parts are hashed separately, so that a report can name the part that changed.
 */
import type { FoundStage } from '../../python/types'
import { DEFAULT_ENVIRONMENT, type Environment, type TextFile } from '../../workspace/types'
import type { Pipeline, PipelineStage, StageUuid, UuidPart } from './types'
import type { EntryReport } from '../protocol'
import { sha256 } from '../../base/sha256'
import { olderTorch } from '../../base/torch_version'

/** Cache of hashes by text: most files do not change between runs. */
const hashes = new Map<string, string>()
const MAX_HASHES = 500

function hashOf(text: string): string {
  let hash = hashes.get(text)
  if (hash === undefined) {
    hash = sha256(text)
    if (hashes.size >= MAX_HASHES) hashes.clear()
    hashes.set(text, hash)
  }
  return hash
}

/** @param files the workspace's Python files */
export function passUuid(
  found: Pick<FoundStage, 'variable' | 'of' | 'uuid'>,
  entries: readonly EntryReport[],
  files: readonly TextFile[],
  environment: Environment | undefined,
): StageUuid {
  const parts: UuidPart[] = [
    ...sourcesOf(found, entries, files).map((f) => ({ kind: 'file' as const, name: f.name, hash: hashOf(f.text) })),
    { kind: 'patterns', name: 'the patterns as text', hash: hashOf(JSON.stringify(entries.map((e) => e.text))) },
    ...(found.uuid === null ? [] : [{ kind: 'own' as const, name: 'its own uuid()', hash: found.uuid }]),
    { kind: 'environment', name: 'the environment', hash: hashOf(environmentText(environment)) },
  ]
  return uuidOfParts(parts)
}

const uuidOfParts = (parts: UuidPart[]): StageUuid => ({
  uuid: hashOf(JSON.stringify(parts.map((p) => [p.kind, p.kind === 'file' ? p.name : '', p.hash]))),
  parts,
})

/**
 * The keys, by name, of a pipeline whose files have changed texts but the same code. Null for a pass that computes its own key, and
 * for the whole pipeline: most keys hash the source.
 */
export function rekeyed(
  pipeline: Pipeline,
  texts: ReadonlyMap<string, string>,
  environment: Environment | undefined,
): Pipeline {
  const part = (p: UuidPart): UuidPart => {
    const text = p.kind === 'file' ? texts.get(p.name) : undefined
    return text === undefined ? p : { ...p, hash: hashOf(text) }
  }
  let known = true
  const stages = pipeline.stages.map((stage): PipelineStage => {
    if (!stage.uuid) return stage
    const parts = stage.uuid.parts.map(part)
    const own = parts.some((p) => p.kind === 'own')
    known &&= !own
    return { ...stage, uuid: own ? null : uuidOfParts(parts) }
  })
  const acting = stages.filter((s) => s.at !== null && s.kind !== 'dead-code')
  return { ...pipeline, stages, uuid: known ? pipelineUuid(acting, environment) : null }
}

/** @param acting the active stages, in order */
export function pipelineUuid(
  acting: readonly Pick<PipelineStage, 'uuid' | 'name'>[],
  environment: Environment | undefined,
): string {
  return hashOf(JSON.stringify([acting.map((s) => s.uuid?.uuid ?? s.name), environmentText(environment)]))
}

/** Flag names are sorted, so that the order of assignment does not matter. */
function environmentText(environment: Environment | undefined): string {
  const e = environment ?? DEFAULT_ENVIRONMENT
  const flags = Object.entries(e.flags).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return JSON.stringify([
    e.platform,
    e.dtype,
    e.tokens,
    e.customOps,
    e.functionalization,
    flags,
    ...(e.layers ? [Object.entries(e.layers)] : []),
    ...Object.values(olderTorch(e)),
  ])
}

/** The files that define the pass, register in it or contain its patterns, and the workspace files they import. */
function sourcesOf(
  { variable, of }: Pick<FoundStage, 'variable' | 'of'>,
  entries: readonly EntryReport[],
  files: readonly TextFile[],
): TextFile[] {
  const named = new Set<string>()
  for (const e of entries) {
    if (e.source) named.add(e.source.file)
    for (const n of e.pattern.nodes) if (n.source) named.add(n.source.file)
  }
  const word = (name: string): string => name.replace(/[^\w]/g, '')
  const defines = new RegExp(`^${word(variable)}\\s*(:[^=\\n]*)?=${of === null ? '' : `|^class ${word(of)}\\b`}`, 'm')
  const isSource = (f: TextFile): boolean =>
    [...named].some((n) => n === f.name || n.endsWith(`/${f.name}`)) || defines.test(f.text)
  const found = new Set(files.filter(isSource))
  for (const file of found) for (const other of files) if (imports(file, other)) found.add(other)
  return files.filter((f) => found.has(f))
}

function imports(file: TextFile, other: TextFile): boolean {
  const module = /([^/]+)\.py$/.exec(other.name)?.[1]
  if (module === undefined || file === other) return false
  return new RegExp(`^\\s*(from|import)\\s[^\\n]*\\b${module.replace(/[^\w]/g, '.')}\\b`, 'm').test(file.text)
}
