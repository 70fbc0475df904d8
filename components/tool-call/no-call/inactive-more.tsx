'use client'

import { useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { copyText, useForAMoment } from '@/components/ui/copy-button'
import { SaidText } from '@/components/ui/foreign-text'
import { t } from '@/lib/i18n/t'
import { CardBody } from '../look/card-parts'
import { MoreMenu } from '../waiting/decide-buttons'

/** What the model wrote, behind More: shown on the card, or copied. */
export function useInactiveMore(raw: string) {
  const [shown, setShown] = useState(false)
  const [said, say] = useForAMoment('')
  const copy = () => {
    copyText(raw).then(
      () => say(t('card.copied')),
      () => say(t('card.not-copied')),
    )
  }
  return { raw, shown, said, toggle: () => setShown(!shown), copy }
}

export type InactiveMoreState = ReturnType<typeof useInactiveMore>

export const InactiveMore = ({ more }: { more: InactiveMoreState }) => (
  <span className="ms-auto inline-flex items-center gap-2">
    <span className="text-sm text-muted" role="status">
      <SaidText text={more.said} />
    </span>
    <MoreMenu
      label={t('card.more')}
      items={[
        { label: t(more.shown ? 'no-call.hide-raw' : 'no-call.show-raw'), run: more.toggle },
        { label: t('card.copy'), run: more.copy },
      ]}
    />
  </span>
)

export const InactiveRaw = ({ more }: { more: InactiveMoreState }) =>
  more.shown ? (
    <CardBody look="dashed">
      <CodeBlock label={t('no-call.as-written')} text={more.raw} />
    </CardBody>
  ) : null
