'use client'

import { Icon } from '@/components/ui/controls/icon'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { useServerOfTool, wantsSignIn } from './server-of-call'

/** On a card that waits: why it offers to sign in. */
export default function SignInEnded() {
  const { entry } = useCall()
  if (!wantsSignIn(useServerOfTool(entry.call.name))) return null
  return <SignInNote words={t('servers.sign-in.kept')} />
}

/** `words`: what became of the call. */
export const SignInNote = ({ words }: { words: string }) => (
  <p data-part="say" className="m-0 flex gap-2 px-3.5 pt-2.5 narrow:px-3" role="status">
    <Icon name="warn" className="mt-1 flex-none text-warn" />
    <span className="text-pretty">
      <b>{t('servers.sign-in.ended')}</b> {words}
    </span>
  </p>
)
