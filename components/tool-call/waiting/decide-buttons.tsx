'use client'

import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { MenuButton, type MenuItem } from '@/components/ui/menu'
import { cx } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { footButton, footGo, footWide } from '../styles/card'
import { useCall } from '../scope/call-scope'

// The decisions on a call that waits; key hints show in those of the current card only.

/** Filled where it is the one decision of the screen. `tight`: in a line of its card, with no room for a key hint. */
export function RunButton({ tight = false }: { tight?: boolean }) {
  const { current, filled, decide } = useCall()
  return (
    <Button
      look={filled ? 'go' : 'go-next'}
      className={tight ? undefined : cx(footGo, footWide)}
      aria-keyshortcuts="Meta+Enter Control+Enter"
      onClick={decide.run}
    >
      {t('card.run')} {current && !tight ? <Kbd keys="mod+enter" /> : null}
    </Button>
  )
}

/** `label`: left out, that it is denied. */
export function DenyButton({ tight = false, label }: { tight?: boolean; label?: string }) {
  const { current, decide } = useCall()
  return (
    <Button
      className={tight ? undefined : cx(footButton, footWide)}
      aria-keyshortcuts="Meta+Backspace Control+Backspace"
      onClick={() => decide.deny('')}
    >
      {label ?? t('card.deny')} {current && !tight ? <Kbd keys="mod+backspace" /> : null}
    </Button>
  )
}

export const EditButton = ({ className, onClick }: { className: string; onClick: () => void }) => (
  <Button className={className} aria-keyshortcuts="E" onClick={onClick}>
    {t('card.edit')}
  </Button>
)

/** All that is no decision. */
export const MoreMenu = ({ label, items }: { label: string; items: readonly MenuItem[] }) => (
  <MenuButton icon="more" label={label} items={items} className="pointer-coarse:size-touch" />
)
