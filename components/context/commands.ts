import { useEffect, useEffectEvent } from 'react'
import { workspaceCommands, type PageCommand } from '@/lib/client/commands/command-keys'
import { localStorageOrNull } from '@/lib/base/features.browser'

/** What the page can do now by a key or from the palette, said by whoever does it. The last one who can is asked. */
const doers: { readonly command: PageCommand; readonly run: () => void }[] = []

/** What is wanted of a part of the page that is being opened for it. */
let wished: PageCommand | null = null

/** Carries a command out while this stands in the page; not while `can` is false. */
export function useCommand(command: PageCommand, run: () => void, can = true): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (!can) return
    return doing(command, () => act())
  }, [command, can])
}

/** What is done in the workspace, which opens for it. */
export type WorkspaceAct = (typeof workspaceCommands)[number]

/** Carries out what is done in the workspace, as `useCommand` does. */
export function useWorkspaceCommands(run: (command: WorkspaceAct) => void, can = true): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (!can) return
    const ends = workspaceCommands.map((command) => doing(command, () => act(command)))
    return () => {
      for (const end of ends) end()
    }
  }, [can])
}

function doing(command: PageCommand, run: () => void): () => void {
  const doer = { command, run }
  doers.push(doer)
  if (wished === command) {
    wished = null
    run()
  }
  return () => void doers.splice(doers.indexOf(doer), 1)
}

/** What carries it out now; undefined: nobody does. */
export const getCommandHandler = (command: PageCommand): (() => void) | undefined =>
  doers.findLast((doer) => doer.command === command)?.run

/** Has it carried out by the next one who can: by the part of the page that is opened for it now. Null: by nobody any more. */
export const requestPanel = (command: PageCommand | null): void => {
  wished = command
}

/** Where the browser remembers that they are off. */
export const singleKeysOff = 'nod:single-keys-off'

/** Whether keys of one sign (`?`) do something outside of fields: who speaks to the machine may want them off (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => (localStorageOrNull()?.getItem(singleKeysOff) ?? null) === null
