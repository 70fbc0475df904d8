import { useEffect, useEffectEvent } from 'react'
import { workspaceCommands, type PageCommand } from '@/lib/client/commands/command-keys'
import { localStorageOrNull } from '@/lib/base/features.browser'

/** The registered handlers of page commands, used by keys and the palette. The last enabled one runs. */
const handlers: { readonly command: PageCommand; readonly run: () => void }[] = []

/** The command requested from a part of the page that is being opened for it. */
let wished: PageCommand | null = null

/** Handles a command while the component is mounted and `can` is true. */
export function useCommand(command: PageCommand, run: () => void, can = true): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (!can) return
    return doing(command, () => act())
  }, [command, can])
}

/** A command of the workspace, which opens for it. */
export type WorkspaceAct = (typeof workspaceCommands)[number]

/** Handles the workspace's commands, as `useCommand` does. */
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
  const handler = { command, run }
  handlers.push(handler)
  if (wished === command) {
    wished = null
    run()
  }
  return () => void handlers.splice(handlers.indexOf(handler), 1)
}

/** The current handler; undefined if there is none. */
export const getCommandHandler = (command: PageCommand): (() => void) | undefined =>
  handlers.findLast((handler) => handler.command === command)?.run

/**
 * Requests a command from the next handler, in the part of the page that is being opened. Null withdraws the request.
 */
export const requestPanel = (command: PageCommand | null): void => {
  wished = command
}

/** The storage key that turns single-key shortcuts off. */
export const singleKeysOff = 'nod:single-keys-off'

/** Whether single-key shortcuts such as `?` work outside fields. Speech users may want them off (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => (localStorageOrNull()?.getItem(singleKeysOff) ?? null) === null
