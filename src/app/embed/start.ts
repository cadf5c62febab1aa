/** Opens what the address names, then listens to the page that frames this one. */
import { FEATURES } from '../features'
import { askedExample, isLink } from '../session/address'
import { consentPart } from '../session/consent'
import { runnerPart } from '../session/runner'
import { startSessions } from '../session/session'
import { startMessages } from './messages'
import { openLink, openNamedExample } from './open'

export function startEmbed(): void {
  startSessions([consentPart, runnerPart, ...FEATURES.flatMap((f) => f.sessionPart ?? [])])
  void openNamed().finally(startMessages)
  addEventListener('hashchange', () => void openNamed())
}

async function openNamed(): Promise<void> {
  const id = askedExample()
  if (isLink(location.hash)) await openLink(location.hash)
  else if (id !== null) await openNamedExample(id)
}
