'use client'

import { useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Button } from '@/components/ui/controls/button'
import { hint, rows } from '@/components/ui/recipes/field'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import { factsOf, fastMs, type AttentionFacts } from '@/lib/client/browser/attention'
import { attention } from '@/lib/client/wiring/attention.browser'
import { section, sectionHead, settingRow, settingsNote } from '../settings-styles'

/** Statistics on how the user decides on cards. Only the user can see them. */
export default function AttentionPart() {
  const heading = useId()
  // The server does not have these figures.
  const kept = useSyncExternalStore(watchNothing, current, () => nothing)
  const { cards, timed, medianMs, fast } = JSON.parse(kept) as AttentionFacts
  const [isForgotten, setForgotten] = useState(false)
  const forget = () => {
    attention.forget()
    setForgotten(true)
  }
  return (
    <section className={section()} aria-labelledby={heading}>
      <h2 className={sectionHead()} id={heading}>
        {t('attention.title')}
      </h2>
      <p className={settingsNote()}>{t('attention.about')}</p>
      <dl className={rows()}>
        <Figure label={t('attention.cards')}>{t('attention.count', { cards })}</Figure>
        <Figure label={t('attention.time')}>
          {medianMs === null ? t('attention.none') : t('attention.span', { ms: medianMs })}
        </Figure>
        <Figure label={t('attention.fast', { ms: fastMs })}>
          {timed === 0 ? t('attention.none') : t('attention.share', { part: fast / timed })}
        </Figure>
      </dl>
      <div className={settingRow()}>
        <small className={hint()} role="status">
          {t(isForgotten ? 'attention.forgotten' : 'attention.forget-about')}
        </small>
        <Button disabled={cards === 0} onClick={forget}>
          {t('attention.forget')}
        </Button>
      </div>
    </section>
  )
}

const watchNothing = () => () => {}
/** As text: a new object each time would loop. */
const current = () => JSON.stringify(attention.facts())
const nothing = JSON.stringify(factsOf([], 0))

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={settingRow()}>
    <dt>
      <SentenceText text={label} />
    </dt>
    <dd className="m-0 text-muted tabular-nums">{children}</dd>
  </div>
)
