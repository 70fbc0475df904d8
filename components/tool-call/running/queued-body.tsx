'use client'

import { Button } from '@/components/ui/button'
import { runningSentence } from '@/lib/words/card-running'
import { useCall } from '../scope/call-scope'
import { footButton } from '../look/card'
import { CardFoot, Meta, Fact } from '../look/card-parts'

/** Clicked, and others run before it. */
export function QueuedBody() {
  const { decide } = useCall()
  return (
    <>
      <Meta>
        <Fact>{runningSentence('card-running.queued')}</Fact>
      </Meta>
      <CardFoot look="flat">
        <Button className={footButton} onClick={decide.stop}>
          {runningSentence('card-running.not-run')}
        </Button>
      </CardFoot>
    </>
  )
}
