'use client'

import { t } from '@/lib/i18n/t'
import { useActionBarReload } from '@assistant-ui/core/react'
import { useCommand } from '@/components/context/commands'
import { IconButton } from '@/components/ui/icon-button'

/** Asks for another version of the reply. `isLast`: what the palette means by the last reply. */
export function ReloadButton({ isLast }: { isLast: boolean }) {
  const { reload, disabled } = useActionBarReload()
  useCommand('regenerate', reload, isLast && !disabled)
  return <IconButton size="sm" icon="again" label={t('thread.regenerate')} disabled={disabled} onClick={reload} />
}
