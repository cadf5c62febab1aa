/** Sentences above the workspace: a link's consent request, and others. */
import type { ComponentProps } from 'react'
import { askedCode, giveConsent } from '../session/consent'
import { openedByOther } from '../session/framed'
import { useSteady } from '../session/question/steady'
import { useRun } from '../session/run_store'
import { useWorkspace } from '../session/workspace_store'
import { Icon, type IconName } from '../ui/icons'
import { Button } from '../ui/Button'
import styles from './Banners.module.css'
import { css } from '../ui/css'

interface BannerProps extends ComponentProps<'div'> {
  text: string
  tone?: 'bad'
  icon?: IconName
}

/** A sentence above the workspace. @param children what to do about it */
export const Banner = ({ text, tone, icon = 'warn', children, ...props }: BannerProps) => (
  <div className={styles.banner} data-tone={tone} {...props}>
    <Icon name={icon} />
    <span className={css.spring}>{text}</span>
    {children}
  </div>
)

const FRAMED = 'Another site shows this page in a frame, so no code runs here.'
const OPENED =
  'This workspace holds code from a link. Another site opened this window and can change it, so no code runs here.'

export function LinkBanner() {
  const consent = useRun((s) => s.consent)
  const sent = useRun((s) => s.result.sent !== null)
  if (consent === 'framed')
    return (
      <Banner role="region" aria-label="In a frame" text={FRAMED}>
        <OwnTab />
      </Banner>
    )
  if (consent !== 'pending' && consent !== 'unclean') return null
  if (consent === 'pending' && openedByOther())
    return (
      <Banner role="region" aria-label="Opened by another site" text={OPENED}>
        <OwnTab />
      </Banner>
    )
  const text =
    consent === 'unclean'
      ? 'The page ended during its last run. The code runs only when you press Run.'
      : sent
        ? 'This page came from a link. Its code runs only when you press Run; until then you see what its sender saw.'
        : 'This workspace holds code from a link. It runs only when you press Run.'
  return (
    <Banner role="region" aria-label={consent === 'unclean' ? 'Last run' : 'From a link'} text={text}>
      <RunButton label={consent === 'unclean' ? 'Run the code' : 'Run its code'} asks={consent === 'pending'} />
    </Banner>
  )
}

/** The address is read when it is pressed: the other site may have changed it since this was drawn. */
const OwnTab = () => (
  <a href={location.href} target="_blank" rel="noopener" onClick={(e) => (e.currentTarget.href = location.href)}>
    Open it in a tab of its own
  </a>
)

/** @param asks the press answers a question about code of a link: it counts for the code that was drawn beside it */
function RunButton({ label, asks }: { label: string; asks: boolean }) {
  const steady = useSteady((s) => s.steady)
  const code = useWorkspace(askedCode)
  return (
    <Button variant="primary" data-testid="consent-button" disabled={asks && !steady} onClick={() => giveConsent(code)}>
      <Icon name="play" size={12} />
      {label}
    </Button>
  )
}
