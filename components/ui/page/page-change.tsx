'use client'

import { useEffect, useTransition } from 'react'
import { t } from '@/lib/i18n/t'
import { overPage } from './part-failure'
import { notice } from '../recipes/surface'
import { Wait } from './wait'

/** Goes to another page; by itself, where no one shows that it takes long. */
type Change = (go: () => void) => void

let change: Change = (go) => go()

/** Goes to another page of ours, and says so once that takes long. `go`: what the router is told. */
export const changePage = (go: () => void): void => change(go)

/** Says over the page that another one is being opened. Stands once, where changes of the page leave it. */
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
