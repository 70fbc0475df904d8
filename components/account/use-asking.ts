import { useState } from 'react'
import { useIsLive } from '@/components/ui/use-is-live'
import { createWire } from '@/lib/client/api/wire'

const wire = createWire((...asked) => fetch(...asked))

/**
 * One question at a time: whether it is being asked, and what was refused. Busy too while the page is not alive yet: a form
 * that the browser sends by itself would put what was typed, a password too, into the address.
 */
export function useAsking() {
  const [asks, setBusy] = useState(false)
  const isLive = useIsLive()
  const busy = asks || !isLive
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
    const answer = await wire.ask<T>(method, path, body === undefined ? {} : { body })
    if (!answer.ok) setRefused(answer.error.message)
    const leaves = answer.ok && then(answer.value) === 'leaves'
    if (!leaves) setBusy(false)
    return answer.ok ? answer.value : null
  }
  return { busy, asks, refused, ask }
}
