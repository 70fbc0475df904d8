'use client'

import { t } from '@/lib/i18n/t'
import { useSyncExternalStore } from 'react'
import { Icon } from '@/components/ui/icon'
import { navItem } from './nav-item'
import { isTheme, nextTheme, type Theme } from '@/lib/client/theme'
import { chooseLook } from '@/lib/wiring/look.browser'

/** Whoever changes it: this button, the page of settings, another tab. */
const subscribe = (listener: () => void) => {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => watcher.disconnect()
}
const current = (): Theme => {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'system'
}

/** System, light, dark. The choice is a cookie, so that the server renders it. */
export function ThemeButton() {
  const theme = useSyncExternalStore<Theme>(subscribe, current, () => 'system')
  const change = () => void chooseLook({ theme: nextTheme(theme) })
  return (
    <button type="button" className={navItem()} onClick={change} data-tip={t('frame.theme-change')}>
      <Icon name="theme" />
      {t('frame.theme', { theme })}
    </button>
  )
}
