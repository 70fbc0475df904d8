'use client'

import { ForeignText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import { otherMembers } from '@/lib/calls/result-draft'
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
        Goes along:{' '}
        {others.map(([name, value], index) => (
          <span key={name}>
            {index === 0 ? '' : ', '}
            <ForeignText text={name} />{' '}
            <code>
              <ForeignText text={shortJson(value)} reading="code" />
            </code>
          </span>
        ))}
      </span>
      {draft.before === null ? <TextButton onClick={() => on({ type: 'widened' })}>change that too</TextButton> : null}
    </p>
  )
}

const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
