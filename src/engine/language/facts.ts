/** Collects what the editor completes: operators of the catalog and of the workspace, names of the thin torch. */
import { catalogTexts } from '../../ops/schema'
import type { PythonHost } from '../../python/types'
import { SHAPE_RULES } from './shape_rules'
import type { LanguageFacts } from './types'

/** @param declared schemas of the workspace's own operators */
export function languageFacts(host: Pick<PythonHost, 'moduleNames'>, declared: readonly string[]): LanguageFacts {
  return { operators: [...declared, ...catalogTexts()], modules: host.moduleNames(), rules: SHAPE_RULES }
}
