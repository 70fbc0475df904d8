'use client'

import { Button } from '@/components/ui/button'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { footButton } from '../styles/card'
import { CardFoot, Meta, Fact } from '../styles/card-parts'

/** Clicked, and others run before it. */
export function QueuedBody() {
  const { decide } = useCall()
  return (
    <>
      <Meta>
        <Fact>{t('card-running.queued')}</Fact>
      </Meta>
      <CardFoot look="flat">
        <Button className={footButton} onClick={decide.stop}>
          {t('card-running.not-run')}
        </Button>
      </CardFoot>
    </>
  )
}
