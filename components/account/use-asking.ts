import { useState, useSyncExternalStore } from 'react'
import { askAccount } from './account-api'

const nothing = () => () => {}

/**
 * One question at a time: whether it is being asked, and what was refused. Busy too while the page is not alive yet: a form
 * that the browser sends by itself would put what was typed, a password too, into the address.
 */
export function useAsking() {
  const [asks, setBusy] = useState(false)
  const isAlive = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  )
  const busy = asks || !isAlive
  const [refused, setRefused] = useState<string | null>(null)
  /** `then` on a good answer; where it leaves the page, nothing can be pressed again. Gives null where it was refused. */
  async function ask<T>(
    method: string,
    path: string,
    body: unknown,
    then: (value: T) => void | 'leaves',
  ): Promise<T | null> {
    setBusy(true)
    setRefused(null)
    const answer = await askAccount<T>(method, path, body)
    if (!answer.ok) setRefused(answer.message)
    const leaves = answer.ok && then(answer.value) === 'leaves'
    if (!leaves) setBusy(false)
    return answer.ok ? answer.value : null
  }
  return { busy, refused, ask }
}
