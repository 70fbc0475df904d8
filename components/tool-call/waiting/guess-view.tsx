'use client'

import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { TextDiff } from '../evidence/text-diff'
import { cardNote } from '../styles/card'
import { CardBody } from '../styles/card-parts'

/** What a guess made of the text: as it was written, against the call format's own writing of what was read. */
export function GuessView() {
  const { raw, strategy, entry } = useCall()
  const { call } = entry
  const read = toolContextBuilder.get(strategy).formatCalls([{ name: call.name, arguments: call.arguments }])
  return (
    <CardBody>
      <p className={cardNote({ look: 'lead' })}>
        <strong className="me-1.5 font-medium text-text">{t('card-waiting.guess')}</strong>{' '}
        {t('card-waiting.guess-about')}
      </p>
      <TextDiff label={t('card-waiting.guess-compared')} before={raw} after={read} />
    </CardBody>
  )
}
