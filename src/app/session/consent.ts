/**
 * Consent to run code of a link. A workspace that holds such code is `foreign` (src/workspace/code_origin.ts); what the
 * user edits after consent is allowed too, but a file's text from before consent, such as one that undo brings back, asks
 * again.
 */
import { codeHash, needsConsent, textHash, type ForeignCode } from '../../workspace/code_origin'
import type { Workspace } from '../../workspace/types'
import { framedByOther, isEmbed } from './framed'
import { isHeld, useRun, type RunState } from './run_store'
import { run } from './runner'
import { currentSession, type OpenPart } from './session'
import { takeUncleanEnd } from './unclean_end'
import { useWorkspace } from './workspace_store'

const framed = isEmbed() || (typeof window !== 'undefined' && framedByOther())

/** The consent of a workspace that is being opened. */
export function consentOf(workspace: Workspace, foreign: ForeignCode | null): RunState['consent'] {
  if (framed) return 'framed'
  if (foreign && needsConsent(workspace, foreign)) return 'pending'
  if (takeUncleanEnd()) return 'unclean'
  return foreign ? 'given' : 'own'
}

/** Follows the edits of a foreign workspace. */
export const consentPart: OpenPart = () => {
  /** Hashes of texts that the workspace held without consent. */
  const withheld = new Set<string>()
  const check = (): void => {
    const { workspace, foreign } = useWorkspace.getState()
    const { consent } = useRun.getState()
    if (!foreign || consent === 'framed' || consent === 'unclean') return
    const hash = codeHash(workspace)
    const texts = workspace.files.filter((f) => f.text.trim() !== '').map(textHash)
    if (hash === foreign.allowed) useRun.setState({ consent: 'given' })
    else if (consent === 'given' && !texts.some((t) => withheld.has(t)))
      useWorkspace.setState({ foreign: { allowed: hash } })
    else {
      if (consent === 'pending') for (const t of texts) withheld.add(t)
      useRun.setState({ consent: 'pending' })
    }
  }
  check()
  return {
    onEdit: check,
    onConsent() {
      const { workspace } = useWorkspace.getState()
      for (const f of workspace.files) withheld.delete(textHash(f))
      useWorkspace.setState({ foreign: { allowed: codeHash(workspace) } })
    },
  }
}

/** Allows the code on screen to run. */
export function giveConsent(): void {
  const { consent } = useRun.getState()
  if (consent === 'unclean') {
    useRun.setState({ consent: useWorkspace.getState().foreign ? 'given' : 'own' })
    return void run()
  }
  if (consent !== 'pending') return
  useRun.setState({ consent: 'given' })
  currentSession().emit('onConsent')
  void run()
}

/** @throws Error while the code waits for consent @param what what the code is needed for: `The steps appear here` */
export function requireCode(what: string): void {
  const { consent } = useRun.getState()
  if (isEmbed()) throw new Error(`${what} in Fusescope itself: this view runs no code.`)
  if (consent === 'framed') throw new Error('Another site shows this page in a frame, so no code runs here.')
  if (consent === 'unclean') throw new Error(`${what} after you press Run: the last run ended the page.`)
  if (isHeld({ consent })) throw new Error(`${what} after the code of this link has run.`)
}
