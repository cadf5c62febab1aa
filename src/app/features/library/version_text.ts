/** Describes versions, and how they differ from the open workspace. */
import type { VersionReason } from '../../../workspace/library'
import type { TextFile, Workspace } from '../../../workspace/types'
import { textsOf } from '../../session/workspace_store'

export function reasonText(why: VersionReason): string {
  switch (why.kind) {
    case 'opened':
      return 'As it was opened'
    case 'edited':
      return 'While editing'
    case 'before':
      return `Before ${why.what}`
    case 'named':
      return why.name
  }
}

export interface VersionText extends TextFile {
  change: 'same' | 'changed' | 'only here'
  /** The text with this name in the open workspace. */
  now: string | undefined
}

/** The texts of a version, compared with those of the open workspace by name; changed ones first. */
export function versionTexts(version: Workspace, now: Workspace): VersionText[] {
  const present = new Map(textsOf(now).map((f) => [f.name, f.text]))
  const texts = textsOf(version).map(({ name, text }): VersionText => {
    const other = present.get(name)
    return { name, text, change: other === undefined ? 'only here' : other === text ? 'same' : 'changed', now: other }
  })
  return [...texts.filter((t) => t.change !== 'same'), ...texts.filter((t) => t.change === 'same')]
}

/** Splits a text's lines into those before, in and after the part that differs from another text. */
export function changedPart(text: string, other: string): [before: string, changed: string, after: string] {
  const [lines, others] = [text.split('\n'), other.split('\n')]
  const shorter = Math.min(lines.length, others.length)
  let start = 0
  while (start < shorter && lines[start] === others[start]) start++
  let end = 0
  while (end < shorter - start && lines.at(-1 - end) === others.at(-1 - end)) end++
  const part = (from: number, to: number): string =>
    lines.slice(from, to).join('\n') + (to < lines.length && to > from ? '\n' : '')
  return [part(0, start), part(start, lines.length - end), part(lines.length - end, lines.length)]
}
