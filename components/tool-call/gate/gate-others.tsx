'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import { otherMembers } from '@/lib/calls/result-draft'
import { t } from '@/lib/i18n/t'
import { saidAround } from '../sentence'
import type { ResultGateModel } from './use-result-gate'
import { cardNote } from '../look/card'

/** What goes along as it is, beside the one long text that is looked at. */
export function GateOthers({ gate: { state, on } }: { gate: ResultGateModel }) {
  const { draft } = state
  const others = Object.entries(otherMembers(draft))
  if (others.length === 0 || draft.file) return null
  return (
    <p className={cardNote({ look: 'ruled' })}>
      <span>
        {saidAround((put) =>
          t('gate.goes-along', {
            members: others.map(([name, value]) => put(<Member name={name} value={value} />)),
          }),
        )}
      </span>
      {draft.before === null ? (
        <TextButton onClick={() => on({ type: 'widened' })}>{t('gate.change-too')}</TextButton>
      ) : null}
    </p>
  )
}

const Member = ({ name, value }: { name: string; value: unknown }) => (
  <span>
    <ForeignText text={name} />{' '}
    <code>
      <ForeignText text={shortJson(value)} reading="code" />
    </code>
  </span>
)

const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
