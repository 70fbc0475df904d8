'use client'

import { Button } from '@/components/ui/button'
import { Meta } from '../card/call-meta'
import { useCall } from '../card/call-scope'

/** Clicked, and others run before it. */
export function QueuedBody() {
  const { decide } = useCall()
  return (
    <>
      <Meta>
        <span>It runs when the calls before it are through.</span>
      </Meta>
      <div className="card-foot flat">
        <Button className="act" onClick={decide.stop}>
          Don’t run
        </Button>
      </div>
    </>
  )
}
