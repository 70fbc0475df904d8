'use client'

import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { useState } from 'react'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { TextButton } from '@/components/ui/text-button'
import { t } from '@/lib/i18n/t'
import { aboutCall, cardFrame, cardHead, toolName } from '../look/card'
import { CardTrouble } from '../look/card-parts'
import { ForeignCallCard } from './foreign-call-card'
import type { InactiveCallCardProps } from './inactive-card-props'
import { InactiveMore, InactiveRaw, useInactiveMore } from './inactive-more'

/** Something that looks like a call and is none here: an example, or another format. It can't run as it stands. */
export const InactiveCallCard = (props: InactiveCallCardProps) =>
  props.call.standing === 'foreign' ? <ForeignCallCard {...props} /> : <QuotedCallCard {...props} />

function QuotedCallCard({ call, raw, place, onLift }: InactiveCallCardProps) {
  const more = useInactiveMore(raw)
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <div
      className={cardFrame({ look: 'dashed' })}
      role="group"
      aria-label={labelOf(t('card-frame.call', { tool: asForeign(call.name) }))}
    >
      <div className={cardHead()}>
        <Icon name="quote" className="text-muted" />
        <span className={toolName({ look: 'quiet' })}>
          <ForeignText text={call.name} />
        </span>
        <span data-about="" className={aboutCall()}>
          <SaidText text={t(`card-quote.${place}`)} />
        </span>
        <InactiveMore more={more} />
        {onLift ? (
          <TextButton
            className="narrow:order-6 narrow:ms-6 narrow:min-h-touch"
            onClick={() => void onLift().then(setProblem)}
          >
            {t('no-call.lift')}
          </TextButton>
        ) : null}
      </div>
      {problem ? <CardTrouble last text={problem} /> : null}
      <InactiveRaw more={more} />
    </div>
  )
}
