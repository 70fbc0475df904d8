'use client'

import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { useCall } from '../scope/call-scope'
import { TextDiff } from '../evidence/text-diff'
import { cardNote } from '../look/card'
import { CardBody } from '../look/card-parts'

/** What a guess made of the text: as it was written, against the strategy's own writing of what was read. */
export function GuessView() {
  const { raw, strategy, entry } = useCall()
  const { call } = entry
  const read = toolContextBuilder.get(strategy).formatCalls([{ name: call.name, arguments: call.arguments }])
  return (
    <CardBody>
      <p className={cardNote({ look: 'lead' })}>
        <strong className="me-1.5 font-medium text-text">Read with a guess</strong> Quotation marks inside a text were
        not escaped, so where it ends was guessed. Red is as it was written, green as it was read. Run accepts the
        reading.
      </p>
      <TextDiff label="Written and read" before={raw} after={read} />
    </CardBody>
  )
}
