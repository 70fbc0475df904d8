'use client'

import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/controls/icon'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { hostOf } from '@/lib/shared/conversation/settings/tool-server'
import { useCall } from '../scope/call-scope'
import { useServerOfTool } from '../../servers/use-tool-servers'

/** On a waiting card: why it offers to sign in, or that its server did not answer. */
export default function SignInEnded() {
  const { entry } = useCall()
  const known = useServerOfTool(entry.call.name)
  if (known?.server.isOn !== true || known.status.phase !== 'failed') return null
  if (known.status.failure.kind === 'sign-in') return <SignInNote words={t('servers.sign-in.kept')} />
  return (
    <CardNote>
      <SentenceText text={t('servers.unreached', { host: asUntrusted(hostOf(known.server.url)) })} />
    </CardNote>
  )
}

/** `words`: what happened to the call. */
export const SignInNote = ({ words }: { words: string }) => (
  <CardNote>
    <b>{t('servers.sign-in.ended')}</b> {words}
  </CardNote>
)

/** A sentence on a waiting card. */
export const CardNote = ({ children }: { children: ReactNode }) => (
  <p data-part="say" className="m-0 flex gap-2 px-3.5 pt-2.5 narrow:px-3" role="status">
    <Icon name="warn" className="mt-1 flex-none text-warn" />
    <span className="text-pretty">{children}</span>
  </p>
)
