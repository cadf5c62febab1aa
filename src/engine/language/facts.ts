/** Collects the editor's completions: operators of the catalog and of the workspace, and names of our torch library. */
import { ruleEntries } from '../../ops/registry'
import { catalogTexts } from '../../ops/schema'
import type { PythonHost } from '../../python/types'
import type { LanguageFacts } from './types'

/** @param declared schemas of the workspace's own operators */
export function languageFacts(host: Pick<PythonHost, 'moduleNames'>, declared: readonly string[]): LanguageFacts {
  return { operators: [...declared, ...catalogTexts()], modules: host.moduleNames(), rules: shapesInWords() }
}

/** By packet: the rule of one overload represents the operator. */
const shapesInWords = (): Record<string, string> =>
  Object.fromEntries(
    ruleEntries().flatMap(([name, { shape }]) => (shape ? [[name.split('.').slice(0, 2).join('.'), shape]] : [])),
  )
