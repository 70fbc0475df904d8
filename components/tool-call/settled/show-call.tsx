'use client'

import { useState } from 'react'
import { TextButton } from '@/components/ui/text-button'
import { t } from '@/lib/i18n/t'
import { CallEvidence } from '../evidence/call-evidence'
import { useCall } from '../scope/call-scope'

/** What was asked, one press away, for a line of links. */
export function ShowCall() {
  const { entry, summary } = useCall()
  const [open, setOpen] = useState(false)
  return (
    <>
      <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'settled.hide-call' : 'settled.show-call')}
      </TextButton>
      {open ? (
        <div className="-mx-3.5 basis-full">
          <CallEvidence summary={summary} args={entry.call.arguments} />
        </div>
      ) : null}
    </>
  )
}
