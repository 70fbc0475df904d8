'use client'

import { useState, type ReactNode } from 'react'
import { SignInDialog } from '@/components/servers/sign-in-dialog'
import { Button } from '@/components/ui/controls/button'
import { cx } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { footGo, footWide } from '../styles/card'
import { useServerOfTool, wantsSignIn } from '../../servers/use-tool-servers'

/** Run; if the server requires a sign-in, that button first. Afterwards Run is back. */
export default function RunOrSignIn({ run }: { run: ReactNode }) {
  const { entry } = useCall()
  const known = useServerOfTool(entry.call.name)
  const [isOpen, setOpen] = useState(false)
  if (!wantsSignIn(known)) return run
  const close = () => setOpen(false)
  return (
    <>
      <Button look="ink" className={cx(footGo, footWide)} onClick={() => setOpen(true)}>
        {t('servers.sign-in.submit')}
      </Button>
      {isOpen ? <SignInDialog url={known.server.url} onDone={close} onClose={close} /> : null}
    </>
  )
}
