import { useEffect, useEffectEvent } from 'react'
import type { PageCommand } from '@/lib/commands/command-keys'

/** What the page can do now by a key or from the palette, said by whoever does it. The last one who can is asked. */
const doers: { readonly command: PageCommand; readonly run: () => void }[] = []

/** Carries a command out while this stands in the page; not while `can` is false. */
export function useCommand(command: PageCommand, run: () => void, can = true): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (!can) return
    const doer = { command, run: () => act() }
    doers.push(doer)
    return () => void doers.splice(doers.indexOf(doer), 1)
  }, [command, can])
}

/** What carries it out now; undefined: nobody does. */
export const doerOf = (command: PageCommand): (() => void) | undefined =>
  doers.findLast((doer) => doer.command === command)?.run
