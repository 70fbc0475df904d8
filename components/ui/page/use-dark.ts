import { useSyncExternalStore } from 'react'

/** Whether the page is dark now, by the user's choice or else the system's. */
export const useDark = (): boolean => useSyncExternalStore(watch, isDark, () => false)

const system = () => window.matchMedia?.('(prefers-color-scheme: dark)')

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme
  return chosen === undefined ? (system()?.matches ?? false) : chosen === 'dark'
}

function watch(onChange: () => void): () => void {
  const root = new MutationObserver(onChange)
  root.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const query = system()
  query?.addEventListener('change', onChange)
  return () => {
    root.disconnect()
    query?.removeEventListener('change', onChange)
  }
}
