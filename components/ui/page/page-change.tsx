'use client'

import { useEffect, useTransition } from 'react'
import { t } from '@/lib/i18n/t'
import { overPage } from './part-failure'
import { notice } from '../recipes/surface'
import { Wait } from './wait'

/** Navigates to another page; the default shows no progress. */
type Change = (go: () => void) => void

let change: Change = (go) => go()

/** Navigates to another page of ours, and says so once that takes long. `go` calls the router. */
export const changePage = (go: () => void): void => change(go)

/** Says over the page that another one is opening. Mounted once, where navigation keeps it. */
export function PageChange() {
  const [changes, start] = useTransition()
  useEffect(() => {
    const before = change
    change = start
    return () => {
      change = before
    }
  }, [start])
  return changes ? <Wait what={t('wait.page')} className={notice({ size: 'banner' }, overPage)} /> : null
}
