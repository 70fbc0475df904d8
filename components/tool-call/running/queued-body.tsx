'use client'

import { Button } from '@/components/ui/button'
import { useCall } from '../scope/call-scope'
import { footButton } from '../look/card'
import { CardFoot, Meta, Fact } from '../look/card-parts'

/** Clicked, and others run before it. */
export function QueuedBody() {
  const { decide } = useCall()
  return (
    <>
      <Meta>
        <Fact>It begins when its turn has come. Nothing of it has run yet.</Fact>
      </Meta>
      <CardFoot look="flat">
        <Button className={footButton} onClick={decide.stop}>
          Don’t run
        </Button>
      </CardFoot>
    </>
  )
}
