'use client'

import { useState } from 'react'
import { SignInDialog } from '@/components/servers/sign-in-dialog'
import { Button } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { CallEvidence } from '../evidence/call-evidence'
import { useCall } from '../scope/call-scope'
import { CardFoot, footButton, footGo } from '../styles/card'
import { useServerOfTool, wantsSignIn } from './server-of-call'
import { SignInNote } from './sign-in-ended'

/** The server wanted a sign-in when the call came: it did not run, and runs once the user has signed in and says so. */
export default function KeptCall() {
  const { entry, summary, decide } = useCall()
  const known = useServerOfTool(entry.call.name)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <SignInNote words={t('servers.sign-in.not-run')} />
      <CallEvidence summary={summary} args={entry.call.arguments} />
      <CardFoot>
        {wantsSignIn(known) ? (
          <Button look="ink" className={footGo} onClick={() => setOpen(true)}>
            {t('servers.sign-in.submit-run')}
          </Button>
        ) : (
          <Button look="go" className={footGo} onClick={decide.runAgain}>
            {t('card.run')}
          </Button>
        )}
        <Button className={footButton} onClick={decide.tell}>
          {t('settled.tell')}
        </Button>
      </CardFoot>
      {isOpen && known ? (
        <SignInDialog
          url={known.server.url}
          then="run"
          onDone={() => {
            close()
            decide.runAgain()
          }}
          onClose={close}
        />
      ) : null}
    </>
  )
}
