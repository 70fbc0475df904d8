'use client'

import { useSyncExternalStore } from 'react'
import { Icon } from '@/components/ui/icon'
import { navItem } from './nav-item'
import { isTheme, nextTheme, themeCookieLine, type Theme } from '@/lib/client/theme'

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
const current = (): Theme => {
  const { theme } = document.documentElement.dataset
  return isTheme(theme) ? theme : 'system'
}

/** System, light, dark. The choice is a cookie, so that the server renders it. */
export function ThemeButton() {
  const theme = useSyncExternalStore<Theme>(subscribe, current, () => 'system')
  const change = () => {
    const next = nextTheme(theme)
    document.cookie = themeCookieLine(next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    for (const listener of listeners) listener()
  }
  return (
    <button type="button" className={navItem()} onClick={change} data-tip="Change the theme">
      <Icon name="theme" />
      Theme: {theme}
    </button>
  )
}
