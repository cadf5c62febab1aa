/**
 * Consent to run a link's code. A workspace with such code is `foreign` (src/workspace/code_origin.ts). Edits that the user makes
 * after consent are allowed; text from before consent, such as one that undo restores, needs consent again. The question refers to
 * what is shown: a press counts for the code beside it, and only if nothing about the question has changed within the last second
 * (question/steady.ts).
 */
import { codeHash, needsConsent, textHash, type ForeignCode } from '../../workspace/code_origin'
import type { Workspace } from '../../workspace/types'
import { framedByOther, isEmbed, openedByOther } from './framed'
import { questionChanged, useSteady } from './question/steady'
import { isHeld, useRun, type RunState } from './run_store'
import { run } from './runner'
import { currentSession, type OpenPart } from './session'
import { takeUncleanEnd } from './question/unclean_end'
import { toast } from './view_store'
import { useWorkspace } from './workspace_store'

const framed = isEmbed() || (typeof window !== 'undefined' && framedByOther())

/** The consent of a workspace that is about to open. */
export function consentOf(workspace: Workspace, foreign: ForeignCode | null): RunState['consent'] {
  if (framed) return 'framed'
  if (foreign && needsConsent(workspace, foreign)) return 'pending'
  if (takeUncleanEnd()) return 'unclean'
  return foreign ? 'given' : 'own'
}

/** Follows the edits of a foreign workspace. */
export const consentPart: OpenPart = () => {
  questionChanged()
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

/**
 * Replaces graph and files by others from the sender, such as a solution. This is not an edit by the user, so code that was not
 * allowed needs consent.
 */
export function putSent(sent: Workspace): void {
  const { openFile, restoreGraphs, restoreFiles, foreign } = useWorkspace.getState()
  restoreGraphs(sent, openFile)
  if (needsConsent(sent, foreign)) beforeSentEdits()
  restoreFiles(sent.files, openFile)
}

/** Marks the next edits as the sender's, such as those of a fix in a link: the resulting code needs consent. */
export function beforeSentEdits(): void {
  const { consent } = useRun.getState()
  if (!useWorkspace.getState().foreign || (consent !== 'given' && consent !== 'unclean')) return
  useRun.setState({ consent: 'pending' })
  questionChanged()
}

/** The code that pressing Run now would allow. */
export const askedCode = (): string => codeHash(useWorkspace.getState().workspace)

/**
 * Allows the code on screen to run. A press that may have been meant for something else shows a sentence instead.
 * @param shown askedCode() when the question was drawn; absent: a key was pressed
 */
export function giveConsent(shown = askedCode()): void {
  const { consent } = useRun.getState()
  if (consent === 'unclean') {
    useRun.setState({ consent: useWorkspace.getState().foreign ? 'given' : 'own' })
    return void run()
  }
  if (consent !== 'pending') return
  const refusal = refusalOf(shown)
  if (refusal) {
    toast(refusal, { tone: 'bad' })
    return
  }
  useRun.setState({ consent: 'given' })
  currentSession().emit('onConsent')
  void run()
}

/** Why a press does not count, one sentence; null if it counts. */
function refusalOf(shown: string): string | null {
  if (openedByOther())
    return 'Another site opened this window and can change it: open the page in a tab of its own, and press Run there.'
  if (!useSteady.getState().steady || shown !== askedCode())
    return 'The question changed within the last second, so this press does not count. Read it, then press Run again.'
  return null
}

/**
 * @throws Error while the code waits for consent
 * @param what the sentence's beginning, with the purpose of the code: `The steps appear here`
 */
export function requireCode(what: string): void {
  const { consent } = useRun.getState()
  if (isEmbed()) throw new Error(`${what} in Fusescope itself: this view runs no code.`)
  if (consent === 'framed') throw new Error('Another site shows this page in a frame, so no code runs here.')
  if (consent === 'unclean') throw new Error(`${what} after you press Run: the last run ended the page.`)
  if (isHeld({ consent })) throw new Error(`${what} after the code of this link has run.`)
}
